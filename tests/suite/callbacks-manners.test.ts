/** Compliant services that send their events in unusual manners: nobody is blamed, and what can be judged is judged. */
import { expect, test } from '@playwright/test';
import { PDFDocument } from 'pdf-lib';
import { checked } from '../../openapi/requirements/catalogue.ts';
import { worst } from '../../record/verdict.ts';
import type { ReferenceOptions } from '../../reference/server.ts';
import { eventFlows } from '../flows/events.ts';
import { mixedRoles } from '../flows/people.ts';
import { changedReference, withSession } from '../proof/session.ts';
import { type Manner, startCallbackRelay, type Told } from './services/callback-relay.ts';
import { deadPort } from './services/loopback.ts';

/** Without the flows that others say the same of: event 1 comes in all of them, and a DOCX as a PDF does. */
const flows = [...eventFlows.filter(({ name }) => /^event [23] alone|^all events/.test(name)), mixedRoles];
/** That nothing comes where no URL was given is no matter of the manner. */
const events = checked
  .map(({ id }) => id)
  .filter((id) => id.startsWith('events.') && id !== 'events.optional');

interface Row {
  readonly title: string;
  readonly manner: Manner;
  readonly dialect?: ReferenceOptions['dialect'];
  /** How long events are waited for; longer than any of them takes, unless told otherwise. */
  readonly arrivalMs?: number;
}

/** Nothing comes for a URL for so long only when all has come, or on a busy machine: both are compliant. */
const holdMs = 1_200;
const asTheyAre = (told: readonly Told[]) => told;
const isTwo = ({ event }: Told) => event === 2;
const without = (...names: readonly string[]) => {
  return (told: readonly Told[]) =>
    told.map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => !names.includes(name))));
};

/** One event 2 that lists all who completed, in the place of one for each. */
function oneForAll(told: readonly Told[]): readonly unknown[] {
  const [first, ...others] = told.filter(isTwo);
  if (!first || others.length === 0) return told;
  const { signatoryId: _, ...rest } = first;
  const signatories = [first, ...others].map(({ signatoryId: id }) => ({ id }));
  return [...told.filter((each) => !isTwo(each) && each.event !== 3), { ...rest, signatories }].concat(
    told.filter(({ event }) => event === 3),
  );
}

const auditTrail = await PDFDocument.create();
auditTrail.addPage().drawText('Audit trail', { x: 56, y: 700 });
const auditTrailBytes = await auditTrail.save();

/** A file of the service's own beside whatever it sends at the end. */
function withAuditTrail(told: readonly Told[]): readonly unknown[] {
  const trail = { name: 'audit-trail.pdf', content: Buffer.from(auditTrailBytes).toString('base64') };
  return told.map((each) => {
    const documents = (each.documents as readonly unknown[] | undefined) ?? [];
    return each.event === 3 ? { ...each, documents: [...documents, trail] } : each;
  });
}

const rows: readonly Row[] = [
  {
    title: 'later than the profile lets expect',
    // By so little that those of the first flow have come when the last one is judged, however quick the machine is.
    manner: { holdMs: 2_500, shape: asTheyAre },
    arrivalMs: 2_400,
  },
  {
    title: 'as one list that runs backwards, in an object that names the request',
    manner: {
      holdMs,
      shape: (told) => [
        { requestId: told[0]?.requestId, notifications: without('requestId')(told).toReversed() },
      ],
    },
  },
  {
    title: 'each twice, and the first ones again after the last one, with nothing that tells them apart',
    manner: { holdMs, shape: (told) => without('deliveryId')([...told, ...told.slice(0, 2)]) },
    dialect: { callbackTwice: true, callbackTime: 'none', requestReceivedAt: 'created' },
  },
  {
    title: 'event 1 for each of the people, those who receive a copy included',
    manner: {
      holdMs,
      shape: (told) =>
        told
          .flatMap((each) => (each.event === 1 ? [each, each] : [each]))
          .concat(told.filter(({ event }) => event === 1)),
    },
  },
  {
    title: 'with a PDF that nobody asked for and that is none of the documents',
    manner: { holdMs: 0, shape: withAuditTrail },
  },
  {
    title: 'one event 2 for all who completed',
    manner: { holdMs: 2_500, shape: oneForAll },
    arrivalMs: 6_000,
  },
];

/** What is said about the events of a service that sends them so. */
async function judged({ manner, dialect, arrivalMs = 120_000 }: Row) {
  const port = await deadPort();
  const relay = await startCallbackRelay(`http://127.0.0.1:${port}`, manner);
  const grace = { arrivalMs, silenceMs: 300 };
  const start = () =>
    changedReference(dialect ? { dialect } : {}, ({ callbacks, address }) => ({
      callbacks: { ...callbacks, listen: { port }, publicUrl: relay.baseUrl, grace },
      // A busy machine is nobody's fault.
      address: { ...address, deadlineMs: 60_000 },
    }));
  const said = await withSession(start, { runId: 'manners', flows }, (session) =>
    Promise.all(
      events.map(async (id) => {
        const { rows: found } = await session.evidence(id);
        const verdict = found.length === 0 ? 'could-not-run' : worst(found.map((row) => row.verdict));
        const why = found.flatMap((row) =>
          row.verdict === 'passed' ? [] : [`${row.title}: ${row.message}`],
        );
        return { id: id.replace('events.', ''), verdict, why };
      }),
    ),
  );
  await relay.close();
  return {
    blamed: said.flatMap(({ id, verdict, why }) =>
      verdict === 'failed' ? [`${id}: ${why.join('; ')}`] : [],
    ),
    open: said.flatMap(({ id, verdict }) => (verdict === 'could-not-run' ? [id] : [])),
  };
}

test('events are judged, and nobody is blamed, in whatever manner they come', async () => {
  // Side by side: most of their time is waiting.
  const found = await Promise.all(rows.map(async (row) => [row.title, await judged(row)] as const));
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(rows.map(({ title }) => [title, { blamed: [], open: [] }])),
  );
});
