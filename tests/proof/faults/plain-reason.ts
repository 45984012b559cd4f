/** Says why a row failed in words that are the same in each run: without bodies, ids, times and numbers of deliveries. */
import type { CheckResult } from '../../../record/check-result.ts';
import type { Finding } from '../../../record/finding.ts';
import { type Exchanges, findingText } from '../../../record/finding-text.ts';
import type { EventSeen, FlowOutcome } from '../../../record/flow-finding.ts';

type Row = Pick<CheckResult['rows'][number], 'finding' | 'message'>;

/** The reason on one line. An answer that broke the contract has no finding: ids are taken out of its message. */
export function plainReason({ finding, message = '' }: Row, exchangeAt: Exchanges): string {
  if (finding) return findingText(plainFinding(finding), bare(exchangeAt)) ?? '';
  const [line = ''] = message.split('\n');
  return line.replaceAll(/exchange \d+/g, 'an exchange').replaceAll(/"[^"]*\d[^"]*"/g, '"…"');
}

/** Exchanges with their status alone. */
function bare(exchangeAt: Exchanges): Exchanges {
  return (index) => {
    const exchange = exchangeAt(index);
    const { response, request } = exchange ?? {};
    if (!response || !request) return exchange;
    const body = { mediaType: '', size: 0, sha256: '', text: '' };
    return { index: 0, request: { ...request, url: 'http://target/' }, response: { ...response, body } };
  };
}

function plainFinding({
  expected,
  received,
  flow,
  cause,
}: Finding): Omit<Finding, 'row' | 'verdict' | 'requirement' | 'evidence'> {
  return {
    expected,
    ...(received && !flow ? { received: { exchange: received.exchange, answer: received.answer } } : {}),
    ...(flow ? { flow: plainFlow(flow) } : {}),
    cause,
  };
}

function plainFlow({ expected, seen }: FlowOutcome): FlowOutcome {
  if (!seen) return { expected };
  const { delivery, events, earlyMs, target, missing, how, short, ...same } = seen;
  return {
    expected,
    seen: {
      ...same,
      ...(events ? { events: kindsOf(events) } : {}),
      ...(earlyMs === undefined ? {} : { earlyMs: 0 }),
      ...(target === undefined ? {} : { target: '…' }),
      ...(missing ? { missing: missing.map(() => '…') } : {}),
      ...(short ? { short: { ...short, marker: '…' } } : {}),
      // For acts that were impossible, `how` is in the target's words, and left out.
      ...(how === undefined || expected.is === 'can' ? {} : { how: how.replace(randomPart, '…') }),
    },
  };
}

/** The last part of the path of a callback address. */
const randomPart = /[\w-]{22}$/;

/** The first event of each kind: how many had arrived when a flow was judged differs from run to run. */
function kindsOf(events: readonly EventSeen[]): EventSeen[] {
  const kinds = events.map(({ delivery: _, ...event }) => event);
  return kinds.filter((one, index) => index === 0 || kinds[index - 1]?.code !== one.code);
}
