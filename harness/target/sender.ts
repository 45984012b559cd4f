/** The sender of a run, with the limits of the profile. */

import type { Profile } from '../profile/schema.ts';
import { limits } from '../untrusted/limits.ts';
import { HttpSender } from '../wire/http.ts';
import { proxyFor } from '../wire/proxy.ts';

/** A target that never answers is given up within the time in which a person waits for a first word. */
const defaults = { deadlineMs: 8_000, connectMs: 4_000, maxResponseBytes: limits.answerBytes.most };

/** @param learned is told what must not be recorded of the proxy */
export function senderTo(
  address: Profile['address'],
  ca: string | undefined,
  learned: (secret: string) => void,
): HttpSender {
  return new HttpSender({
    deadlineMs: address.deadlineMs ?? defaults.deadlineMs,
    connectMs: address.connectMs ?? defaults.connectMs,
    maxResponseBytes: address.maxResponseBytes ?? defaults.maxResponseBytes,
    ca,
    target: new URL(address.baseUrl).hostname,
    proxyFor: (url) => {
      const proxy = proxyFor(url);
      for (const secret of proxy?.secrets ?? []) learned(secret);
      return proxy;
    },
  });
}
