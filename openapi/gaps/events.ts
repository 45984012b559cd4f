/** Gaps about callbacks: what they look like, when they are sent, what they carry. */
import { type GapArea, under } from '../gap.ts';

const callbacks = under('Events');
const deliveries = 'The recorded deliveries.';

export const events = {
  'events.payload': callbacks.notShown({
    question: 'What does a callback look like: method, media type, where event, request and signatory stand?',
    reference: 'POST of a JSON object with event, requestId, signatoryId and time.',
    profileKey: 'callbacks.decoding',
    observed: deliveries,
  }),
  'events.authenticity': callbacks.notShown({
    question: 'How does a receiver know that a callback comes from the service?',
    reference: 'By nothing but the URL that it was given.',
    profileKey: 'callbacks.authenticity',
    observed: 'Headers of the deliveries that look like a signature or a secret.',
  }),
  'events.retries': callbacks.notShown({
    question: 'Is a callback repeated that was not answered with 2xx, how often and after what time?',
    reference: 'Five times at most, each wait twice the one before.',
    observed: 'Deliveries to a receiver that answers 503 first and 200 then.',
  }),
  'events.timeout': under('Limits').notShown({
    question: 'How long does the service wait for the answer to a callback?',
    reference: 'Ten seconds.',
    needs: 'a receiver that answers slowly, which no flow has: it would hold up every run',
  }),
  'events.other-types': callbacks.notShown({
    question: 'Do requests of types 1, 2 and 3 send callbacks, and how are they configured?',
    reference: 'As for type 0, by the same three fields.',
    needs: 'bodies of types 1 to 3 with callbacks, which the document does not show',
  }),
  'events.request-received-when': callbacks.unclear({
    question: '"Request received": by whom, and is it sent at the creation or when the request is sent?',
    reference: 'When the request is sent to its signatories.',
    profileKey: 'callbacks.requestReceived',
    observed: 'When event 1 arrives.',
  }),
  'events.signatory-completed-roles': callbacks.unclear({
    question: 'A "signatory completed their signature": is it sent for an approver too, who signs nothing?',
    reference: 'No, only for a signer.',
    profileKey: 'callbacks.signatoryCompletedRoles',
    observed: 'The number of event 2 in a request with an approver.',
  }),
  'events.final-callback': callbacks.unclear({
    question: 'Which callback is the final one, event 3, and what if it was not subscribed to?',
    reference: 'Event 3; without it nothing is attached.',
    observed: 'The deliveries that carry PDFs.',
  }),
  'events.attachment-form': callbacks.notShown({
    question: 'How is a signed PDF attached: in which field, in which encoding, up to which size?',
    reference: 'In a JSON list, each with name and content in base64.',
    profileKey: 'callbacks.attachments',
    observed: deliveries,
  }),
  'events.attachment-count': callbacks.unclear({
    question: 'Is there one signed PDF for each document, or one for all, and are other files among them?',
    reference: 'One for each document.',
    observed: 'Number and content of the attached PDFs.',
  }),
  'events.order': callbacks.notShown({
    question: 'Do callbacks arrive one after the other and in the order of the events?',
    reference: 'One after the other for each request, in order.',
    observed: 'Overlapping deliveries, event 1 after an event 2, and the time between them.',
  }),
  'events.repeated': callbacks.notShown({
    question: 'Can an event be delivered more than once, and by what is a repeated one known?',
    reference: 'Only after a failed delivery, with the same delivery id.',
    profileKey: 'callbacks.deliveryId',
    observed: 'Deliveries of the same event of the same signatory.',
  }),
  'events.declined': callbacks.notShown({
    question: 'Is anything sent when a signatory declines or a request is deleted?',
    reference: 'Nothing.',
    observed: 'What arrives after a signer has declined a request of its own (`calls.decline`).',
    needs: '--explore, and calls.decline in the profile',
  }),
  'events.all-with-others': callbacks.notShown({
    question: 'What does code 0 beside other codes mean?',
    reference: 'All events, each sent once.',
    observed: 'Whether a creation with CallbackTypes [0, 3] is accepted.',
  }),
} satisfies GapArea;
