/** Calls that change a request after its creation, as commands of fast-check: add, send, act, ask for a code, delete. */
import fc from 'fast-check';
import { otpType, role } from '../../../openapi/codes.ts';
import { signatoryBody } from '../../suite/reference-client.ts';
import { type Command, callers, command, mostly, personAt, requestAt } from './command.ts';
import {
  type Action,
  accessReasons,
  act,
  actReasons,
  type Caller,
  type Demand,
  type ModelPerson,
  type ModelRequest,
  type Reason,
  requestReasons,
  send,
  sendReasons,
} from './model.ts';
import { judge, madeUpId, type World } from './world.ts';

const requests = fc.constantFrom(0, 0, 0, 1, 2);

const otpOf = {
  nothing: { IsRequired: false, Type: otpType.email },
  code: { IsRequired: true, Type: otpType.email },
  'access-code': { IsRequired: true, Type: otpType.accessCode, AccessCode: 'open sesame' },
} as const satisfies Record<Demand, unknown>;

/** Fields whose absence the document answers with 400. */
const needed = ['Email', 'Name', 'Order', 'SignatoryType'] as const;

/** People as sequences have them. */
export const people = fc.record({
  order: fc.integer({ min: 1, max: 3 }),
  role: fc.constantFrom<1 | 2 | 3>(1, 1, 1, 2, 3),
  demand: fc.constantFrom<Demand>('nothing', 'nothing', 'code', 'access-code'),
});

type Person = typeof people extends fc.Arbitrary<infer Drawn> ? Drawn : never;

interface Addition extends Person {
  readonly caller: Caller;
  readonly request: number;
  readonly broken: 'nothing' | 'mobile' | (typeof needed)[number];
}

export const addSignatory = fc
  .tuple(
    people,
    fc.record({ caller: callers, request: requests, broken: mostly('nothing', ...needed, 'mobile') }),
  )
  .map(([person, more]) => addWith({ ...person, ...more }));

export function addWith(given: Addition): Command {
  return command('add', given, async (model, world) => {
    const request = requestAt(model, given.request);
    const requestId = request?.id ?? madeUpId(given.request);
    const email = `person-${request?.people.length ?? 0}@example.com`;
    const body: Record<string, unknown> = {
      ...signatoryBody,
      Email: email,
      Order: given.order,
      SignatoryType: given.role,
      OTP: given.broken === 'mobile' ? { IsRequired: true, Type: otpType.sms } : otpOf[given.demand],
    };
    if (given.broken !== 'nothing') delete body[given.broken];
    const open: readonly Reason[] = request && request.state !== 'draft' ? ['refused'] : [];
    const reply = await world.client.add(encodeURIComponent(requestId), body, world.as(given.caller));
    const taken = judge('add', reply, [
      ...accessReasons(given.caller, true),
      ...requestReasons(request, given.caller, true),
      ...(given.broken === 'nothing' ? [] : [400]),
      ...open,
    ]);
    if (!taken || !request) return undefined;
    const { order, demand } = given;
    const id = String(reply.json.signatoryId);
    const known = model.requests.flatMap(({ people }) => people.map((person) => person.id));
    if (known.includes(id)) throw new Error(`signatoryId ${id} was given out before`);
    request.people.push({ id, email, order, role: given.role, demand, state: 'waiting' });
    return request;
  });
}

interface Sending {
  readonly caller: Caller;
  readonly request: number;
}

export const sendRequest = fc.record({ caller: callers, request: requests }).map((given) => sendWith(given));

/** @param possible only where it can be sent */
export function sendWith(given: Sending, possible = false): Command {
  return command('send', given, async (model, world) => {
    const request = requestAt(model, given.request);
    if (possible && request && sendReasons(request).length > 0) return undefined;
    const reply = await world.call('POST', request?.id ?? madeUpId(given.request), '/send', given.caller);
    const reasons = [
      ...accessReasons(given.caller, false),
      ...requestReasons(request, given.caller, false),
      ...(request ? sendReasons(request) : []),
    ];
    if (judge('send', reply, reasons) && request) send(request);
    return request;
  });
}

