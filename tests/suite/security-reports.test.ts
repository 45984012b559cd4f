/** A run.json of a stranger with something hostile in every text of it: whatever is rendered from it shows it, and does no more. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { TSchema } from '@sinclair/typebox';
import { XMLValidator } from 'fast-xml-parser';
import { Parser } from 'htmlparser2';
import { parse } from 'yaml';
import { valueAt } from '../../openapi/json-pointer.ts';
import { visible } from '../../record/visible.ts';
import { draftDeviations } from '../../reports/accepted/deviations-file.ts';
import { compareRuns } from '../../reports/comparison/compare-runs.ts';
import { comparisonPage } from '../../reports/comparison/comparison.ts';
import { writeReports } from '../../reports/ending/write.ts';
import { type Run, runSchema } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { driftMarkdown, driftText } from '../../reports/texts/drift-text.ts';
import { workflowCommands } from '../../reports/texts/github.ts';
import { terminalText } from '../../reports/texts/terminal.ts';
import { gapsMarkdown } from '../../reports/ticket/gaps-markdown.ts';
import { gapTicket, ticket } from '../../reports/ticket/ticket.ts';
import { exchange, record, results, run } from './reports-sample.ts';

/** What texts without a pattern of their own are made of. */
const evils = {
  markup: `<img src=x onerror=alert(1)>"'> [l](http://evil.example) </script><script>alert(1)</script> ]]> -->`,
  lines:
    'x\n\ntouch owned\n::error::x\n##vso[task.x]y\n```\n<b>hi</b>\n[l](http://evil.example)\n- a: b\nc: d',
  'what is linked': 'a @somebody b https://evil.example/ c|www.evil.example|d x@evil.example',
  shell: `'; touch owned; "; touch owned; $(touch owned) \`touch owned\``,
  'names of files': '../../../owned',
  'what nobody sees': 'a\u0000\u001b]0;x\u0007\u007f\u0085\u202e\u2066\u200b\ufeffb',
  'what all objects share': '__proto__',
  'a name that is too long': 'a'.repeat(300),
  nothing: '',
};

/** Samples of texts with a pattern; the rest of a URL is free. */
const patterned: readonly (readonly [start: string, sample: (evil: string) => string])[] = [
  ['^1', () => '1.0'],
  ['^bodies', () => `bodies/${'a'.repeat(32)}.bin`],
  ['^[Hh]', (evil) => `http://127.0.0.1:1/${evil}`],
  ['^[A-Za-z]', () => 'POST'],
  ['^[a-z]+\\.', () => 'constructor.to-string'],
  ['^[a-z]+$', () => 'constructor'],
];

/** A value of a schema in which everything is there that may be, and every text is `evil`. */
function filled(schema: TSchema, evil: string): unknown {
  const { anyOf, properties, items, pattern, format, minLength = 0, minimum } = schema;
  if ('const' in schema) return schema.const;
  if ('$ref' in schema) return filled(valueAt(runSchema, schema.$ref.slice(1)) as TSchema, evil);
  if (anyOf) {
    const some = anyOf as TSchema[];
    const free = some.find((each) => each.type === 'string' && !('const' in each) && !each.pattern);
    return filled(free ?? some.find(({ type }) => type !== 'null') ?? ({} as TSchema), evil);
  }
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((properties ?? {}) as Record<string, TSchema>).map(([key, each]) => [
          key,
          filled(each, evil),
        ]),
      );
    case 'array':
      return [items ?? []].flat().map((each: TSchema) => filled(each, evil));
    case 'string': {
      if (format) return format === 'date' ? '2026-01-02' : '2026-01-02T03:04:05.678Z';
      if (pattern === undefined) return evil.padEnd(minLength, 'x');
      return patterned.find(([start]) => pattern.startsWith(start))?.[1](evil);
    }
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return minimum ?? 0;
  }
}

/** Hostile runs whose one requirement came out in each way. */
function runs(evil: string): Run[] {
  const first = filled(runSchema, evil) as Run;
  const [requirement] = first.requirements;
  if (!requirement) throw new Error('the run has no requirement');
  const { deviation: _, notTestable: __, ...bare } = requirement;
  const [check] = bare.checks;
  const failed = check && [
    {
      ...check,
      verdict: 'failed' as const,
      rows: check.rows.map((row) => ({ ...row, verdict: 'failed' as const })),
    },
  ];
  return [
    first,
    {
      ...first,
      requirements: [{ ...requirement, notTestable: undefined, verdict: 'failed', checks: failed ?? [] }],
    },
    { ...first, requirements: [{ ...bare, verdict: 'failed', checks: failed ?? [] }] },
    { ...first, requirements: [{ ...bare, verdict: 'could-not-run' }] },
    { ...first, requirements: [{ ...bare, verdict: 'error' }] },
  ];
}

/** What of a page would do something: handlers, places that it does not name by itself, elements that load or run. */
function active(page: string): string[] {
  const found: string[] = [];
  let script = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      script = name === 'script';
      if (['img', 'iframe', 'object', 'embed', 'base'].includes(name)) found.push(name);
      for (const [key, value] of Object.entries(attributes))
        if (
          /^on/.test(key) ||
          (/^(href|src|action)$/.test(key) &&
            !/^(#|reproduce\/|bodies\/|report\.css$|data:image\/svg|run-\d\/)/.test(value))
        )
          found.push(`${key}="${value}"`);
    },
    ontext: (text) => script && /alert|owned/.test(text) && found.push(text),
    onclosetag: () => (script = false),
  });
  parser.end(page);
  return found;
}

