/** Faults of sending, signing and completed documents. */
import { alsoInType3, type FaultEntries } from './kinds.ts';

export const signingFaults = {
  ...alsoInType3({
    'signing.lower-order-first/reversed': 'a higher Order signs first',
    'signing.lower-order-first/ignored': 'everybody may act at once, whatever their Order',
    'signing.lower-order-first/past-approver': 'signers do not wait for an approver with a lower Order',
    'signing.parallel/approvers-first': 'signers wait for approvers with the same Order',
    'signing.parallel/one-by-one': 'signatories with the same Order may only act one after the other',
    'signing.signer-views/later-order': 'the signing page shows the document to signers of Order 1 only',
    'signing.approver-approves/refused': 'an approver cannot approve',
    'signing.approver-cannot-sign/signs': 'an approver may sign',
    'signing.cc-cannot-act/signs': 'a CC may sign',
    'signing.cc-cannot-act/approves': 'a CC may approve',
    'signing.message-shown/missing': 'neither the signing page nor the e-mail shows Message',
    'signing.private-message/missing': 'PrivateMessage is not shown to its signatory',
    'signing.private-message/shown-to-all': 'PrivateMessage is shown to every signatory',
    'signing.email-used/approver-none': 'approvers are not written to',
    'otp.gates-signing/any-accepted': 'any one-time password is taken',
    'otp.gates-signing/not-demanded': 'a signatory with IsRequired true signs without a one-time password',
    'otp.access-code-asked/any-accepted': 'any code is taken as AccessCode',
    'otp.access-code-asked/refused': 'the AccessCode is not taken',
    'otp.email-delivered/none': 'no code is sent with Type 1',
    'otp.email-and-sms-delivered/email-only': 'with Type 4 the code is sent by e-mail only',
    'otp.email-and-sms-delivered/sms-only': 'with Type 4 the code is sent by SMS only',
  }),
  'signing.lower-order-first/third-at-start':
    'before anybody has acted, people of an Order after the second may act, too',
  'signing.lower-order-first/as-text': 'Orders are compared as texts: 10 comes before 2',
  'signing.lower-order-first/type-3-two-documents':
    'in a request of type 3 with two documents everybody may act at once',
  'signing.lower-order-first/beside-later-cc':
    'everybody may act at once while a CC has a higher Order than somebody who has not acted',
  'signing.lower-order-first/beside-cc-at-turn':
    'everybody may act while a CC has the Order whose turn it is',
  'signing.lower-order-first/beside-several':
    'while several have the Order whose turn it is, those of the next one may act, too',
  'signing.lower-order-first/after-one-of-several':
    'once one of several with the same Order has acted, those of a later one may act, too',
  'signing.lower-order-first/above-3-alike': 'Orders above 3 are taken for 3',
  'signing.lower-order-first/fourth-first': 'who has Order 4 signs first',
  'signing.lower-order-first/past-wrong-code':
    'once somebody has entered a wrong code, those with a higher Order may act',
  ...alsoInType3({
    'signing.parallel/coded-last': 'people who enter a code wait for others with the same Order',
    'signing.parallel/uncoded-last': 'people who enter no code wait for those with the same Order who do',
  }),
  'signing.parallel/nobody-after-first':
    'where all have the same Order, nobody can act any more once somebody has',
  'signing.parallel/before-later-order':
    'signatories with the same Order act one after the other where somebody has a higher one',
  'signing.parallel/last-only': 'of signatories with the same Order only the one who was added last may act',
  'signing.parallel/two-at-most': 'of signatories with the same Order two may act at a time',
  'signing.signer-views/no-document': 'the signing page does not show the document',
  'signing.signer-views/of-another-request': 'the signing page shows the document of another request',
  'signing.signer-views/third-order': 'the signing page shows the document to signers of Orders 1 and 2 only',
  'signing.signer-views/blank': 'the signing page shows an empty page in the place of each document',
  'signing.signer-views/doc-none': 'the signing page does not show a DOC',
  'signing.signer-views/docx-none': 'the signing page does not show a DOCX',
  'signing.signer-views/second-missing': 'the signing page shows the first of several documents only',
  'signing.signer-views/third-missing': 'the signing page shows two documents at most',
  'signing.signer-views/first-again':
    'the signing page shows the first document in the place of every other one',
  'signing.approver-cannot-sign/signs-in-vain': 'an approver may sign, and nothing is kept of it',
  'signing.signer-signs/not-kept': 'a signer may sign, and nothing is kept of it',
  'signing.signer-signs/second-not-kept':
    'a signer who is not the first of a request to act may sign, and nothing is kept of it',
  'signing.signer-signs/coded-not-kept': 'who has entered a code may sign, and nothing is kept of it',
  'signing.signer-signs/later-order-not-kept':
    'a signer with an Order above 1 may sign, and nothing is kept of it',
  'signing.approver-approves/first-order-not-kept':
    'an approver with Order 1 may approve, and nothing is kept of it',
  'signing.signer-signs/refused': 'a signer cannot sign',
  'signing.signer-signs/colored-refused': 'a signer who has a Color cannot sign',
  'signing.signer-signs/with-message-refused': 'a signer who has a PrivateMessage cannot sign',
  'signing.signer-signs/after-approver': 'nobody can sign after an approver with a lower Order',
  'signing.signer-signs/type-3-first-only':
    'in a request of type 3 only the signatory who is listed first can sign',
  'signing.signer-signs/coded-beside-cc-refused': 'beside a CC no signer can sign who enters a code',
  'signing.signer-signs/type-3-coded-refused': 'in a request of type 3 no signer can sign who enters a code',
  'signing.signer-signs/third-signature-refused': 'no third signer of a request can sign',
  'signing.signer-signs/fifth-never-asked': 'who is fifth in a request is never asked to sign, and cannot',
  'signing.signer-signs/compressed-refused': 'a signer cannot sign a PDF whose objects are compressed',
  'signing.signer-signs/docx-refused': 'a signer cannot sign a DOCX',
  'signing.signer-signs/doc-refused': 'a signer cannot sign a DOC',
  'signing.signer-signs/one-code-refused': 'nobody can sign in a request that subscribed to event 2 alone',
  'signing.signer-signs/moved': 'who is added to a request is taken out of an earlier one',
  'signing.signer-signs/earlier-first': 'who has an earlier request to sign cannot sign a later one',
  'signing.signer-signs/once': 'who has signed a request cannot sign another one with the same Title',
  'signing.approver-approves/not-awaited':
    'a request completes when its signers have signed, without approvers',
  'signing.approver-approves/not-kept': 'an approver may approve, and nothing is kept of it',
  'signing.approver-approves/order-1-refused': 'an approver with Order 1 cannot approve',
  'signing.approver-approves/with-code-refused': 'an approver who enters a code cannot approve',
  'signing.approver-approves/plain-refused':
    'an approver who neither enters a code nor has a PrivateMessage cannot approve',
  'signing.approver-approves/one-enough': 'of approvers with the same Order one is enough',
  'signing.approver-cannot-sign/type-3-fourth-signs':
    'in a request of type 3 whoever is listed fourth may sign, also an approver',
  'signing.approver-cannot-sign/order-1-signs': 'an approver with Order 1 may sign',
  'signing.approver-cannot-sign/everybody-signs': 'everybody is a signer, whatever SignatoryType says',
  'signing.approver-cannot-sign/type-3-everybody-signs':
    'in a request of type 3 everybody is a signer, whatever signatoryType says',
  'signing.approver-cannot-sign/with-code-signs': 'an approver who enters a code may sign',
  'signing.approver-cannot-sign/second-signs': 'any approver of a request but the first may sign',
  'signing.cc-receives-copy/no-mail': 'a CC is not written to',
  'signing.cc-receives-copy/one-document-none': 'a CC of a request with one document is not written to',
  'signing.cc-receives-copy/second-none': 'only the first CC of a request is written to',
  'signing.cc-receives-copy/type-3-none': 'in a request of type 3 a CC is not written to',
  'signing.cc-receives-copy/type-3-first-document':
    'in a request of type 3 only the first document is completed',
  'signing.cc-receives-copy/uploaded': 'a CC gets the documents as they were uploaded, unsigned',
  'signing.cc-receives-copy/cut-off': 'the link to the final copy leads to the first half of it',
  'signing.cc-receives-copy/first-page':
    'the link to the final copy leads to the first page of each document',
  'signing.cc-receives-copy/page-twice':
    'the final copy of a CC shows the first page in the place of the second',
  'signing.cc-receives-copy/trail-for-others':
    'of several documents a CC gets the first, and an audit trail in the place of each other one',
  'signing.cc-receives-copy/first-document-again':
    'a CC gets as many files as documents, and each of them is the first document',
  'signing.cc-receives-copy/of-another-request': 'a CC gets a document of another request',
  'signing.cc-receives-copy/no-copy': 'the e-mail to a CC carries no document',
  'signing.cc-cannot-act/signs-and-told': 'a CC may sign, and event 2 is sent for it',
  'signing.cc-cannot-act/roles-swapped': 'approvers are CCs, and CCs are approvers',
  'signing.cc-cannot-act/second-signs': 'any CC of a request but the first may sign',
  'signing.cc-cannot-act/signs-later': 'a CC with an Order after the first may sign',
  'signing.cc-cannot-act/signs-at-first': 'a CC with Order 1 may sign',
  'signing.cc-cannot-act/type-3-as-approver': 'in a request of type 3 a CC is taken for an approver',
  'signing.cc-cannot-act/order-awaited': 'who has a higher Order than a CC waits for the CC',
  'signing.cc-cannot-act/never-completes': 'a request with a CC, who can do nothing, does not complete',
  'signing.title-shown/missing': 'the signing page does not show Title',
  'signing.title-shown/changed-on-sending': 'a request has another Title once it is sent',
  'signing.title-shown/latin-1': 'the signing page shows the UTF-8 of Title as if it were Latin-1',
  'signing.title-shown/escaped-twice': 'the signing page shows Title with &amp; for &',
  'signing.title-mailed/question-marks':
    'the e-mail to a signatory has question marks for what is not ASCII in Title',
  'signing.title-mailed/pattern': 'the e-mail to a signatory takes $& in Title for a pattern of its template',
  'signing.title-mailed/missing': 'the e-mail to a signatory does not name Title',
  'signing.title-mailed/approver': 'the e-mail to an approver does not name Title',
  'signing.title-shown/backslashes': 'the signing page shows Title with backslashes before quotes',
  'signing.title-mailed/decoded': 'the e-mail to a signatory shows Title with a blank for +',
  'signing.message-shown/of-latest-request':
    'people are shown Message of the latest request that they were added to',
  'signing.message-shown/unheard-missing': 'Message of a request without CallbackUrl is shown nowhere',
  'signing.message-shown/percent-lost': 'Message is shown without %',
  'signing.message-shown/type-3-question-marks':
    'in a request of type 3 Message is shown with question marks for what is not ASCII',
  'signing.private-message/up-to-surrogates':
    'PrivateMessage is shown up to its first character beyond the 65,536 of UCS-2',
  'signing.message-shown/cut-off': 'Message is shown up to the first letter that is not ASCII',
  'signing.private-message/up-to-ampersand': 'PrivateMessage is shown up to its first &',
  'signing.private-message/type-3-question-marks':
    'in a request of type 3 PrivateMessage is shown with question marks for what is not ASCII',
  'signing.private-message/of-latest-request':
    'people are shown PrivateMessage of the latest request that they were added to',
  'signing.private-message/shown-to-later': 'PrivateMessage is shown to signatories who were added later',
  'signing.private-message/type-3-approver-shown-all':
    'in a request of type 3 approvers are shown every PrivateMessage',
  'signing.private-message/type-3-approver-missing':
    'in a request of type 3 PrivateMessage of an approver is not shown',
  'signing.private-message/type-3-beyond-second-missing':
    'in a request of type 3 PrivateMessage is shown to the first two who are listed only',
  'signing.private-message/later-order-missing': 'PrivateMessage is shown to signatories of Order 1 only',
  'signing.private-message/who-has-none': 'who has no PrivateMessage is shown those of the others',
  'signing.private-message/mailed-to-all': 'each invitation goes to everybody of the request',
  'signing.private-message/cc-page': 'a link leads a CC to a page that shows every PrivateMessage',
  'signing.private-message/coded-page': 'who has to enter a code is shown every PrivateMessage',
  'signing.private-message/shown-after-act': 'who has acted is shown every PrivateMessage',
  'signing.private-message/in-source':
    'a comment in the source of the signing page holds every PrivateMessage',
  'signing.private-message/in-every-copy': 'the e-mail with the final copy tells every PrivateMessage',
  'signing.private-message/type-3-in-metadata':
    'in type 3 a viewer shows every PrivateMessage among what it tells about a completed document',
  'signing.private-message/in-metadata':
    'every PrivateMessage is among the keywords of the completed document',
  'signing.private-message/in-comment': 'every PrivateMessage is a comment in the completed document',
  'signing.private-message/in-document': 'every PrivateMessage is written into the completed document',
  'signing.email-used/first-only': 'only the first signatory of a request is written to',
  'signing.email-used/one-code-none':
    'the people of a request that subscribed to one code alone are not written to',
  'signing.email-used/unheard-none': 'the people of a request without CallbackUrl are not written to',
  'signing.email-used/parallel-at-end':
    'of people with the same Order all but the first are written to only when everybody has acted',
  'signing.email-used/after-approver-none': 'who comes after an approver is not written to',
  'signing.email-used/type-3-beyond-second-none':
    'in a request of type 3 only the first two who are listed are written to',
  'signing.email-used/later-approver-none': 'an approver with an Order above 1 is not written to',
  'signing.email-used/coded-none': 'who is sent a code by e-mail gets no e-mail before that',
  'signing.email-used/access-code-none': 'who has an AccessCode is not written to',
  'signing.email-used/numbered-none': 'who is sent a code by SMS alone is not written to',
  'signing.email-used/after-fourth-none': 'whoever has a higher Order than 4 is not written to',
  'signing.email-used/third-told-of-end': 'people of Order 3 are written to only that everybody has signed',
  'signing.email-used/one-at-a-time': 'who has a request to sign is not written to for another one',
  'signing.email-used/no-mail': 'signatories are not written to',
  'signing.email-used/link-of-first': 'the e-mail to a signatory leads to the page of the first one',
  'signing.email-used/coded-approver-none': 'an approver who enters a code is not written to',
  'signing.email-used/approvers-to-first':
    'invitations of approvers go to the first signatory of the request',
  'signing.email-used/all-to-last': 'all invitations of a request go to the address that was given last',
  'signing.name-shown/missing': 'the signing page does not show Name',
  'signing.name-shown/question-marks':
    'the signing page shows Name with question marks for what is not ASCII',
  'signing.name-shown/not-with-code': 'the signing page does not show the Name of who has to enter a code',
  'signing.color-no-effect/drawn': 'Color is seen in the completed document',
  'signing.color-no-effect/drawn-for-later':
    'Color of any signatory but the first is seen in the completed document',
  'signing.color-no-effect/drawn-in-type-3':
    'in a request of type 3 Color of a signatory is seen in the completed document',
  'signing.color-no-effect/in-metadata': 'Color is among the keywords of the completed document',
  'signing.color-no-effect/written': 'Color is written into the completed document',
  'otp.gates-signing/not-with-several': 'where several documents are signed no code is demanded',
  'otp.gates-signing/access-code-not-demanded': 'with Type 3 no AccessCode is demanded',
  'otp.gates-signing/of-either-channel':
    'with Type 4 the code of the e-mail is taken in the place of that of the SMS, too',
  'otp.gates-signing/sms-not-demanded': 'with Type 2 no one-time password is sent, and none is demanded',
  'otp.gates-signing/both-not-demanded': 'with Type 4 no one-time password is demanded',
  'otp.gates-signing/sms-alone': 'with Type 4 the code of the SMS is enough',
  'otp.gates-signing/second-try': 'the second wrong code that somebody enters is taken',
  'otp.gates-signing/third-try': 'the third wrong code that somebody enters is taken',
  'otp.gates-signing/after-tries': 'after three wrong codes any code is taken',
  'otp.gates-signing/email-first-order-refused':
    'signatories of a later Order are refused a code by e-mail, and asked for none',
  'otp.not-asked/demanded': 'a one-time password is demanded although IsRequired is false',
  'otp.not-asked/later-orders':
    'signatories of a later Order are asked for a one-time password although IsRequired is false',
  'otp.not-asked/type-2': 'with Type 2 a one-time password is demanded although IsRequired is false',
  'otp.not-asked/type-2-in-type-3':
    'in a request of type 3 a code by SMS is demanded although IsRequired is false',
  'otp.not-asked/type-3': 'with Type 3 an AccessCode is demanded although IsRequired is false',
  'otp.not-asked/type-4': 'with Type 4 a one-time password is demanded although IsRequired is false',
  'otp.email-delivered/later-orders-none': 'with Type 1 signatories of a later Order are sent no code',
  'otp.sms-delivered/by-email': 'with Type 2 the code is sent by e-mail',
  'otp.sms-delivered/type-3-none': 'in a request of type 3 no code is sent by SMS',
  'otp.sms-delivered/other-number': 'with Type 2 the code is sent to another number',
  'otp.access-code-asked/after-tries': 'with Type 3 any code is taken after three wrong ones',
  'otp.access-code-asked/of-neighbour':
    'with Type 3 the AccessCode of another signatory of the request is taken',
  'otp.email-and-sms-delivered/later-orders-email-only':
    'with Type 4 signatories of a later Order are sent the code by e-mail only',
  'otp.email-and-sms-delivered/email-astray-after-two':
    'with Type 4 the code of the e-mail goes to another address once two have acted',
  'stamping.placed/not-of-coded': 'the stamps of who had to enter a code are not placed',
  'stamping.placed/second-beside-cc': 'beside a CC only the stamps of the first signatory are placed',
  'stamping.placed/of-first-signatory': 'only the stamps of the first signatory are placed',
  'stamping.placed/no-stamps': 'no stamp is placed',
  'stamping.placed/names-mixed': 'each stamp of a signatory names the next signatory',
  'stamping.placed/sizes-as-listed':
    'stamps are placed by Order, each with the size of the one at that position of the list',
  'stamping.placed/height-ignored': 'all stamps have the same height',
  'stamping.placed/square': 'each stamp is as wide as it is high',
  'stamping.placed/axes-swapped': 'X_offset and Y_offset are taken for each other',
  'stamping.placed/sign-ignored': 'a stamp with a negative Offset is placed as with a positive one',
  'stamping.placed/rounded': 'Offsets are rounded to multiples of 10',
  'stamping.placed/third-at-first': 'the third stamp of a signatory is placed where the first one is',
  'stamping.placed/size-of-first': 'every stamp of a request has the size of the first one',
  'stamping.placed/second-halved': 'the stamps of a second signatory are half as large',
  'stamping.placed/third-signatory-halved':
    'the stamps of a third signatory are placed at half their X_offset',
  'stamping.placed/second-signatory-on-diagonal':
    'the stamps of a second signatory have their X_offset for their Y_offset, too',
  'stamping.placed/third-doubled': 'the third stamp of a signatory is twice as large',
  'stamping.placed/second-turned': 'the stamps of a second signatory have their Width as height',
  'stamping.placed/further-of-own-size': 'every stamp of a signatory but the first is three times as large',
  'signing.lower-order-first/type-3-as-listed':
    'in a request of type 3 people act in the sequence of the list, whatever their Order',
  'signing.lower-order-first/type-3-beyond-second':
    'in a request of type 3 people who are listed after the second may act at once',
  'signing.lower-order-first/first-step-only': 'once the first has acted, everybody may act',
} as const satisfies FaultEntries;
