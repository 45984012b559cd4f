/** Two requests at a time with the same person: what is done with one of them does nothing to the other. */
import type { FlowDefinition, FlowScript } from '../../harness/flows/flow.ts';
import type { FlowPlan } from '../../harness/flows/flow-plan.ts';
import type { ReadMessage } from '../../harness/people/messages/message.ts';
import { plain } from '../../harness/untrusted/text.ts';
import { event, otpType, role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { mayNotEnterBlanks } from './otp.ts';
import { everyCode, secretOf } from './people.ts';

const oneOfTwo: Omit<FlowPlan, 'name'> = {
  signatories: [{ role: role.signer, order: 1, privateMessage: secretOf('the other request') }],
  documents: ['page'],
  subscription: everyCode,
  attached: true,
  // Events are not listed: they are judged only where each of them names its request.
  proves: ['signing.signer-signs'],
};

/** If e-mails to a person show the texts of another request, they have to show those of this one, too. */
function judgeTexts(flow: FlowScript, other: FlowScript, mails: readonly ReadMessage[]): void {
  // A mailbox may have only the newest e-mail.
  if (mails.filter(({ links }) => links.length > 0).length < 2) return;
  const judge = (requirement: RequirementId, what: string, textOf: (of: FlowScript) => string) => {
    const isTold = (of: FlowScript) => (some: typeof mails) =>
      some.some(({ text }) => plain(text).includes(plain(textOf(of))));
    if (!isTold(other)(mails)) return;
    const expected = { is: 'shows', what, places: [{ of: 'e-mail', person: flow.person(0) }] } as const;
    const to = { signatory: 0, channel: 'email' } as const;
    flow.judgeMessage(requirement, to, isTold(flow)(mails), expected, isTold(flow));
  };
  judge('signing.message-shown', 'Message', ({ message }) => message);
  judge('signing.private-message', 'PrivateMessage to its signatory', (of) => of.privateMessageOf(0));
}

/** E-mails with a link beside those that came before. */
const linkedBeside = (before: readonly ReadMessage[], mails: readonly ReadMessage[]) =>
  mails.filter(({ key, links }) => links.length > 0 && before.every((mail) => mail.key !== key));

/**
 * Judges that the person was written to for the request that was made first: an e-mail came before there was another
 * request, or two came for both.
 */
function judgeFirstLetter(flow: FlowScript, holds: boolean, mails: readonly ReadMessage[]): void {
  const isBoth = (some: typeof mails) => {
    const linked = linkedBeside([], some).length;
    return (linked > 0 ? linked : some.length) > 1;
  };
  const expected = { is: 'written-to', person: flow.person(0) } as const;
  const to = { signatory: 0, channel: 'email' } as const;
  flow.judgeMessage('signing.email-used', to, holds || isBoth(mails), expected, isBoth);
}

/** Whether the person's page shows the Message of a request; also true if the page cannot be read. */
async function mayShow(neighbour: FlowScript): Promise<(of: FlowScript) => boolean> {
  const page = await neighbour.view(0);
  return ({ message }) => page.kind !== 'seen' || plain(page.text).includes(plain(message));
}

/**
 * Two requests with the same person, Title, file name and CallbackUrl, but other codes, texts and documents: what is
 * done with one of them does nothing to the other. The one that was made last is signed first. Only the other one
 * asks for an AccessCode, if one can be entered, and has its documents attached.
 */
function sideBySide(coded: boolean): FlowDefinition {
  const person = { role: role.signer, order: 1, privateMessage: secretOf('the first of two requests') };
  return {
    ...oneOfTwo,
    name: 'two alike, the one made first',
    // A MobileNumber changes nothing about an AccessCode.
    signatories: [coded ? { ...person, otp: otpType.accessCode, numbered: true } : person],
    neighbour: {
      ...oneOfTwo,
      name: 'two alike, the one made last',
      subscription: [event.processCompleted, event.requestReceived],
      attached: false,
    },
    ...(coded ? { without: { 'otp.access-code-asked': sideBySide(false) } } : {}),
    proves: [
      ...oneOfTwo.proves,
      'signing.message-shown',
      'signing.private-message',
      'signing.email-used',
      ...(coded ? (['otp.gates-signing'] as const) : []),
    ],
    script: async (flow, neighbour) => {
      await flow.send('signing.signer-signs');
      const before = flow.reads('email') ? await flow.messages(0, 'email') : [];
      await neighbour.send();
      const isSecond = (some: typeof before) => linkedBeside(before, some).length > 0;
      const mails = flow.reads('email')
        ? await flow.messages(0, 'email', (mail) => isSecond([mail]))
        : before;
      if (flow.reads('email')) {
        judgeFirstLetter(flow, before.length > 0, mails);
        judgeTexts(flow, neighbour, mails);
      }
      // If the service sends requests by itself, both e-mails may have come before.
      const isOnce = before.length === 1 && !isSecond(mails) && flow.driverShows;
      const shows = isOnce ? await mayShow(neighbour) : undefined;
      // The page of the only e-mail may show what is to be signed next. Then no other e-mail is due.
      const isFirstAlone = shows?.(flow) === true && !shows(neighbour);
      const [first, last] = isFirstAlone ? [flow, neighbour] : [neighbour, flow];
      // Somebody who has signed another request without a code still needs one here.
      const needsCode = async (now: boolean) => {
        if (coded && now) await mayNotEnterBlanks(flow, 0, ['accessCode']);
      };
      await needsCode(first === flow);
      await first.acts(0, 'signing.signer-signs');
      await needsCode(last === flow);
      if (isFirstAlone && !(await mayShow(neighbour))(neighbour)) {
        const expected = { is: 'written-to', person: neighbour.person(0) } as const;
        const to = { signatory: 0, channel: 'email' } as const;
        neighbour.judgeMessage('signing.email-used', to, false, expected, isSecond);
      }
      await last.lull();
      await last.acts(0, 'signing.signer-signs');
    },
  };
}

export const twoAlike = sideBySide(true);
