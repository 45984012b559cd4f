/** Which flows a run has: all where calls sign, and where people do those few that prove the most. */
import { expect, test } from '@playwright/test';
import { chooseFlows } from '../../harness/flows/choose-flows.ts';
import { flows } from '../flows/all.ts';
import { otpFlow } from '../flows/otp.ts';

const wishes = { explore: false, only: undefined, notApplicable: {}, waiting: undefined };
const byHand = (requests?: number) => ({
  signing: { driver: 'manual' as const, ...(requests === undefined ? {} : { requests }) },
});

const sign = { method: 'POST', url: '/signatories/{signatoryId}/sign' };
const byCalls = { signing: { driver: 'http' as const }, calls: { sign } };

const judging = flows.filter(({ explores }) => !explores);

test('where calls sign all flows run that judge something', () => {
  const chosen = chooseFlows(flows, byCalls, wishes);
  expect(chosen).toEqual({ flows: judging, notApplicable: {} });
});

test('who acts by a link in a message is given no two requests that are alike', () => {
  for (const url of ['/sign/{token}', '{link}']) {
    const chosen = chooseFlows(flows, { ...byCalls, calls: { sign: { ...sign, url } } }, wishes).flows;
    expect(chosen).toEqual(judging.filter(({ neighbour }) => !neighbour));
  }
});

test('a flow with more signatories than a request may have gives way to its parts, which prove the same', () => {
  const chosen = (signatories: number) =>
    chooseFlows(flows, { ...byCalls, limits: { signatories } }, wishes).flows;
  expect(chosen(6)).toEqual(judging);
  const few = chosen(2).filter(({ name }) => name.startsWith('OTP'));
  expect(few.map(({ signatories }) => signatories.length)).toEqual([2, 2]);
  expect(new Set(few.flatMap(({ proves }) => proves))).toEqual(new Set(otpFlow.proves));
});

test('a flow that only explores needs a run that does, as a whole, and its call', () => {
  const profile = { ...byCalls, calls: { sign, decline: { method: 'POST', url: '/decline' } } };
  const count = (more: object, given: Parameters<typeof chooseFlows>[1] = profile) =>
    chooseFlows(flows, given, { ...wishes, ...more }).flows.length - judging.length;
  expect(count({ explore: true })).toBe(1);
  expect(count({ explore: true, only: ['events.all'] })).toBe(0);
  expect(count({ explore: true }, byCalls)).toBe(0);
  expect(count({})).toBe(0);
});

test('people are asked for as many requests as the profile says, three by default', () => {
  const chosen = (requests?: number) => chooseFlows(flows, byHand(requests), wishes);
  expect(chosen().flows).toHaveLength(3);
  expect(chosen(1).flows).toHaveLength(1);
  // As many as it takes, and no more.
  const enough = chosen(judging.length);
  expect(enough.notApplicable).toEqual({});
  const { length } = enough.flows;
  expect(length).toBeLessThan(judging.length);
  expect(chosen(length).notApplicable).toEqual({});
  expect(chosen(length - 1).notApplicable).not.toEqual({});
  const { notApplicable } = chosen();
  expect(notApplicable['events.optional']).toContain(
    'people are asked to sign 3 requests (signing.requests)',
  );
  expect(notApplicable['events.process-completed']).toBeUndefined();
});

test('nobody is asked for what is not wanted or cannot be checked', () => {
  const names = (only: string[], notApplicable = {}) =>
    chooseFlows(flows, byHand(), { ...wishes, only, notApplicable }).flows.map(({ name }) => name);
  expect(names(['signing.signer-signs'])).toHaveLength(1);
  expect(names(['events.all'])).toEqual(['a DOCX, documents attached']);
  expect(names(['events.all'], { 'events.all': 'the profile says so' })).toEqual([]);
  expect(names(['upload.pdf'])).toEqual([]);
});
