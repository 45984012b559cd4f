/** Answers made by hand, and a session that gives them: for tests of the judgement alone. */

import type { Session } from '../../../harness/judging/session.ts';
import { findDocumentToken } from '../../../harness/target/answers/document-token.ts';
import type { Answer } from '../../../harness/target/call.ts';
import type { HeaderField } from '../../../record/exchange.ts';
import type { SharedCall } from '../../../record/finding.ts';

/** A status with a body, or the code of a failure. */
export type Short =
  | number
  | string
  | {
      readonly status: number;
      readonly method?: string;
      readonly text?: string;
      readonly headers?: HeaderField[];
      readonly reason?: string;
      readonly url?: string;
      readonly guess?: string;
      readonly doubted?: true;
      readonly denied?: true;
      readonly besideOthers?: true;
      readonly named?: true;
    };

let made = 0;

/** An answer of an upload when `upload` is set: then it is looked for a token. */
export function answerOf(short: Short, { upload = false } = {}): Answer {
  const index = made++;
  const failed = typeof short === 'string';
  const {
    status,
    method = 'POST',
    text = '',
    headers = [],
    reason = '',
    url = 'http://127.0.0.1/requests',
    guess,
    doubted,
    denied,
    besideOthers,
    named,
  } = typeof short === 'object' ? short : { status: failed ? 0 : short };
  const body = text === '' ? null : { mediaType: '', size: text.length, sha256: '', text };
  return {
    exchange: {
      index,
      operation: null,
      purpose: 'judged',
      request: { method, url, headers: [], body: null },
      response: failed ? null : { status, reason, headers, body },
      ...(failed ? { failure: { code: short, message: `failed with ${short}` } } : {}),
      startedAt: new Date(0).toISOString(),
      durationMs: 0,
      retries: [],
      violations: [],
      curl: '',
    },
    url,
    status,
    reason,
    headers,
    text,
    ids: {},
    ...(upload && status >= 200 && status < 300
      ? { documentToken: findDocumentToken('auto', headers, text) }
      : {}),
    ...(guess === undefined ? {} : { guess }),
    ...(doubted ? { doubted } : {}),
    ...(besideOthers ? { besideOthers } : {}),
    ...(denied ? { denied } : {}),
    ...(named ? { named } : {}),
  };
}

/** A session of which a judgement uses two methods; each gives its answers in order, the last one for ever. */
export function sessionOf(
  shared: Partial<Record<SharedCall, Short>>,
  repeated: Partial<Record<SharedCall, readonly Short[]>> = {},
): Session {
  const counts = new Map<SharedCall, number>();
  const first = new Map<SharedCall, Answer>();
  const methods: Pick<Session, 'shared' | 'repeat'> = {
    shared: async (name) => {
      const known = first.get(name) ?? answerOf(shared[name] ?? 200, { upload: name === 'document' });
      first.set(name, known);
      return known;
    },
    repeat: async (name) => {
      const given = repeated[name] ?? [shared[name] ?? 200];
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return answerOf(given[Math.min(count, given.length - 1)] ?? 200, { upload: name === 'document' });
    },
  };
  return methods as Session;
}

/** Sends the answers in order; more calls than answers are a mistake of the test. */
export function sending(...answers: readonly Short[]): { send: () => Promise<Answer>; sent: () => number } {
  let count = 0;
  return {
    send: async () => {
      const next = answers[count++];
      if (next === undefined) throw new Error('asked once more than expected');
      return answerOf(next);
    },
    sent: () => count,
  };
}
