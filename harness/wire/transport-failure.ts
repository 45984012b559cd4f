/** Says in words for people why a call had no complete answer. */
import type { TransportFailure } from '../../record/exchange.ts';

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
  // Of TLS.
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

/** The failure that an error of Node stands for. */
export function failureOf(error: NodeJS.ErrnoException): TransportFailure {
  return { code: error.code ?? 'NETWORK', message: explain(error) };
}

/** Whether no connection stood, so that nothing of the request was sent, which a moment may mend. */
export function wasNotSent({ code }: TransportFailure): boolean {
  return code === 'ECONNREFUSED' || code === 'EAI_AGAIN';
}

/** Whether no connection came about, however often it was tried: nothing that was to be sent has caused it. */
export function hadNoConnection({ code }: TransportFailure): boolean {
  return unconnected.has(code) || code.startsWith('ERR_SSL_');
}

/** Whether the certificate was refused, so that nothing was sent: one of several machines of a service may have another. */
export function refusesCertificate({ code }: TransportFailure): boolean {
  return untrusted.has(code);
}

/** Whether a connection that stood broke off: what was sent may have arrived. */
export function brokeOff({ code }: TransportFailure): boolean {
  return ['ECONNRESET', 'EPIPE', 'TRUNCATED'].includes(code);
}

/**
 * Whether another try would meet the same. A connection that broke off may stand the next time; a host that is
 * unknown, refuses, or never answers in time stays so for this run.
 */
export function isFinal(failure: TransportFailure): boolean {
  return !brokeOff(failure) && failure.code !== 'EAI_AGAIN';
}

function explain({ code = '', message }: NodeJS.ErrnoException): string {
  const sentence = sentences[code];
  if (sentence) return sentence;
  if (untrusted.has(code)) {
    return `the TLS certificate is not trusted (${message}): name the certificate of its CA in address.ca of the profile`;
  }
  // OpenSSL's own words: numbers, the name of the library, a source file.
  const tls = /:SSL routines:[^:]*:([^:]+)/.exec(message)?.[1];
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return `no TLS connection came about (${tls ?? message}): does the service speak https there?`;
  }
  if (code.startsWith('HPE_')) return `what came is no HTTP (${message})`;
  // Errors of several addresses have an empty message of their own.
  return message || code || 'the connection failed';
}
