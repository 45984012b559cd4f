/** Measures how far away a target is, before the run decides how many checks wait for it at the same time. */
import { HttpSender } from './http.ts';
import type { LoadedProfile } from './profile/load.ts';
import { proxyFor } from './proxy.ts';

/** Milliseconds until a HEAD request without credentials is answered, with whatever status; `null` without answer. */
export async function roundTripMs({ profile, ca }: LoadedProfile): Promise<number | null> {
  const sender = new HttpSender({
    deadlineMs: 3_000,
    connectMs: 2_000,
    maxResponseBytes: 65_536,
    ca,
    proxyFor,
  });
  const url = new URL(profile.address.baseUrl);
  const headers = [
    ['Host', url.host],
    ['User-Agent', 'esign-conformance'],
  ] as const;
  const startMs = performance.now();
  try {
    const outcome = await sender.send({ method: 'HEAD', url, headers, body: null });
    return 'response' in outcome ? performance.now() - startMs : null;
  } finally {
    sender.close();
  }
}
