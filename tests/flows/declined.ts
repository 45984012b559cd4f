/** The flow of a run that explores: a signer declines. What follows is shown nowhere, so that nothing is judged. */
import type { FlowDefinition } from '../../harness/flows/flow.ts';
import { event, role } from '../../openapi/codes.ts';

export const declinedFlow: FlowDefinition = {
  name: 'a signer declines',
  signatories: [{ role: role.signer, order: 1 }],
  documents: ['page'],
  // Code 0 brings what a vendor may send beyond the three events, too.
  subscription: [event.all],
  attached: false,
  explores: 'decline',
  proves: [],
  script: (flow) => flow.send(),
};
