/** Serves the page of manual signing on loopback, at an address that cannot be guessed. */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { listening } from '../wire/listening.ts';
import type { ManualAnswer } from './manual-task.ts';

export interface ManualServer {
  readonly url: string;
  close(): Promise<void>;
}

interface ManualServing {
  page(): Promise<string>;
  /** Answers a task. An answer that comes too late, twice, or to no task changes nothing. */
  answer(number: number, answer: ManualAnswer): void;
}

const answers: readonly ManualAnswer[] = ['done', 'refused', 'could-not'];
const bodyMost = 1024;
/** The page links to the target, which must not learn the page's address; the page loads nothing. */
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

export async function startManualServer(serving: ManualServing): Promise<ManualServer> {
  // Other people on this machine can reach the port too.
  const home = `/${randomBytes(16).toString('hex')}/`;
  const app = new Hono();
  const { port, close } = await listening(
    http.createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false })),
  );
  const own = `127.0.0.1:${port}`;
  // Only a browser at the page itself may call: no other host name that leads here (DNS rebinding), and no other site that
  // posts. Origin alone does not tell, since a page without referrer posts with `null`.
  app.use(async ({ req, body }, next) => {
    const { host, 'sec-fetch-site': site = 'none', origin = 'null' } = req.header();
    const isOwn = host === own && ['same-origin', 'none'].includes(site);
    return isOwn && ['null', `http://${own}`].includes(origin) ? next() : body(null, 403);
  });
  app.get(home, async ({ html }) => html(await serving.page(), 200, headers));
  app.post(
    `${home}tasks/:number{\\d{1,6}}`,
    bodyLimit({ maxSize: bodyMost }),
    async ({ req, body, redirect }) => {
      const given = new URLSearchParams(await req.text()).get('answer');
      const answer = answers.find((each) => each === given);
      if (answer === undefined) return body(null, 400);
      serving.answer(Number(req.param('number')), answer);
      return redirect(home, 303);
    },
  );
  return { url: `http://${own}${home}`, close };
}
