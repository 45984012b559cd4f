/** Signs on the signing page in a browser: opens it as the person, enters codes, and acts. */
import { stripVTControlCharacters } from 'node:util';
import { monotonicMs } from '../../record/clock.ts';
import type { PageSettings } from '../profile/signing-settings.ts';
import { fill, inUrl } from '../profile/template.ts';
import { inTurn } from '../target/budgets/pause.ts';
import { withinTime } from '../untrusted/deadline.ts';
import { type Depth, depthOfHost, tooDeepWords } from '../untrusted/networks.ts';
import { type Chromium, NoBrowser } from './chromium.ts';
import { inTurnByNumber } from './codes.ts';
import {
  type Act,
  type ActOutcome,
  type Codes,
  type EnteredCodes,
  type PageView,
  type SigningDriver,
  type SigningTask,
  unknown,
} from './driver.ts';
import { type OutboxReader, whyNoLink } from './outbox.ts';
import { signOn } from './sign-on-page.ts';
import { SigningPage, stepMs } from './signing-page.ts';

interface BrowserDriverParts {
  readonly settings: PageSettings;
  readonly baseUrl: string;
  readonly outbox: OutboxReader;
  /** How long a fresh signatory's page may be answered with 404. */
  readonly readyMs: number;
  readonly chromium: Chromium;
}

/** Time for all steps on a page together; waiting for messages is not counted. */
const pageMs = 60_000;
/** Pages that are open at the same time; with more of them, all together would take longer. */
const pagesAtOnce = 3;
/** Hosts that are told where a page is kept from them: it may ask for thousands. */
const hostsTold = 3;

export function createBrowserDriver(parts: BrowserDriverParts): SigningDriver {
  const { settings, baseUrl, outbox, readyMs, chromium } = parts;
  const oneByOne = inTurn();
  const alone = inTurnByNumber();
  let depth: Promise<Depth> | undefined;
  let opened = 0;

  /** Runs `work` with the page of the person, in a context of its own; `failed` when that is not possible. */
  async function withPage<T>(
    task: SigningTask,
    work: (page: SigningPage, startMs: number, failed: (reason: string) => T) => Promise<T>,
    failure: (reason: string) => T,
  ): Promise<T> {
    const kept = new Set<string>();
    const failed = (reason: string) =>
      failure(kept.size === 0 ? reason : `${reason}; it asks for ${[...kept].join(', ')}: ${tooDeepWords}`);
    const address = await addressOf(task);
    if (address === undefined) {
      const nowhere = 'the profile has neither signing.page.url nor outbox.email';
      if (!outbox.reads('email')) return failed(`where the signing page is, is not known: ${nowhere}`);
      return failed(whyNoLink(task, outbox));
    }
    opened += 1;
    return oneByOne(`page ${opened % pagesAtOnce}`, async () => {
      try {
        depth ??= depthOfNamed([baseUrl, settings.url ?? '']);
        const context = await chromium.context(
          await depth,
          (host) => kept.size < hostsTold && kept.add(host),
        );
        const use = async () => {
          const page = await SigningPage.in(context, settings);
          const startMs = monotonicMs();
          const done = async () => {
            const problem = (await page.open(address, readyMs)) ?? (await page.ready());
            return problem === undefined ? work(page, startMs, failed) : failed(problem);
          };
          return Promise.race([page.left.then(failed), done()]);
        };
        const ms = pageMs + 2 * outbox.waitMs;
        const late = () => failed(`the signing page was not done with after ${ms / 1000} s`);
        try {
          return await withinTime(ms, use(), late);
        } finally {
          // A browser that has ended has closed it.
          const closed = context.close().catch(() => undefined);
          await withinTime(stepMs, closed, () => undefined);
        }
      } catch (error) {
        return failed(whyUnusable(error));
      }
    });
  }

  async function addressOf(task: SigningTask): Promise<string | undefined> {
    if (settings.url === undefined) return outbox.link(task);
    const { requestId, signatoryId = '', email } = task;
    const url = fill(settings.url, { requestId, signatoryId, email }, inUrl);
    return url.startsWith('/') ? baseUrl.replace(/\/+$/, '') + url : url;
  }

  function attempt(task: SigningTask, act: Act, codes: Codes | EnteredCodes): Promise<ActOutcome> {
    // A page that breaks off may do so after the act.
    let mayBeDone = false;
    return withPage<ActOutcome>(
      task,
      async (page, startMs, failed) => {
        mayBeDone = true;
        const came = await signOn(page, { task, act, codes, settings, outbox });
        if (came.kind === 'unknown') {
          mayBeDone = came.mayBeDone === true;
          return failed(came.reason);
        }
        return { ...came, at: { startMs, endMs: monotonicMs() }, exchanges: [] };
      },
      (reason) => ({ ...unknown(reason), mayBeDone: mayBeDone || undefined }),
    );
  }

  return {
    shows: true,

    alone,

    act: (task, act, codes) => alone(task, () => attempt(task, act, codes)),

    enter: attempt,
    // A page without a control for it may send a code when it is opened; then nobody knows whether it did.
    requestOtp: (task) =>
      withPage<boolean>(
        task,
        async (page) => {
          if (!(await page.shows('requestOtp'))) return false;
          await page.click('requestOtp');
          return true;
        },
        () => false,
      ),

    view: (task) =>
      withPage<PageView>(
        task,
        async (page) => {
          const document = settings.document ? { document: await page.shows('document') } : {};
          const [text, source] = [await page.text(), await page.source()];
          return { kind: 'seen', text, source, ...document, exchanges: [] };
        },
        (reason) => unknown(reason),
      ),

    close: () => chromium.close(),
  };
}

/** How far inside of networks the hosts of these URLs lie: pages may lead as far, and no further. */
async function depthOfNamed(urls: readonly string[]): Promise<Depth> {
  const hosts = urls.flatMap((url) => (URL.canParse(url) ? [new URL(url).hostname] : []));
  const depths = await Promise.all(hosts.map(depthOfHost));
  return Math.max(0, ...depths) as Depth;
}

/** Messages of Chromium and Playwright about pages that cannot be used, and our words for each. */
const inPlainWords: readonly (readonly [RegExp, string])[] = [
  [/Download is starting/, 'a file is downloaded in its place, which is not taken'],
  [/ERR_TOO_MANY_REDIRECTS/, 'it redirects without end'],
  [/ERR_UNSAFE_REDIRECT/, 'it redirects to an address that is none of the web'],
  [/page\.goto: Timeout/, `it was not loaded within ${stepMs / 1000} s`],
  [/Target crashed|Page crashed/, 'it crashed'],
];

function whyUnusable(error: unknown): string {
  const { message } = error as Error;
  if (error instanceof NoBrowser) return message;
  // Playwright colours its messages and adds a log.
  const [first = ''] = stripVTControlCharacters(message).split('\n');
  const plain = inPlainWords.find(([pattern]) => pattern.test(first))?.[1];
  return `the signing page could not be used: ${plain ?? first}`;
}
