/** Callbacks: judged from the flows of the run, each a request from upload to completion. */
import { covers } from '../running/covers.ts';
import { test } from '../running/fixtures.ts';

test('event 1 arrives where it is subscribed to', covers('events.request-received'), async ({ evidence }) => {
  await evidence.holds();
});

test(
  'event 2 arrives for every signer who completed',
  covers('events.signatory-completed'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test(
  'event 3 arrives when everybody has completed',
  covers('events.process-completed'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test('code 0 brings all events', covers('events.all'), async ({ evidence }) => {
  await evidence.holds();
});

test(
  'no event arrives that was not subscribed to',
  covers('events.only-subscribed'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test(
  'callbacks go to CallbackUrl with its query string',
  covers('events.to-callback-url'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test(
  'a request without CallbackUrl works, and nothing is sent for it',
  covers('events.optional'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test(
  'no event 2 arrives before its signatory acted',
  covers('events.signatory-completed-after-action'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test(
  'event 3 does not arrive before the last signatory acted',
  covers('events.process-completed-last'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test('event 1 arrives before event 2', covers('events.received-before-signatures'), async ({ evidence }) => {
  await evidence.holds();
});

test(
  'event 2 of every signer arrives before event 3',
  covers('events.signatures-before-completed'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test('event 1 arrives before event 3', covers('events.request-received-first'), async ({ evidence }) => {
  await evidence.holds();
});

test('no event 2 arrives for a CC', covers('events.none-for-cc'), async ({ evidence }) => {
  await evidence.holds();
});

test(
  'the final callback carries the signed PDFs',
  covers('events.documents-attached'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test(
  'no callback carries PDFs that were not asked for',
  covers('events.documents-not-attached'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);