type Shown = 'right' | 'wrong' | 'nothing';

/** What a person shows before they act, and whether it is enough. */
async function proofOf(
  world: World,
  request: ModelRequest,
  person: ModelPerson,
  shown: Shown,
): Promise<{ readonly body: Record<string, string>; readonly enough: boolean }> {
  if (person.demand === 'nothing') return { body: {}, enough: true };
  const field = person.demand === 'code' ? 'otp' : 'accessCode';
  if (shown === 'nothing') return { body: {}, enough: false };
  if (shown === 'wrong') return { body: { [field]: 'no' }, enough: false };
  if (field === 'accessCode') return { body: { accessCode: 'open sesame' }, enough: true };
  await world.call('POST', request.id, `/signatories/${person.id}/otp`, 'owner');
  const otp = await world.code(request.id, person.email);
  return { body: otp === undefined ? {} : { otp }, enough: otp !== undefined };
}

export const actAs: fc.Arbitrary<Command> = fc
  .record({
    caller: callers,
    request: requests,
    /** `turn`: somebody whose turn it is, if there is anybody. */
    person: fc.oneof(fc.constant('turn' as const), fc.nat({ max: 3 })),
    /** `fitting`: what the person is there for. */
    action: fc.oneof(
      { weight: 4, arbitrary: fc.constant('fitting' as const) },
      { weight: 1, arbitrary: fc.constantFrom<Action>('sign', 'approve', 'decline') },
    ),
    shown: fc.constantFrom<Shown>('right', 'right', 'right', 'right', 'wrong', 'nothing'),
    /** How often the same call is made at the same time. */
    times: fc.constantFrom(1, 1, 1, 2, 3),
  })
  .map((given) =>
    command('act', given, async (model, world) => {
      const { caller, times } = given;
      const request = requestAt(model, given.request);
      const person = personAt(request, given.person);
      const usual = person?.role === role.approver ? 'approve' : 'sign';
      const action = given.action === 'fitting' ? usual : given.action;
      if (!request || !person) {
        const target = `/signatories/${madeUpId(7)}/${action}`;
        const reply = await world.call('POST', request?.id ?? madeUpId(given.request), target, caller, {});
        judge(action, reply, ['refused', ...accessReasons(caller, false)]);
        return request;
      }
      const proof = await proofOf(world, request, person, given.shown);
      const target = `/signatories/${person.id}/${action}`;
      const replies = await Promise.all(
        Array.from({ length: times }, () => world.call('POST', request.id, target, caller, proof.body)),
      );
      const reasons: readonly Reason[] = [
        ...accessReasons(caller, false),
        ...requestReasons(request, caller, false),
        ...actReasons(request, person, action),
        ...(proof.enough || action === 'decline' ? [] : (['refused'] as const)),
      ];
      // However many calls come at the same time, one of them acts.
      const sorted = replies.toSorted((one, other) => one.status - other.status);
      for (const [index, reply] of sorted.entries()) {
        judge(action, reply, index === 0 || reasons.length > 0 ? reasons : ['refused']);
      }
      if (reasons.length === 0) act(request, person, action);
      return request;
    }),
  );

export const deleteRequest: fc.Arbitrary<Command> = fc
  .record({ caller: callers, request: requests })
  .map((given) =>
    command('delete', given, async (model, world) => {
      const request = requestAt(model, given.request);
      const reply = await world.call('DELETE', request?.id ?? madeUpId(given.request), '', given.caller);
      const reasons = [
        ...accessReasons(given.caller, false),
        ...requestReasons(request, given.caller, false),
      ];
      if (judge('delete', reply, reasons) && request) request.deleted = true;
      return request;
    }),
  );
