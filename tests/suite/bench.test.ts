/** The least time of a run, of which `npm run bench` tells the ratio, is that of calls that depend on each other. */
import { expect, test } from '@playwright/test';
import { longestChainMs } from '../../bench/bench.ts';
import { exchange } from './reports-sample.ts';

const call = (index: number, path: string, more = {}) => {
  const { request, ...rest } = exchange(index);
  const startedAt = new Date(index * 1000).toISOString();
  return {
    ...rest,
    startedAt,
    durationMs: 500,
    request: { ...request, url: `https://sandbox.example.com${path}`, body: null },
    ...more,
  };
};
const created = (kind: 'document' | 'request', id: string, at: number) => ({ kind, id, exchange: at });

test('what names an id comes after the answer with it, and acts on one request after each other', () => {
  const acts = { purpose: 'template' as const };
  const attempts = [{ status: 503, because: 'not-taken' as const, waitedMs: 7 }];
  const exchanges = [
    call(0, '/documents'),
    call(1, '/alone', { attempts }),
    call(2, '/create/of-document'),
    call(3, '/sign/of-request', acts),
    call(4, '/approve/of-request', acts),
    call(5, '/remove/of-document', { ...acts, template: 'invalidateDocument' }),
  ];
  const made = [created('document', 'of-document', 0), created('request', 'of-request', 2)];
  expect(longestChainMs({ exchanges, created: [] }, 100)).toBe(307);
  expect(longestChainMs({ exchanges, created: made }, 100, 50)).toBe(550);
});
