/** The frame of every page: a head with its style, and a body; hono/html escapes all values. */
import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Call } from '../service.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const style = ['../../reports/page/design.css', './pages.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n');

interface PageOptions {
  readonly status?: number;
  /** Another origin to which the answer to a form of the page redirects. */
  readonly leadsTo?: string;
  /** The only script that may run on the page, and its SHA-256 in base64; without it no script may. */
  readonly own?: { readonly script: string; readonly scriptHash: string };
}

/** A page as an answer. Nothing of other origins is loaded. */
export async function page(title: string, body: Html, options: PageOptions = {}): Promise<Response> {
  const { status = 200, leadsTo = '', own } = options;
  const scripts = own ? ` script-src 'sha256-${own.scriptHash}'; connect-src 'self';` : '';
  const text = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${raw(style)}</style></head><body>${body}${own ? html`<script>${raw(own.script)}</script>` : ''}</body></html>`;
  return new Response(text.toString(), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline';${scripts} form-action 'self' ${leadsTo}; frame-ancestors 'none'; base-uri 'none'`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    },
  });
}

/** A name or a title that somebody gave: its language is unknown, and its script may run in another direction. */
export const foreignText = (text: string): Html => html`<bdi lang="">${text}</bdi>`;

/** What a reader wants to see of the lists on a page. */
export interface Look {
  /** Words that an entry has to have, in whatever case. */
  readonly find: string;
  /** How many entries of a list, the newest. */
  readonly show: number;
}

const mostShown = 10_000;

/** Reads `?find=…&show=…`. */
export function lookOf(call: Call, usual: number): Look {
  const show = Math.trunc(Number(call.req.query('show') ?? usual));
  return { find: call.req.query('find') ?? '', show: show > 0 ? Math.min(show, mostShown) : usual };
}

/** The search field of a page; works without a script. */
export function finder({ find }: Look): Html {
  return html`<form method="get" role="search"><label for="find">Find</label><input id="find" name="find" type="search" value="${find}" placeholder="name, id, path, status …"> <button type="submit">Find</button></form>`;
}

/** A list under its title, the newest first, with a way to older entries. */
export function newest<Entry>(
  title: string,
  all: readonly Entry[],
  { find, show }: Look,
  tableOf: (entries: readonly Entry[]) => Html,
): Html {
  const wanted = find.toLowerCase().split(/\s+/);
  const found = all.filter((each) => {
    // Only values are searched, since every entry has the same field names.
    const text =
      find === ''
        ? ''
        : JSON.stringify(each)
            .replaceAll(/"\w+":/g, '')
            .toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const anchor = title.toLowerCase();
  const left = found.length - show;
  const older = `?${new URLSearchParams({ ...(find === '' ? {} : { find }), show: String(show * 5) })}#${anchor}`;
  const none = find === '' ? 'Nothing yet.' : 'Nothing has these words.';
  return html`<section id="${anchor}"><h2>${title}</h2>${found.length > 0 ? tableOf(found.slice(0, show)) : html`<p class="quiet">${none}</p>`}${left > 0 ? html`<p><a href="${older}">Older</a> <span class="quiet">${left} more</span></p>` : ''}</section>`;
}

const people = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** `22 Nov 2026, 05:24:30 UTC`; programs read the attribute. */
export function shownTime(ms: number): Html {
  const at = new Date(ms);
  return html`<time datetime="${at.toISOString()}">${people.format(at)} UTC</time>`;
}
