/** A requirement that has not passed, in words: what was sent, expected and received, and where to look. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { counted } from '../../record/counted.ts';
import { curlOf } from '../../record/curl.ts';
import type { Exchange } from '../../record/exchange.ts';
import { grouped } from '../../record/grouped.ts';
import { inLine } from '../../record/visible.ts';
import { confirmationWords } from '../concluding/confirmation.ts';
import { allOf, column } from '../concluding/outcome.ts';
import { scriptFolder, scriptNames } from '../reproduce/scripts.ts';
import { deciding, decisive, decisiveExchange } from '../run/decisive.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { firstLine } from '../run/words.ts';

/** Requirements with the same explanation, which is printed once. */
export interface Explanation {
  readonly requirements: readonly RunRequirement[];
  readonly lines: readonly string[];
}

/** The id line: `otp.mobile-required  (must, "OTP object")`. */
export function heading(requirement: RunRequirement): string {
  return inLine(`${requirement.id}  (${requirement.level}, "${requirement.section}")`);
}

const maximum = (key: string) => `no maximum is shown: if the target has one, ${key} in the profile says so`;

/** What a key of the profile would say, where a compliant target may fail without it. */
const unsaid: Partial<Record<string, string>> = {
  'skeleton.several-documents': maximum('limits.documents'),
  'stamping.several-documents': maximum('limits.documents'),
  'signatory.many': maximum('limits.signatories'),
  'skeleton.callback-url':
    'a target may take no URL that it cannot reach: callbacks.placeholderUrl in the profile names one that it takes',
} satisfies Partial<Record<RequirementId, string>>;

export function unsaidWords({ id, verdict }: Pick<RunRequirement, 'id' | 'verdict'>): string[] {
  const words = verdict === 'failed' ? unsaid[id] : undefined;
  return words ? [words] : [];
}

/** The lines below the heading: each row with the requirement's verdict, its request, message, command and exchange. */
export function explain(requirement: RunRequirement, run: Run): string[] {
  const lines = deciding(requirement).checks.flatMap((check) =>
    [
      ...linesOf(check.message),
      ...check.rows
        .filter((each) => each.verdict === check.verdict)
        .flatMap((row) => {
          const exchange = decisiveExchange(row, run);
          const first = exchange ? `${requestLine(exchange)}   ${row.title}` : row.title;
          const last = exchange && [
            `reproduce: ${curlOf(exchange.request)}`,
            `exchange ${exchange.index} in run.json / exchanges.har`,
          ];
          return [first, ...linesOf(row.message), ...(last ?? [])];
        }),
      confirmationWords(check) ?? [],
    ].flat(),
  );
  return lines.length === 0 ? linesOf(requirement.reason) : [...lines, ...unsaidWords(requirement)];
}

const linesOf = (text: string | undefined) => (text ? text.split('\n') : []);

/** The same in two lines for the terminal: the first row with the answer that decided, and the script for it. */
export function brief(requirement: RunRequirement, run: Run): string[] {
  const { checks, rows, says } = deciding(requirement);
  const [row] = rows;
  const exchange = row && decisiveExchange(row, run);
  const title = [exchange ? requestLine(exchange) : '', row?.title ?? ''].filter(Boolean).join(' · ');
  const names = decisive(requirement, run) ? scriptNames(requirement.id) : null;
  const more = rows.length - 1;
  const where = [
    ...(names ? [`${scriptFolder}/${names.sh}`] : []),
    ...(exchange ? [`exchange ${exchange.index}`] : []),
    ...(more > 0 ? [`and ${counted(more, 'more row')}`] : []),
    ...checks.flatMap((check) => confirmationWords(check) ?? []).slice(0, 1),
    ...unsaidWords(requirement),
  ];
  return [[title, firstLine(says)].filter(Boolean).join(': '), where.join(' · ')].filter(Boolean);
}

/** The explanations of all requirements with a verdict. Equal errors of the suite, such as a file that crashed, are put together. */
export function explanations(run: Run, verdict: 'failed' | 'error'): Explanation[] {
  const found = allOf(run).filter((each) => column(each) === verdict);
  const alike = grouped(found, ({ id, reason = id }) => (verdict === 'error' ? reason : id));
  return [...alike.values()].map((requirements) => ({
    requirements,
    lines:
      requirements.length > 1
        ? linesOf(requirements[0]?.reason)
        : requirements.flatMap((each) => explain(each, run)),
  }));
}

/** `POST …/signatories`: the method and the last segment of the path. */
function requestLine(exchange: Exchange): string {
  const path = exchange.request.url.split(/[?#]/, 1)[0] ?? '';
  return `${exchange.request.method} …${path.slice(path.lastIndexOf('/'))}`;
}
