/** The first step: the host is found, a connection is made, and TLS and a proxy let the probe through. */
import type { TransportFailure } from '../../record/exchange.ts';
import { requestOf } from '../target/outgoing.ts';
import { proxyFor } from '../wire/proxy.ts';
import { type Ground, notSent, StepBroken } from './ground.ts';

const tls = /^(CERT_|DEPTH_ZERO|EPROTO|ERR_SSL_|ERR_TLS_|SELF_SIGNED|UNABLE_TO_)/;
const unknownHost = new Set(['ENOTFOUND', 'EAI_AGAIN']);
const unconnected = new Set(['ECONNREFUSED', 'CONNECT_TIMEOUT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Asks for the head of the base URL, without credentials; any answer will do. @throws StepBroken when none comes */
export async function reach({ profile: { address }, sender, say }: Ground): Promise<void> {
  const url = new URL(address.baseUrl);
  const startMs = performance.now();
  const outcome = await sender.send(
    requestOf({ method: 'HEAD', url, headers: [], body: null }, address, null),
  );
  const by = proxyFor(url)?.words;
  const way = by === undefined ? '' : `, by ${by}`;
  if ('failure' in outcome) {
    const { failure } = outcome;
    if (notReached(failure)) throw unreachable(failure, address.baseUrl);
    // The host is there and does not answer HEAD: the next call shows more.
    say('address', `${url.host} is connected${way}`);
    return;
  }
  const ms = Math.round(performance.now() - startMs);
  say('address', `${url.host} answers${way} (${outcome.response.status} to HEAD, ${ms} ms)`);
}

function notReached({ code }: TransportFailure): boolean {
  return (
    code === 'PROXY' || code === notSent || tls.test(code) || unknownHost.has(code) || unconnected.has(code)
  );
}

/** The broken step for a failure on the way, by where the failure belongs. */
export function unreachable({ code, message }: TransportFailure, baseUrl: string): StepBroken {
  const url = new URL(baseUrl);
  const throughProxy = code !== notSent && proxyFor(url) !== undefined;
  const what = `${url.host}: ${message}`;
  if (tls.test(code)) {
    const fix = /^(EPROTO|ERR_SSL_)/.test(code)
      ? 'look at the scheme and the port of the base URL; a service without TLS is called by http://'
      : 'write a profile with address.ca, the file (PEM) with the certificate of the CA, and call probe with --target PROFILE; on a certificate that has expired or names another host, ask who runs the service';
    return new StepBroken('TLS', what, fix);
  }
  if (code === 'PROXY' || throughProxy) {
    const fix = `look at HTTPS_PROXY and HTTP_PROXY, with user name and password where it wants them; NO_PROXY=${url.hostname} calls the service directly`;
    return new StepBroken('proxy', `${url.host} ${message}`, fix);
  }
  if (unknownHost.has(code)) {
    const fix = `look for a mistake in the base URL ${baseUrl}; a name of a private network needs its VPN or DNS`;
    return new StepBroken('host name', `${url.hostname}: ${message}`, fix);
  }
  if (unconnected.has(code)) {
    const fix = 'look at the port of the base URL, at firewalls and VPN, and whether the service is up';
    return new StepBroken('connection', what, fix);
  }
  const patience = 'address.deadlineMs of a profile gives it more time';
  const fix =
    code === notSent
      ? 'call probe again'
      : `look whether the service is up and speaks HTTP there; ${patience}`;
  return new StepBroken('connection', what, fix);
}
