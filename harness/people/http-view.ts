/** What a signatory is shown, fetched by calls of the profile: the page or its data, and the document. */

import { headerOf } from '../../record/exchange.ts';
import type { CallTemplate } from '../profile/parts.ts';
import { shownText } from '../untrusted/html.ts';
import { readPdf } from '../untrusted/pdf/completed.ts';
import type { PageView, SigningDriver, SigningTask } from './driver.ts';
import type { ReadableOutbox } from './outbox.ts';
import {
  meaningOf,
  type TemplateAnswer,
  type TemplateCall,
  toldAnswer,
  uses,
  variablesOf,
} from './template-call.ts';

export interface HttpViewParts {
  readonly view: CallTemplate;
  readonly viewDocument: CallTemplate | undefined;
  readonly call: TemplateCall;
  readonly outbox: ReadableOutbox | null;
}

/** A driver that acts as the given one, and can be asked what a signatory is shown. */
export function withHttpView(driver: SigningDriver, parts: HttpViewParts): SigningDriver {
  return { ...driver, shows: true, view: (task) => view(task, parts) };
}

async function view(
  task: SigningTask,
  { view: page, viewDocument, call, outbox }: HttpViewParts,
): Promise<PageView> {
  const exchanges: number[] = [];
  const unknown = (reason: string): PageView => ({ kind: 'unknown', reason, exchanges });
  const needsLink = uses(page, 'link') || (viewDocument !== undefined && uses(viewDocument, 'link'));
  const link = needsLink ? await outbox?.link(task) : '';
  if (link === undefined) return unknown('no link to the signing page was found in the outbox');
  const variables = { ...variablesOf(task), link };
  const ask = async (template: CallTemplate, name: string): Promise<TemplateAnswer> => {
    const answer = await call(template, variables, name);
    exchanges.push(answer.index);
    return answer;
  };
  if (task.signatoryId === undefined && uses(page, 'signatoryId')) {
    return unknown('calls.view names the signatory, for whom the target gave no id');
  }
  const shown = await ask(page, 'calls.view');
  if (meaningOf(shown.status, page) !== 'accepted') return unknown(toldAnswer('calls.view', shown));
  const text = shownText(shown.text);
  // A call that names the signatory cannot be made where the target gave no id for one.
  const nameless = viewDocument && task.signatoryId === undefined && uses(viewDocument, 'signatoryId');
  if (!viewDocument || nameless) return { kind: 'seen', text, exchanges };
  const file = await ask(viewDocument, 'calls.viewDocument');
  const document = meaningOf(file.status, viewDocument) === 'accepted' && (await documentIn(file));
  return { kind: 'seen', text, exchanges, ...(document || { document: false }) };
}

/** A PDF, or a picture of a page; false for anything else. */
async function documentIn({ bytes, headers }: TemplateAnswer) {
  const reading = await readPdf(bytes);
  if (reading.readable) return { document: true, documentText: reading.text };
  const mediaType = headerOf(headers, 'content-type') ?? '';
  return mediaType.startsWith('image/') && { document: true };
}
