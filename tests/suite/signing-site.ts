/** A small signing page on loopback, and the browser driver that is told of its selectors. */
import { createBrowserDriver } from '../../harness/people/browser.ts';
import type { Chromium } from '../../harness/people/chromium.ts';
import type { SigningDriver } from '../../harness/people/driver.ts';
import { createOutbox } from '../../harness/people/outbox.ts';
import {
  type Mail,
  mailpit,
  mailpitSettings,
  mailpitSmsSettings,
  type Reply,
  type Seen,
  withService,
} from './signing-people.ts';

export const selectors = {
  ready: 'main',
  requestOtp: 'text=Send me a code',
  otp: 'input.otp',
  accessCode: '#access',
  sign: 'role=button[name=Sign]',
  approve: 'button.approve',
  done: '.done',
  refused: '.refused',
  document: 'a.document',
};

export interface Site {
  readonly page: (seen: Seen) => Reply | Promise<Reply> | undefined;
  readonly mails?: readonly Mail[];
  /** Whether SMS can be read. */
  readonly sms?: boolean;
  /** `null`: the link in the e-mail leads to the page. */
  readonly url?: string | null;
  readonly submitCodes?: string;
  readonly readyMs?: number;
}

/** Runs `work` with a driver for the site. */
export function withSite(
  chromium: Chromium,
  { page, mails = [], sms = false, url = '/sign/{signatoryId}', submitCodes, readyMs = 200 }: Site,
  work: (driver: SigningDriver, seen: readonly Seen[], baseUrl: string) => Promise<void>,
): Promise<void> {
  return withService(
    (seen) => mailpit(mails, seen) ?? page(seen),
    async ({ baseUrl, call, seen }) => {
      const settings = {
        ...selectors,
        ...(url === null ? {} : { url }),
        ...(submitCodes === undefined ? {} : { submitCodes }),
      };
      const mailboxes = { email: mailpitSettings, ...(sms ? { sms: mailpitSmsSettings } : {}) };
      const outbox = createOutbox({ ...mailboxes, waitMs: 300 }, call);
      await work(createBrowserDriver({ settings, baseUrl, outbox, readyMs, chromium }), seen, baseUrl);
    },
  );
}

export function html(inside: string): Reply {
  return { body: `<!doctype html><main><h1>Contract</h1>${inside}</main>` };
}

export function form(inside: string): Reply {
  return html(`<form method="post">${inside}<button>Sign</button></form>`);
}

export const done = html('<p class="done">Thank you.</p>');
export const refused = html('<p class="refused">It is not your turn.</p>');