/** What of a text in Markdown stands neither in code nor with its signs escaped. */
function markup(text: string): string[] {
  let open = '';
  return text.split('\n').filter((line) => {
    const [, mark = ''] = /^(`{3,})[^`]*$/.exec(line) ?? [];
    if (open !== '' || mark !== '') {
      open = open === '' ? mark : line === open ? '' : open;
      return false;
    }
    const bare = line.replaceAll(/(?<![\\`])(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '');
    return /(?<!\\)<(img|b|script|\/script)|(?<!\\)\]\(http:|@|:\/\/evil|www\.|^(touch|::|##v|c: d)/.test(
      bare,
    );
  });
}

const names =
  /^(run\.json|junit\.xml|summary\.md|index\.html|report\.css|badge\.svg|exchanges\.har|observed\.overlay\.yaml|reproduce(\/[a-z.-]+\.(sh|ps1|sequence\.json))?)$/;

for (const [title, evil] of Object.entries(evils)) {
  test(`what is rendered of a run with ${title} in each text shows it, and does no more`, async ({}, info) => {
    for (const [index, each] of runs(evil).entries()) {
      const folder = info.outputPath(String(index));
      const file = join(folder, 'run.json');
      mkdirSync(folder);
      writeFileSync(file, JSON.stringify(each));
      const run = readRun(file);
      writeReports(folder, run);
      const written = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      expect(written.filter((name) => !names.test(name))).toEqual([]);
      const content = (name: string) => readFileSync(join(folder, name), 'utf8');
      const pages = ['run-1/index.html', 'run-2/index.html'];
      for (const shown of [content('index.html'), comparisonPage(compareRuns([run, run]), pages, false)]) {
        expect(active(shown)).toEqual([]);
        expect(visible(shown)).toBe(shown);
      }
      for (const name of ['junit.xml', 'badge.svg', 'summary.md', 'observed.overlay.yaml'])
        if (written.includes(name)) expect(visible(content(name)), name).toBe(content(name));
      for (const name of ['junit.xml', 'badge.svg'])
        if (written.includes(name)) expect(XMLValidator.validate(content(name))).toBe(true);
      expect(Object.keys(JSON.parse(content('exchanges.har')))).toEqual(['log']);
      expect(Object.keys(parse(content('observed.overlay.yaml')))).toEqual(['overlay', 'info', 'actions']);
      const texts = [
        content('summary.md'),
        gapsMarkdown(run),
        ...run.requirements.map((one) => ticket(run, one)),
        ...run.gaps.map((one) => gapTicket(run, one)),
        driftMarkdown(run.drift ?? [], { before: run, after: run }).join('\n'),
      ];
      expect(texts.flatMap(markup)).toEqual([]);
      const drifted = driftText({ before: run, after: run }, run.drift ?? []);
      const onTerminal = [drifted, terminalText(run, (_, text) => text)];
      expect([...texts, ...onTerminal].filter((text) => visible(text) !== text)).toEqual([]);
      // What several lines have to tell, such as an error of the suite, is indented.
      expect(onTerminal.flatMap((text) => text.match(/^(touch|::|##v|c: d).*/gm) ?? [])).toEqual([]);
      // A job may print them, and so tell its CI service to do something.
      for (const text of [content('junit.xml'), content('summary.md')])
        expect(text).not.toMatch(/^\s*::|##(vso)?\[/m);
      const draft = draftDeviations(run, undefined);
      if (draft !== null) expect(Object.keys(parse(draft))).toEqual(['deviations']);
      for (const line of workflowCommands(run, folder)) expect(line).toMatch(/^::(error|warning) [^\n\r]*$/);
      if (evil.includes('touch owned')) expect(ownedBy(folder)).toEqual([]);
    }
  });
}

test('a call that took longer than there is time leaves no report out', ({}, info) => {
  const [one, other] = [exchange(0, { purpose: 'flow', row: 'a flow' }), exchange(1, { durationMs: 1e308 })];
  const documents = [{ size: 1, sha256: 'a'.repeat(64), pages: 1 }];
  const body = { mediaType: 'application/json', size: 1, sha256: 'b'.repeat(64), text: '', documents };
  const request = { ...other.request, url: 'http://127.0.0.1:1/request-1/document' };
  const answered = { ...other, request, response: { status: 200, reason: '', headers: [], body } };
  const created = [{ kind: 'request', id: 'request-1', exchange: 0 }] as const;
  const given = run({ record: record({ exchanges: [one, answered], created }), results: results() });
  expect(writeReports(info.outputPath('out'), given)).toContain('index.html');
});

/** What the scripts of a run leave that they were not to; nothing is called, and `npx` is none. In bash: reports-reproduce.test.ts. */
function ownedBy(folder: string): string[] {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['npx', 'curl', 'sleep'])
    writeFileSync(join(bin, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const cwd = join(folder, 'sh');
  mkdirSync(join(cwd, 'bodies'), { recursive: true });
  writeFileSync(join(cwd, 'bodies', `${'a'.repeat(32)}.bin`), '');
  const env = { PATH: `${bin}:${process.env.PATH}` };
  for (const script of readdirSync(join(folder, 'reproduce')).filter((name) => name.endsWith('.sh')))
    spawnSync('sh', [join(folder, 'reproduce', script)], { cwd, env });
  return readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('owned'));
}
