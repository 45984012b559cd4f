/** All flows of a run. */
import type { FlowDefinition } from '../../harness/flows/flow.ts';
import { event, role } from '../../openapi/codes.ts';
import { eventFlows } from './events.ts';
import { otpFlow, rightCodesFlow } from './otp.ts';
import { peopleFlows } from './people.ts';
import { twoAlike } from './side-by-side.ts';
import { stampingFlows } from './stamping.ts';

export const declinedFlow: FlowDefinition = {
  name: 'a signer declines',
  signatories: [{ role: role.signer, order: 1 }],
  documents: ['page'],
  // Code 0 may also bring further events of a vendor.
  subscription: [event.all],
  attached: false,
  explores: 'decline',
  proves: [],
  script: (flow) => flow.send(),
};

export const flows: readonly FlowDefinition[] = [
  ...eventFlows,
  ...peopleFlows,
  twoAlike,
  otpFlow,
  rightCodesFlow,
  ...stampingFlows,
  declinedFlow,
];
