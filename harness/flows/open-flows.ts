/** Puts together what flows need: the listener, the outbox and the driver of the profile. */
import { rm } from 'node:fs/promises';
import { CouldNotRun } from '../../record/errors.ts';
import { temporaryFolder } from '../../record/files.ts';
import { identify } from '../callbacks/decode.ts';
import {
  deafListener,
  type Listener,
  ListenerError,
  startListener,
  type Way,
} from '../callbacks/listener.ts';
import { type SelfCall, selfCall } from '../callbacks/self-call.ts';
import { difference } from '../judging/sequence/unexpected.ts';
import { createDriver } from '../people/create-driver.ts';
import { type SigningTask, uselessDriver } from '../people/driver.ts';
import { createOutbox } from '../people/outbox.ts';
import type { MakeCall } from '../people/template-call.ts';
import { graceDefaults } from '../profile/callback-settings.ts';
import { limits } from '../untrusted/limits.ts';
import type { FlowParts } from './flow-parts.ts';
import { rememberingDriver } from './resuming/remembering-driver.ts';

export interface OpenFlows {
  readonly parts: FlowParts;
  readonly listener: Listener;
  /** Whether the listener was reached by its public URL; false where it has none. */
  readonly reached: boolean;
  /** Closes listener and driver. What was delivered cannot be read after that. */
  close(): Promise<void>;
}

type Given = Pick<
  FlowParts,
  'client' | 'profile' | 'facts' | 'firstUpload' | 'called' | 'waiting' | 'clean' | 'stages' | 'learned'
> & {
  /** Folder of the profile: paths in it are relative to this folder. */
  readonly profileDir: string;
  /** Takes warnings for the user. */
  readonly warn: (text: string) => void;
  /** Takes the exchanges whose answers have messages to other people. */
  readonly withhold: (index: number) => void;
  /** Gives the listener of a replay; absent if the target itself calls back. */
  readonly replay?: (() => Listener) | undefined;
};

/** Each followed link counts as at least so many bytes: one callback may name hundreds of links to somebody else's host. */
const leastLinkedBytes = 256 * 1024;

/** @throws CouldNotRun when a resumed run cannot listen for the callbacks of what people still have to do */
export async function openFlows({ profileDir, warn, withhold, replay, ...given }: Given): Promise<OpenFlows> {
  const { client, profile, waiting, stages } = given;
  const settings = profile.callbacks ?? {};
  const call: MakeCall = async (template, variables, name) => {
    const answer = await client.template(name, template, variables);
    // Nothing will be sent any more. Without this error, callers would ask again and again.
    const { failure, index } = answer.exchange;
    if (failure?.code === 'NOT_SENT') throw new CouldNotRun(failure.message);
    return { ...answer, bytes: client.bytesOf(answer), index };
  };
  const outbox = createOutbox(profile.outbox ?? {}, call, given.learned, withhold);
  const created: NonNullable<Awaited<ReturnType<typeof createDriver>>> =
    replay && profile.signing && profile.signing.driver !== 'http'
      ? uselessDriver(
          // A recording has no acts of people on pages, by hand or in a module of the user.
          `signing.driver ${profile.signing.driver} is outside of a recording: only calls and callbacks are replayed`,
        )
      : ((await createDriver(profile, { call, outbox, profileDir })) ??
        // Exploring still makes requests in which nobody acts.
        uselessDriver('the profile has no signing'));
  const flows: FlowParts['flows'] = new Map();
  const driver = waiting ? rememberingDriver(created, waiting, whose) : created;
  // Deliveries carry signed documents: they are read during the run, and removed at its end.
  const folder = placeForDeliveries();
  const forget = () => rm(folder, { recursive: true, force: true });
  const opened = replay?.() ?? (await listen());
  const called =
    settings.publicUrl && !replay && opened.deaf === undefined ? await selfCall(opened) : undefined;
  const listener = called ? { ...opened, way: wayOf(called) } : opened;
  if (called?.reached === false)
    warn(`callbacks.publicUrl: ${called.message}; the target may reach it all the same`);
  let linkedBytes = 0;
  const parts: FlowParts = {
    ...given,
    driver,
    outbox,
    listener,
    settings,
    grace: { ...graceDefaults, ...settings.grace },
    requestIds: new Set(),
    flows,
    looking: {},
    sending: {},
    fetchLink: async (url, name = 'callback attachment') => {
      if (linkedBytes >= limits.linkedBytes.most)
        throw new CouldNotRun('no further link is followed: those of callbacks and messages led to too much');
      linkedBytes += leastLinkedBytes;
      // The link is a variable, since a URL in a template counts as one that the profile names.
      const answer = await client.template(name, { method: 'GET', url: '{link}' }, { link: url });
      const bytes = answer.status === 200 ? client.bytesOf(answer) : null;
      linkedBytes += Math.max(0, (bytes?.length ?? 0) - leastLinkedBytes);
      return bytes;
    },
  };
  if (!replay && listener.deaf === undefined) void relay();
  return {
    parts,
    listener,
    reached: called?.reached ?? false,
    close: async () => {
      for (const problem of listener.problems()) stages.note('the listener', problem);
      await stages.run('the listener', () => listener.close(), null);
      await stages.run('the driver', () => driver.close(), null);
      await stages.run('the folder of deliveries', forget, null);
    },
  };

  /** Gives callbacks that a signing module fetched elsewhere to the listener, as if the target had sent them there. */
  async function relay(): Promise<void> {
    for await (const delivery of driver.deliveries?.(warn) ?? []) {
      const { pathname, search } = new URL(delivery.url, listener.localUrl);
      const headers = delivery.headers.filter(
        ([name]) => !/^(host|content-length|connection|transfer-encoding)$/i.test(name),
      );
      const body = /^(GET|HEAD)$/.test(delivery.method) ? undefined : (delivery.body as BodyInit);
      await fetch(`${listener.localUrl}${pathname}${search}`, {
        method: delivery.method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        ...(body === undefined ? {} : { body }),
      }).catch((error: unknown) => warn(`a delivery of the signing module was not taken: ${String(error)}`));
    }
  }

  function whose({ requestId, email }: SigningTask) {
    const flow = flows.get(requestId);
    if (!flow) return undefined;
    const signatory = flow.tasks.findIndex((task) => task?.email === email);
    return { flow: flow.definition.name, signatory };
  }

  async function listen(): Promise<Listener> {
    try {
      const listener = await startListener({
        folder,
        // The callback URLs that the earlier run gave the target have this port.
        port: waiting?.port,
        ...settings.listen,
        ...settings,
        secretOf: waiting && ((name: string) => waiting.keys.addressOf(name)),
        identify: (message, requestIds) => identify(message, settings, requestIds),
      });
      waiting?.listensOn(Number(new URL(listener.localUrl).port));
      return listener;
    } catch (error) {
      // Without callbacks, what people do can still be judged. But a resumed run would lose the callbacks that it waits for.
      if (error instanceof ListenerError && !waiting?.resumed) return deafListener(error);
      await driver.close();
      await forget();
      throw new CouldNotRun((error as Error).message);
    }
  }
}

const wayOf = (called: SelfCall): Way =>
  called.reached
    ? { changes: difference(new URL(called.url), called.target) }
    : { redirects: called.redirects };

/** @throws CouldNotRun */
function placeForDeliveries(): string {
  try {
    return temporaryFolder();
  } catch (error) {
    throw new CouldNotRun(
      `nowhere to keep callbacks while they are read: ${(error as Error).message}; TMPDIR names the place`,
    );
  }
}
