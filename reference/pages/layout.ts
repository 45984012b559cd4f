/** The frame of every page: a head with its style, and a body; everything in it is escaped by hono/html. */
import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const style = ['../../reports/page/design.css', './pages.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n');

export interface PageOptions {
  readonly status?: number;
  /** Another origin to which the answer to a form of the page redirects. */
  readonly leadsTo?: string;
  /** The one script that runs on it, and its SHA-256 in base64; without it none does. */
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

/** A name or a title as somebody gave it: in a language that nobody knows, and in the direction of its script. */
export function said(text: string): Html {
  return html`<bdi lang="">${text}</bdi>`;
}

const people = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** `22 Nov 2026, 05:24:30 UTC`; programs read the attribute. */
export function timeOf(ms: number): Html {
  const at = new Date(ms);
  return html`<time datetime="${at.toISOString()}">${people.format(at)} UTC</time>`;
}
