/** Dialect settings about sending a request, signing it, and what is made of it in the end. */
import { choice, flag, free } from './setting.ts';

export const signingSettings = {
  sending: choice(
    'How a type 0 request is sent: by a call, with its creation, with its first signatory, with the last one (added with send=true in the query), or some time after the last one was added.',
    ['call', 'creation', 'first-signatory', 'last-signatory', 'delay'],
  ),
  sendDelayMs: free(
    'Milliseconds after the last signatory was added, where a request is sent by itself.',
    [300],
  ),
  addAfterSend: choice('Whether signatories may be added to a request that was sent by a call.', [
    'refused',
    'accepted',
  ]),
  otpLifetimeSeconds: free('How long a one-time password is valid.', [600]),
  otpDigits: free('Number of digits of a one-time password.', [6, 4]),
  codeTries: choice(
    'What ends a code: five wrong ones in its place; or, for good, the first attempt of a person without the right one, or the third, whatever codes were sent in between, or the third of anybody, after which no code is sent or taken.',
    ['five', 'one', 'three', 'three-of-all'],
  ),
  otpSigns: choice(
    'Whether a one-time password is made of digits, or of four words with hyphens, which a link in the e-mail holds too.',
    ['digits', 'words'],
  ),
  otpBoth: choice('Whether OTP Type 4 sends one code both ways, or two codes that are both asked for.', [
    'one-code',
    'two-codes',
  ]),
  pageBeforeCode: choice(
    'What a signing page shows to somebody who has to enter a code: all, all but the documents, or their name alone.',
    ['all', 'no-document', 'name'],
  ),
  documentShownAs: choice(
    'How the document of a signing page is answered: as the file, in base64 in JSON, or as a page that shows it by a script.',
    ['file', 'base64', 'page'],
  ),
  actsOnceSeen: flag('Whether people have to look at their signing page before they can act.'),
  privateMessageMailed: flag('Whether PrivateMessage also stands in the e-mail to its signatory.', true),
  ccToldBefore: flag(
    'Whether a CC is told of a request when it is sent, with links to what is to be signed.',
  ),
  copiesTo: choice('Who gets the final copy by e-mail.', ['cc', 'everyone']),
  copyAs: choice('Whether the final copy is attached to an e-mail or linked in it, perhaps as an archive.', [
    'attached',
    'linked',
    'archive',
  ]),
  invitationDelayMs: free(
    'Milliseconds from the turn of a later person to their invitation; who has acted by then gets none.',
    [0, 1_000],
  ),
  messageDelayMs: free('Milliseconds that an e-mail or an SMS is under way.', [0, 3_000]),
  mailKept: choice(
    'How the outbox lists e-mails for programs: with each thing in a field, with no word of attached files, as they travel (RFC 5322) in base64url, or their first words, and all of one by its id.',
    ['in-fields', 'without-files', 'as-sent', 'begun'],
  ),
  mailLinks: choice(
    'Whether a link in an invitation leads to its page or to a counter of clicks that leads on.',
    ['direct', 'counted'],
  ),
  stampedSending: choice('What sends a request of type 3.', ['creation', 'call']),
  attachedLeftOut: choice('Whether documents are attached when CompletedDocumentsAttached is left out.', [
    'no',
    'yes',
  ]),
  stampPages: choice('On which pages of a document an auto stamp is placed.', ['last', 'first', 'all']),
  stateNames: choice('How the states of a request are spelled.', ['words', 'capitals', 'numbers']),
  completedDocuments: choice('Whether several documents stay several files when they are completed.', [
    'separate',
    'merged',
  ]),
  auditTrail: flag('Whether an audit trail is added as one more PDF to the completed documents.'),
  signatureKind: choice('Whether completed PDFs also carry a digital signature, or only the visible marks.', [
    'digital',
    'visible',
  ]),
  unstamped: choice('What signing leaves on a document without stamps: a mark at its foot, or nothing.', [
    'mark',
    'nothing',
  ]),
  stampUnit: choice(
    'Unit of Offset and StampSize, percent being those of the width and the height of the page.',
    ['points', 'pixels', 'millimetres', 'percent'],
  ),
  stampsBeyond: choice(
    'Whether a stamp that would leave the page is drawn there, moved to the edge of the page, or refused where it leaves an A4 page on the far side.',
    ['drawn', 'moved', 'refused'],
  ),
  stampOrigin: choice('Where Offset is measured from, and which corner of the stamp it moves.', [
    'bottom-left',
    'top-left',
    'centre',
  ]),
} as const;
