/** Takes out of a failure what differs from run to run: ids, bodies, numbers of exchanges and deliveries. */

const volatile: readonly (readonly [RegExp, string])[] = [
  // Bodies: what follows the status, up to the end or to the words of the suite behind it.
  [/(received|answered with) (\d{3}) .*?(?=, but accepted with|, and not accepted with|; |$)/g, '$1 $2'],
  [/ \((?:exchange|deliver(?:y|ies)) [\d, ]+\)/g, ''],
  [/ in exchanges \d+ and \d+/g, ''],
  [/exchange \d+/g, 'an exchange'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '…'],
  [/\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{16,}\b/g, '…'],
  // How many events had arrived when a flow was judged.
  [/(event \d(?: of signatory \d)?)(?:, event \d(?: of signatory \d)?)+ arrived/g, '$1 arrived'],
  [/\b\d+ (?:ms|bytes)\b/g, '… $&'.slice(0, 1)],
];

/** The failure in words that are the same each time, on one line. */
export function plainReason(message: string): string {
  const [line = ''] = message.split('\n');
  return volatile.reduce((text, [pattern, plain]) => text.replace(pattern, plain), line).trim();
}
