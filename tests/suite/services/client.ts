/** A client alone, without network: its calls meet what nock answers. */
import type { TestInfo } from '@playwright/test';
import nock from 'nock';
import { minimalRequest } from '../../../generators/bodies/request.ts';
import type { Profile } from '../../../harness/profile/schema.ts';
import type { TokenFile } from '../../../harness/profile/token-file.ts';
import { PeopleRedactor } from '../../../harness/recording/people-redaction.ts';
import { Recorder } from '../../../harness/recording/recorder.ts';
import { Redactor } from '../../../harness/recording/redact.ts';
import { AccessTokens } from '../../../harness/target/access/tokens.ts';
import { Budget } from '../../../harness/target/budgets/calls.ts';
import { RequestBudget } from '../../../harness/target/budgets/requests.ts';
import type { Call } from '../../../harness/target/call.ts';
import { Client } from '../../../harness/target/client.ts';
import type { DispatchParts } from '../../../harness/target/dispatch.ts';
import { HttpSender } from '../../../harness/wire/http.ts';

export const host = 'https://esign.example.com';
/** Path of a type 0 creation. */
export const creation = '/base/_apis/sign/api/v2/requests?type=0';

const offlineSender = () =>
  new HttpSender({ deadlineMs: 30_000, connectMs: 30_000, maxResponseBytes: 4_000_000 });

/** Access tokens of a profile with these settings. */
export function tokensFor(
  auth: Profile['auth'],
  redactor = new Redactor(),
  baseUrl = host,
  file?: TokenFile,
): AccessTokens {
  const sender = offlineSender();
  return new AccessTokens(auth, {
    redactor,
    send: (request) => sender.send(request),
    address: { baseUrl },
    file,
  });
}

type Parts = Partial<Omit<Profile, 'address'>> & { readonly address?: Partial<Profile['address']> };

export function clientIn(
  info: TestInfo,
  { address, ...parts }: Parts = {},
  { budget = new Budget({ inFlight: 4 }), tape }: Pick<Partial<DispatchParts>, 'budget' | 'tape'> = {},
): Client & { readonly recorder: Recorder; readonly redactor: Redactor } {
  const profile: Profile = {
    auth: { kind: 'static', token: 'the-access-token' },
    ...parts,
    address: { baseUrl: `${host}/base/`, ...address },
  };
  const redactor = new Redactor();
  const people = new PeopleRedactor({ profile: {}, runId: 'run', seed: 1 });
  const recorder = new Recorder(redactor, people, info.outputPath());
  const tokens = tokensFor(profile.auth, redactor, profile.address.baseUrl);
  const client = new Client(
    {
      profile,
      sender: offlineSender(),
      budget,
      tape,
      requests: new RequestBudget({ limit: profile.limits?.requests, forMusts: 0 }),
      tokens,
      recorder,
      expiredToken: async () => 'the-expired-token',
    },
    { encoding: 'multipart', field: 'file' },
  );
  return Object.assign(client, { recorder, redactor });
}

export const validBody = minimalRequest({ title: 'A title', documents: ['d-1'] });
/** A type 0 creation. */
export const create: Call = {
  operation: 'createSkeletonRequest',
  purpose: 'judged',
  body: { json: validBody },
};
/** The answer to it. */
export const created = { requestId: 'r-1' };

/** Call it at the top of a test file. */
export function offline(hooks: {
  beforeAll(work: () => void): void;
  afterEach(work: () => void): void;
  afterAll(work: () => void): void;
}): void {
  hooks.beforeAll(() => {
    // A file before this one in the same process has restored what nock replaces.
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  hooks.afterEach(() => {
    nock.cleanAll();
  });
  hooks.afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });
}
