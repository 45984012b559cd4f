/** Says in words why a call had no complete answer. */
import type { TransportFailure } from '../../record/exchange.ts';
import { inShort } from '../untrusted/text.ts';

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused: nothing listens there',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was sent',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'no connection came about',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network of the host',
  CERT_HAS_EXPIRED: 'the TLS certificate has expired',
  CERT_NOT_YET_VALID: 'the TLS certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate belongs to another host name',
  HPE_HEADER_OVERFLOW: 'the header of the answer is too long',
};

const unconnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
  // Code of errors of TLS.
  'EPROTO',
]);

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Longest message, in characters: some quote what came, such as the answer of a proxy, and each call has its own. */
const longestMessage = 400;

export function failureOf(error: NodeJS.ErrnoException): TransportFailure {
  return { code: error.code ?? 'NETWORK', message: inShort(explain(error), longestMessage) };
}

/** Whether no connection was made, so that nothing was sent, and another try in a moment may succeed. */
export function wasNotSent({ code }: TransportFailure): boolean {
  return code === 'ECONNREFUSED' || code === 'EAI_AGAIN';
}

/** Whether no connection was made, however often it was tried: the content of the request cannot be the cause. */
export function hadNoConnection({ code }: TransportFailure): boolean {
  return unconnected.has(code) || code.startsWith('ERR_SSL_');
}

/** Whether the certificate was refused, so that nothing was sent. One of several machines of a service may have another one. */
export const refusesCertificate = ({ code }: TransportFailure): boolean => untrusted.has(code);

/** Whether an open connection broke off: the request may have arrived. */
export function brokeOff({ code }: TransportFailure): boolean {
  return ['ECONNRESET', 'EPIPE', 'TRUNCATED'].includes(code);
}

/** Whether an answer came whose body is not known: it is too slow, too long, or coded in a way that is not undone here. */
export function cameUnread({ code }: TransportFailure): boolean {
  return ['UNFINISHED', 'TOO_LARGE', 'CONTENT_ENCODING'].includes(code);
}

/** Whether another try would fail in the same way, as with a host that is unknown, refuses, or never answers. */
export function isFinal(failure: TransportFailure): boolean {
  return !brokeOff(failure) && failure.code !== 'EAI_AGAIN';
}

function explain({ code = '', message }: NodeJS.ErrnoException): string {
  const sentence = sentences[code];
  if (sentence) return sentence;
  if (untrusted.has(code))
    return `the TLS certificate is not trusted (${message}): name the certificate of its CA in address.ca of the profile`;
  // The message of OpenSSL consists of numbers, the name of the library, the reason and a source file.
  const tls = /:SSL routines:[^:]*:([^:]+)/.exec(message)?.[1];
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return `no TLS connection came about (${tls ?? message}): does the service speak https there?`;
  if (code.startsWith('HPE_')) return `what came is no HTTP (${message})`;
  // An error about several addresses has an empty message.
  return message || code || 'the connection failed';
}
