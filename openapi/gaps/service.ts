/** Gaps about the service as a whole: states, later operations, versions, objects that stay at the end. */
import { type GapArea, under } from '../gap.ts';

const states = under('States and transitions');
const others = under('Endpoints, Other operations');
const versioning = under('Versioning');
const roles = under('Resources, SignatoryType values');
const endpoints = under('Endpoints');
const events = under('Events');
const below = '/_apis/sign/api/v2/requests/{requestId}';

export const service = {
  'service.base-url': under('Introduction').notShown({
    question: 'What does {base_url} hold: may it end in a path, and is it the same one for all endpoints?',
    reference: 'One origin without a path serves all endpoints.',
    profileKey: 'address.baseUrl',
    observed: 'The path before those of the document in accepted calls.',
  }),
  'service.path-case': endpoints.unclear({
    question: 'Paths are spelled with "Requests" and with "requests": does the case of a path matter?',
    reference: 'Paths are matched exactly as they are spelled.',
    observed: 'A valid signatory at the path of endpoint 5 with Requests in place of requests.',
  }),
  'service.states': states.notShown({
    question: 'Which states can a request or a signatory be in, and what are they called?',
    reference: 'A request is draft, sent, completed, declined or deleted.',
    observed: 'The answers of the call template `status` are recorded after each action.',
    needs: 'calls.status in the profile',
  }),
  'service.transitions': states.notShown({
    question: 'What moves a request or a signatory from one state to the next, and what is refused in which?',
    reference: 'Sending, signing, approving and declining move a request on; a completed one stays as it is.',
    observed: 'The answers of the call template `status` before and after an action.',
    needs: 'calls.status in the profile',
  }),
  'service.read-after-write': endpoints.notShown({
    question: 'Can a new token, requestId or signatoryId be used at once, or only after a moment?',
    reference: 'At once.',
    profileKey: 'address.visibleAfterMs',
    observed: 'Calls that had to be repeated because a fresh id was answered with 404, and for how long.',
  }),
  'service.answer-times': endpoints.notShown({
    question: 'Within what time does the service answer a call?',
    reference: 'As fast as it can; no deadline of its own.',
    profileKey: 'address.deadlineMs',
    observed: 'Median and 95th percentile of the times to an answer, for each operation.',
  }),
  'service.answer-media-type': endpoints.notShown({
    question: 'Which Content-Type do answers in JSON carry?',
    reference: 'application/json',
    observed: 'The Content-Type of each answer that is JSON.',
  }),
  'service.answer-fields': under('Resources').notShown({
    question: 'Do answers carry more fields than the document shows?',
    reference: 'No.',
    observed: 'The fields of each answer of endpoints 4 and 5.',
  }),
  'service.correlation-id': endpoints.notShown({
    question: 'Does an answer carry an id by which its call can be found in the logs of the service?',
    reference: 'No.',
    observed: 'Header fields of answers that name a request, trace or correlation id.',
  }),
  'operations.stamps': others.notShown({
    question: 'How are stamps assigned to a signatory (method, path, payload)?',
    reference: `POST ${below}/stamps with signatoryId and Stamps; without it each signer has a mark of their own.`,
    profileKey: 'calls.stamps',
    observed: 'The answer to the call template `stamps`.',
    needs: 'calls.stamps in the profile',
  }),
  'operations.positions': others.notShown({
    question: 'How are stamps positioned on a document (method, path, payload)?',
    reference: 'In the same call: each stamp has X, Y, Width, Height, Document and Page.',
    profileKey: 'calls.stamps',
    needs: 'calls.stamps in the profile',
  }),
  'operations.send': others.notShown({
    question: 'How is a type 0 request sent to its signatories (method, path, payload)?',
    reference: `POST ${below}/send without a body.`,
    profileKey: 'calls.send',
    observed: 'The answer to the call template `send`.',
    needs: 'calls.send in the profile',
  }),
  'operations.track': others.notShown({
    question: 'How is the status of a request tracked (method, path, answer)?',
    reference: `GET ${below}/status answers JSON.`,
    profileKey: 'calls.status',
    observed: 'The answer to the call template `status`.',
    needs: 'calls.status in the profile',
  }),
  'operations.pages': others.notShown({
    question: 'How are the pages of a document fetched (method, path, answer)?',
    reference: 'It offers no such operation; the signing page shows the document.',
    needs: 'the word of the vendor: no call of the suite needs such pages',
  }),
  'operations.delete': under('Errors, Endpoints 4 and 5').notShown({
    question: 'A request can be "deleted": how, by whom, and what else becomes of it and its documents?',
    reference: `DELETE ${below} by whoever created it; later calls for it are answered with 404.`,
    profileKey: 'calls.deleteRequest',
    observed: 'The answer to the call template `deleteRequest`.',
    needs: 'calls.deleteRequest in the profile',
  }),
  'operations.completed-documents': events.notShown({
    question: 'How else than through the final callback are the signed PDFs to be had?',
    reference: `GET ${below}/documents lists a URL for each.`,
    profileKey: 'calls.completedDocuments',
    observed: 'The answer to the call template `completedDocuments`.',
    needs: 'calls.completedDocuments in the profile',
  }),
  'versioning.negotiation': versioning.notShown({
    question: 'Is there a way to ask for a version other than the segment v2 in the path?',
    reference: 'No: the path alone decides.',
    observed: 'Header fields of answers that name versions.',
  }),
  'versioning.deprecation': versioning.notShown({
    question: 'How is a version announced as deprecated, and how long does it go on working?',
    reference: 'It announces nothing.',
    observed: 'Answers that carry a Deprecation or Sunset header.',
  }),
  'versioning.other-versions': versioning.notShown({
    question: 'Which versions are there besides v2, and does type 0 exist without a version segment?',
    reference: 'None; other paths are answered with 404.',
    observed: 'A valid signatory at the path of endpoint 5 with v1 in the place of v2.',
  }),
  'signing.signature-kind': events.notShown({
    question: 'What kind of signature does a signed PDF carry: a visible mark, a digital signature, both?',
    reference: 'A visible mark for each signatory and one digital signature over the file.',
    observed: 'Signature dictionaries of PDFs that the final callback carries.',
    needs: 'signing in the profile, and callbacks that carry PDFs',
  }),
  'signing.audit-trail': under('Resources, Signatory').notShown({
    question: 'Where is the audit trail, what does it hold, and is it part of the completed documents?',
    reference: 'It keeps one inside; completed documents do not contain it.',
    observed:
      'PDFs of the final callback that show none of the uploaded documents, and whether they show the Names.',
    needs: 'signing in the profile, and callbacks that carry PDFs',
  }),
  'signing.cc-copy': roles.notShown({
    question: 'How and when does a CC receive the final signed copy: attached, as a link, by e-mail?',
    reference: 'By e-mail with the PDFs attached, after the last signatory completed.',
    profileKey: 'outbox.email',
    observed: 'Messages to the CC that `outbox.email` shows.',
    needs: 'signing and outbox.email in the profile',
  }),
  'signing.again': states.notShown({
    question: 'What happens to somebody who acts a second time: refused, ignored, or answered as at first?',
    reference: 'Refused with 409.',
    needs: '--explore-steps: exploring counts what was taken and what was refused',
  }),
  'signing.completion': roles.notShown({
    question: 'How does a signatory get to sign, approve or decline, and through which pages or calls?',
    reference: 'On a signing page that the e-mail links to, or by calls of its own.',
    profileKey: 'signing.driver',
    needs: 'the word of the vendor: the profile says how people sign',
  }),
} satisfies GapArea;
