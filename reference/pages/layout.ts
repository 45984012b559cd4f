/** The frame of every page: a head with its style, and a body; everything in it is escaped by hono/html. */
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
label,button,input{display:block;font:inherit}input,button{margin:.25rem 0 1rem;padding:.4rem .8rem}
table{border-collapse:collapse;width:100%}td,th{border:1px solid #8888;padding:.4rem;text-align:left;vertical-align:top}
pre{white-space:pre-wrap;margin:0;font:inherit}.note{border-left:.3rem solid #b80;padding-left:1rem}
@media(prefers-color-scheme:dark){:root{color-scheme:dark}}`;

/**
 * A page as an answer. Nothing of other origins is loaded and no script runs.
 * @param leadsTo another origin to which the answer to a form of the page redirects
 */
export async function page(title: string, body: Html, status = 200, leadsTo = ''): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style></head><body>${body}</body></html>`;
  return new Response(text.toString(), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self' ${leadsTo}; frame-ancestors 'none'; base-uri 'none'`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    },
  });
}
