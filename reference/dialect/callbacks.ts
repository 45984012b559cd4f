/** Dialect settings about callbacks: when they are sent, what they look like and how they prove their origin. */
import { choice, flag, free } from './setting.ts';

export const callbackSettings = {
  requestReceivedAt: choice('When event 1 is sent.', ['sent', 'created']),
  approverCompletes: choice('Whether an approval causes event 2, as a signature does.', [
    'no-event',
    'event',
  ]),
  eventsOfOtherTypes: choice('Whether requests of types 1 to 3 send events too.', ['sent', 'none']),
  callbackFormat: choice(
    'Body of a callback: flat or nested JSON, a list, a CloudEvent, XML, a form with indexed fields, or a multipart form.',
    ['json', 'nested', 'list', 'cloudevent', 'xml', 'form', 'multipart'],
  ),
  callbackEventAs: choice('Whether a callback names its event by the code or by a name.', ['code', 'name']),
  callbackSignatoryAs: choice('How event 2 names the signatory.', ['id', 'email', 'name']),
  callbackTime: choice('Form of the time in a callback.', ['iso', 'seconds', 'milliseconds', 'none']),
  callbackAttachments: choice(
    'How attached documents travel: in base64, as data: URLs, or as URLs to fetch. Multipart forms carry parts.',
    ['base64', 'data-url', 'url'],
  ),
  callbackParts: choice('Whether the parts of a multipart callback have names or a Content-ID.', [
    'named',
    'identified',
  ]),
  callbackMoreFields: flag('Whether a callback carries more fields than event, request, signatory and time.'),
  callbackMethod: choice('Method by which callbacks are sent.', ['POST', 'PUT']),
  callbackDeliveryId: flag('Whether a callback has an id that stays the same when it is repeated.', true),
  callbackTwice: flag('Whether every callback is sent twice.'),
  callbackOrder: choice(
    'Whether the callbacks of a request wait for each other or are sent at the same time.',
    ['one-by-one', 'at-once'],
  ),
  callbackDelayMs: free('Milliseconds between an event and its callback.', [0, 50]),
  callbackJitterMs: free('Milliseconds more at most, drawn anew for each callback.', [0, 800]),
  callbackAuth: choice(
    'How a callback proves its origin: not at all, by a secret in a header, by a bearer token, or by an HMAC-SHA256 over the body, over time and body, or as Standard Webhooks has it.',
    ['none', 'secret-header', 'bearer', 'hmac-body', 'hmac-time-body', 'standard-webhooks'],
  ),
  callbackSecret: free('The secret behind that proof; in base64 for Standard Webhooks.', [
    'cmVmZXJlbmNlLWNhbGxiYWNrLXNlY3JldA==',
  ]),
  callbackTimeoutMs: free('How long an answer to a callback is waited for.', [10_000]),
  callbackRetryMs: free(
    'Milliseconds before the first repetition; each further one waits twice as long.',
    [200, 50],
  ),
  callbackRetries: free('How often a callback is repeated that was not answered with 2xx.', [5, 3]),
  callbackNetworks: choice(
    'Addresses that callbacks may go to: public ones and loopback, public ones only, or any.',
    ['public-and-loopback', 'public', 'any'],
  ),
} as const;
