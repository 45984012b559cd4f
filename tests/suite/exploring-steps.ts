/** People and steps of sequences, as tests of exploring write them. */
import type { Refusal, Sequence, Step } from '../../record/sequence.ts';

export const signer = (order: number, otp?: number) => ({
  role: 'signer' as const,
  order,
  ...(otp ? { otp } : {}),
});
export const approver = (order: number) => ({ role: 'approver' as const, order });
export const cc = { role: 'cc' as const, order: 1 };
export const of = (people: Sequence['people'], ...steps: readonly Step[]): Sequence => ({
  people,
  documents: ['page'],
  steps,
});
export const send: Step = { do: 'send' };
export const act = (who: number, more: Partial<Extract<Step, { do: 'act' }>> = {}): Step => ({
  do: 'act',
  who,
  ...more,
});

export const none = act(0, { code: 'none' });

export const twice = (who: number): Step => ({ do: 'together', who: [who, who] });

export const refused = (call: Refusal): Step => ({ do: 'refused', call });
