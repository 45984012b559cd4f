/** Gaps about creating a type 0 request. */
import { type GapArea, under } from '../gap.ts';

const endpoint = under('Endpoints, 5. Add a signatory to a type 0 request');
const body = under('Resources, Signature request');
const audit = under('Resources, AuditDetails');

export const skeleton = {
  'skeleton.success-status': endpoint.notShown({
    question: 'With which 2xx status does a type 0 creation succeed?',
    reference: '200',
    observed: 'The status of each successful creation.',
  }),
  'skeleton.connections-elements': body.notShown({
    question: 'What are the elements of Connections?',
    reference: 'Anything; they are kept and not read.',
    observed: 'Creations with strings and with objects in Connections.',
  }),
  'skeleton.author-type-values': audit.notShown({
    question: 'Which values of AuthorType are there besides 1, and what do they mean?',
    reference: 'Any integer is accepted and recorded.',
    observed: 'Creations with AuthorType 0 and 2.',
  }),
  'skeleton.audit-details-subfields': audit.unclear({
    question: 'AuditDetails is required, but are its three subfields, each by itself?',
    reference: 'No; those that are given must have their type.',
    observed: 'Creations with one subfield left out, and with none.',
  }),
  'skeleton.author-ip-format': audit.notShown({
    question: 'Which values of AuthorIPAddress are accepted: private addresses, any text?',
    reference: 'Any text.',
    observed: 'Creations with an IPv6 address and with a text that is no address.',
  }),
  'skeleton.request-id-format': under('Resources, Created request').notShown({
    question: 'What does a requestId look like: length, characters, fixed form?',
    reference: 'A UUID.',
    observed: 'Length and class of characters of the ids seen.',
  }),
  'skeleton.callback-url-without-types': body.notShown({
    question: 'CallbackUrl without CallbackTypes: all events, or none?',
    reference: 'All events.',
    observed: 'Whether such a creation is accepted.',
  }),
  'skeleton.callback-types-empty': body.notShown({
    question: 'An empty CallbackTypes: all events, none, or refused?',
    reference: 'No events.',
    observed: 'Whether such a creation is accepted.',
  }),
  'skeleton.callback-types-without-url': body.notShown({
    question: 'Is CallbackTypes without CallbackUrl accepted?',
    reference: 'Yes; nothing is sent.',
    observed: 'The answer to such a creation.',
  }),
  'skeleton.callback-types-unknown': under('Events').notShown({
    question: 'What becomes of a code in CallbackTypes that the table does not list?',
    reference: 'Refused with 400.',
    observed: 'Creations with the codes 4 and -1, and with one code twice.',
  }),
  'skeleton.completed-documents-left-out': body.notShown({
    question: 'Without CompletedDocumentsAttached: are the signed PDFs attached to the final callback?',
    reference: 'No.',
    observed: 'Event 3 of requests that leave the field out.',
    needs: 'signing in the profile, and callbacks',
  }),
  'skeleton.callback-url-form': body.unclear({
    question: 'CallbackUrl is "publicly reachable": is that checked, and what becomes of another URL?',
    reference: 'It must be http or https; private networks other than loopback are refused on delivery.',
    observed: 'A creation with a CallbackUrl that is no URL.',
  }),
} satisfies GapArea;
