/** Flows about callbacks: codes alone, two of them, all of them, none; one signer and several. */

import type { FlowDefinition } from '../../harness/flows/flow.ts';
import type { FlowSignatory } from '../../harness/flows/flow-plan.ts';
import { judgeShown, titled } from '../../harness/flows/judge-shown.ts';
import { event, otpType, role } from '../../openapi/codes.ts';
import { rareColor, withoutColor } from './people.ts';

const signer = (order = 1, more: Partial<FlowSignatory> = {}): FlowSignatory => ({
  role: role.signer,
  order,
  ...more,
});

const oneSigner = (name: string, { proves = [], ...more }: Partial<FlowDefinition>): FlowDefinition => ({
  name,
  signatories: [signer()],
  documents: ['page'],
  proves: [
    'signing.signer-signs',
    'otp.not-asked',
    'signing.email-used',
    'signing.message-shown',
    'signing.title-mailed',
    ...proves,
  ],
  script: async (flow) => {
    const blame = more.subscription ? undefined : 'events.optional';
    await flow.send(blame);
    await judgeShown(flow, 0, { brief: true });
    await flow.acts(0, blame);
    if (proves.includes('signing.color-no-effect')) flow.judgeCompleted(withoutColor);
  },
  ...more,
});

export const withoutCallbackUrl = oneSigner('no CallbackUrl', {
  documents: [],
  // In this request nothing else is special for which the person could be refused once it is sent.
  signatories: [signer(1, { idleOtp: otpType.emailAndSms })],
  proves: ['events.optional'],
});

export const eventFlows: readonly FlowDefinition[] = [
  oneSigner('events 1 and 2', {
    documents: [],
    signatories: [signer(1, { idleOtp: otpType.sms })],
    subscription: [event.requestReceived, event.signatoryCompleted],
    // To ask for the documents does not bring event 3, which is not subscribed to.
    attached: true,
    proves: ['events.request-received', 'events.only-subscribed', 'events.to-callback-url'],
  }),
  oneSigner('event 2 alone, the listener away at first', {
    documents: [],
    signatories: [signer(1, { idleOtp: otpType.emailAndSms })],
    subscription: [event.signatoryCompleted],
    attached: false,
    // Whether and when a service repeats a delivery is not shown, so the first one counts although it is answered with 503.
    away: 2,
    proves: ['events.signatory-completed', 'events.only-subscribed'],
  }),
  oneSigner('event 3 alone, documents attached', {
    documents: ['mixed'],
    signatories: [signer(1, { color: rareColor(0), idleOtp: otpType.accessCode })],
    subscription: [event.processCompleted],
    attached: true,
    proves: [
      'events.process-completed',
      'events.only-subscribed',
      'events.documents-attached',
      'signing.color-no-effect',
    ],
  }),
  oneSigner('a DOCX and a DOC, attached', {
    documents: ['docx', 'doc'],
    signatories: [signer(1, { idleOtp: otpType.accessCode, accented: true })],
    accented: 'Message',
    subscription: [event.all],
    attached: true,
    proves: [
      'events.all',
      'events.documents-attached',
      'signing.signer-views',
      'signing.name-shown',
      ...titled,
    ],
    script: async (flow) => {
      await flow.send();
      await judgeShown(flow, 0);
      await flow.acts(0);
    },
  }),
  withoutCallbackUrl,
];
