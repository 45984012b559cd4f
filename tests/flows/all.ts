/** All flows of a run. */
import type { FlowDefinition } from '../../harness/flows/flow.ts';
import { declinedFlow } from './declined.ts';
import { eventFlows } from './events.ts';
import { otpFlow, rightCodesFlow } from './otp.ts';
import { peopleFlows } from './people.ts';
import { stampingFlows } from './stamping.ts';

export const flows: readonly FlowDefinition[] = [
  ...eventFlows,
  ...peopleFlows,
  otpFlow,
  rightCodesFlow,
  ...stampingFlows,
  declinedFlow,
];
