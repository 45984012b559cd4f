/** Dialect settings about what HTTP leaves open: paths, header fields, encodings and times of every answer. */
import { choice, flag, free } from './setting.ts';

export const wireSettings = {
  pathCase: choice('Whether the letter case of a documented path matters.', ['exact', 'any']),
  answerDelayMs: free('Milliseconds that each answer takes at least.', [0, 20]),
  answerCoding: choice('How an answer travels: with its length, compressed, or in chunks without a length.', [
    'plain',
    'gzip',
    'chunked',
  ]),
  connection: choice('Whether a connection is kept after an answer.', ['kept', 'closed']),
  keyOrder: choice('Whether the fields of an answer come in the order of the document.', [
    'documented',
    'reversed',
  ]),
  deprecation: choice(
    'Whether answers announce the end of their version in the headers Deprecation and Sunset.',
    ['silent', 'announced'],
  ),
  correlationId: choice('Whether each answer carries an id of its call in the header X-Request-Id.', [
    'none',
    'header',
  ]),
  challenge: choice(
    'What WWW-Authenticate says of a call that is rejected with 401: the scheme, also the error (RFC 6750), or nothing.',
    ['scheme', 'error', 'none'],
  ),
  clockOffsetSeconds: free('Seconds by which the clock of the service is ahead.', [0, 60, -60]),
  gatewayHeaders: flag('Whether answers carry a cookie and the headers that a gateway adds.'),
} as const;
