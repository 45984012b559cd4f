/** What a person does on an open signing page: enters codes, signs or approves, and reads the outcome. */
import type { PageSettings } from '../profile/signing-settings.ts';
import { limits } from '../untrusted/limits.ts';
import { inShort } from '../untrusted/text.ts';
import { channelsOf, codesFor, knownMessages } from './codes.ts';
import type { Act, Codes, EnteredCodes, SigningTask } from './driver.ts';
import type { OutboxReader } from './outbox.ts';
import { type SigningPage, stepMs } from './signing-page.ts';

type Came =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string; readonly malformed?: true }
  | { readonly kind: 'unknown'; readonly reason: string; readonly mayBeDone?: true };

interface PageAttempt {
  readonly task: SigningTask;
  readonly act: Act;
  readonly codes: Codes | EnteredCodes;
  readonly settings: PageSettings;
  readonly outbox: OutboxReader;
}

/** How long a form that the browser seems to hold back for an invalid field may still take to be sent. */
const heldBackMs = 500;

export async function signOn(page: SigningPage, attempt: PageAttempt): Promise<Came> {
  const { task, act, codes, settings } = attempt;
  if (await page.shows('refused')) return refusal(await page.text('refused'));
  if (await page.shows('done'))
    return { ...unknown('the page says that the person has acted before they did'), mayBeDone: true };
  const entered = await enterCodes(page, attempt);
  if (entered.ended) return entered.ended;
  const { lacking } = entered;
  if (!(await page.offers(act))) {
    if (await page.shows('refused')) return refusal(await page.text('refused'), lacking);
    const reason = `the page does not offer signing.page.${act}${settings[act] ? '' : ', which the profile does not have'}`;
    const gate = (await page.shows('otp')) || (await page.shows('accessCode'));
    // With right codes the page should go on: where it still asks for codes, the selectors may be wrong.
    if (gate && task.otp && codes === 'right') return unknown(reason);
    const came = refusal(reason, lacking);
    // The selector may be wrong, or the page may have a step before that the profile does not know.
    return came.kind === 'refused' ? { ...came, malformed: true } : came;
  }
  await page.click(act);
  const heldBack = await page.holdsBack();
  const came = await page.firstOf(['refused', 'done'], heldBack ? heldBackMs : stepMs);
  if (came === 'done') return { kind: 'done' };
  if (came === 'refused') return refusal(await page.text('refused'), lacking);
  const keepsBack =
    'the page keeps its form back: a field has to be filled or ticked first, which a signing module can do (signing.driver: module)';
  if (heldBack) return refusal(keepsBack, lacking);
  const neither = `neither signing.page.done nor signing.page.refused was there within ${stepMs / 1000} s`;
  return { ...unknown(neither), mayBeDone: true };
}

async function enterCodes(page: SigningPage, attempt: PageAttempt) {
  const { task, codes, settings, outbox } = attempt;
  if (!task.otp || codes === 'none') return {};
  const given = typeof codes === 'object';
  const asks = !given && channelsOf(task).length > 0 && (await page.shows('requestOtp'));
  const known = asks && codes === 'right' ? await knownMessages(task, outbox) : undefined;
  if (asks) await page.click('requestOtp');
  const found = await codesFor(task, codes, outbox, known);
  if (found.kind === 'none') {
    if (await page.shows('refused')) return { ended: refusal(await page.text('refused')) };
    return { ended: unknown(found.reason) };
  }
  const { lacking, entered } = found;
  const { email, sms, accessCode } = entered;
  const passwords = [email, sms].filter((code) => code !== undefined);
  if (passwords.length > 0) await page.fill('otp', passwords);
  // A page may take every code in the same field.
  if (accessCode !== undefined) await page.fill(settings.accessCode ? 'accessCode' : 'otp', [accessCode]);
  if (await page.shows('submitCodes')) {
    await page.click('submitCodes');
    const next = await page.firstOf(['refused', 'sign', 'approve'], stepMs);
    if (next === 'refused') return { ended: refusal(await page.text('refused'), lacking) };
  }
  return { lacking };
}

const unknown = (reason: string) => ({ kind: 'unknown', reason }) as const;

/** A refusal says nothing where a code was missing. */
function refusal(words: string, lacking?: string): Came {
  const reason = inShort(words, limits.pageReason.most);
  return lacking === undefined ? { kind: 'refused', reason } : unknown(`${reason}; ${lacking}`);
}
