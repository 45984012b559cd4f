/** One signing page in a browser, by the selectors of the profile. */
import type { BrowserContext, Locator, Page, Response } from '@playwright/test';
import type { PageSettings } from '../profile/signing-settings.ts';
import { askUntil, askWhile } from '../target/budgets/pause.ts';
import { withinTime } from '../untrusted/deadline.ts';
import { fold } from '../untrusted/html.ts';
import { limits } from '../untrusted/limits.ts';
import type { Act } from './driver.ts';

/** Longest time for a single step. */
export const stepMs = 10_000;
/** How long a control may take to appear once the page is there: less when the profile says what "there" is. */
const settleMs = { readyKnown: 300, guessed: 1_500 } as const;

/** How the pauses between looks at the page grow. They may be short: looking costs the target nothing. */
const looking = { times: 1.6, longestMs: 100 };

type Selected = Exclude<keyof PageSettings, 'url'>;

export class SigningPage {
  readonly page: Page;
  /** Resolves with the reason when the page has to be left. */
  readonly left: Promise<string>;
  readonly #settings: PageSettings;
  #leave: (reason: string) => void = () => {};

  private constructor(page: Page, settings: PageSettings) {
    this.page = page;
    this.#settings = settings;
    this.left = new Promise((resolve) => {
      this.#leave = resolve;
    });
  }

  /** A fresh page, which is kept within bounds from now on. */
  static async in(context: BrowserContext, settings: PageSettings): Promise<SigningPage> {
    const signing = new SigningPage(await context.newPage(), settings);
    await signing.#watch(context);
    return signing;
  }

  /** Answers questions, closes other windows, and counts what the page does. */
  async #watch(context: BrowserContext): Promise<void> {
    const { page } = this;
    const dialogs = this.#counter('pageDialogs');
    const windows = this.#counter('pageWindows');
    const navigations = this.#counter('pageNavigations');
    const requests = this.#counter('pageRequests');
    const frames = this.#counter('pageFrames');
    const bytes = this.#counter('pageBytes');
    // "Do you really want to sign?": yes. A dialog that was closed meanwhile needs no answer.
    context.on('dialog', (dialog) => {
      dialogs(1);
      void dialog.accept().catch(() => undefined);
    });
    context.on('page', (other) => {
      windows(1);
      void other.close().catch(() => undefined);
    });
    context.on('request', () => requests(1));
    page.on('frameattached', () => frames(1));
    page.on('framenavigated', (frame) => navigations(frame === page.mainFrame() ? 1 : 0));
    page.on('crash', () => this.#leave('the signing page crashed'));
    page.on('close', () =>
      this.#leave('the signing page was closed: by itself, or since it told or loaded too much'),
    );
    const network = await context.newCDPSession(page);
    network.on('Network.dataReceived', ({ dataLength }) => bytes(dataLength));
    network.on('Network.webSocketFrameReceived', ({ response }) => bytes(response.payloadData.length));
    await network.send('Network.enable');
  }

  #counter(name: keyof typeof limits): (more: number) => void {
    const { most, unit, of } = limits[name];
    let count = 0;
    return (more) => {
      count += more;
      if (count > most) this.#leave(`the signing page was left: more than ${most} ${unit || of}`);
    };
  }

  /** Opens the address, again while a fresh id may give 404, for `readyMs`. Resolves with why it could not be opened. */
  async open(address: string, readyMs: number): Promise<string | undefined> {
    const isFresh = (status: number) => status === 404;
    const status = await askWhile(readyMs, isFresh, () => this.#goto(address));
    if (status < 400 || (await this.shows('refused'))) return undefined;
    return `the signing page was answered with ${status}`;
  }

  /** The status with which the address was answered in the end. */
  async #goto(address: string): Promise<number> {
    let status = 0;
    const note = (response: Response) => {
      if (response.request().isNavigationRequest() && response.frame() === this.page.mainFrame())
        status = response.status();
    };
    this.page.on('response', note);
    try {
      await this.page.goto(address, { timeout: stepMs, waitUntil: 'domcontentloaded' });
    } catch (error) {
      // Chromium shows a page of its own for an error that comes without a body: it may break off this
      // navigation before its status is told, or the next one.
      const ownPage = /ERR_HTTP_RESPONSE_CODE_FAILURE|interrupted by another navigation/.test(String(error));
      if (status < 400 && !ownPage) throw error;
      if (status < 400) return 404;
    } finally {
      this.page.off('response', note);
    }
    return status;
  }

  /** Waits until the page can be used; resolves with why it cannot. */
  async ready(): Promise<string | undefined> {
    const known: readonly Selected[] = this.#settings.ready
      ? ['ready', 'refused']
      : ['refused', 'done', 'sign', 'approve', 'requestOtp', 'otp', 'accessCode', 'document'];
    const first = await this.firstOf(known, stepMs);
    if (first !== undefined) return undefined;
    const names = known.filter((name) => this.#settings[name] !== undefined);
    return `the signing page shows none of ${names.map((name) => `signing.page.${name}`).join(', ')}`;
  }

  /** All visible elements of a selector; none when the profile does not have it. */
  all(name: Selected): Locator | undefined {
    const selector = this.#settings[name];
    return selector === undefined ? undefined : this.page.locator(selector).filter({ visible: true });
  }

  async shows(name: Selected): Promise<boolean> {
    const elements = this.all(name);
    return elements !== undefined && (await this.#has(elements));
  }

  /** The first of these that is visible within the time. */
  firstOf(names: readonly Selected[], withinMs: number): Promise<Selected | undefined> {
    return askUntil(
      withinMs,
      async () => {
        for (const name of names) {
          if (await this.shows(name)) return name;
        }
        return undefined;
      },
      looking,
    );
  }

  /** Whether the person may act so: its control is visible and enabled, or becomes so in a moment. */
  async offers(act: Act): Promise<boolean> {
    const control = this.all(act);
    if (!control) return false;
    const withinMs = this.#settings.ready ? settleMs.readyKnown : settleMs.guessed;
    const isUsable = async () => (await this.#has(control)) && (await control.first().isEnabled());
    return askWhile(withinMs, (usable) => !usable, isUsable, looking);
  }

  /** Fills one code into each field; repeats that when the page was reloaded meanwhile. */
  async fill(name: 'otp' | 'accessCode', codes: readonly string[]): Promise<void> {
    const fields = this.all(name);
    if (!fields) return;
    await fields.first().waitFor({ timeout: stepMs });
    const count = await fields.count();
    const [only = ''] = codes;
    // A field for each character is a common form of input for a single code.
    const values = codes.length === 1 && count > 2 && count === only.length ? [...only] : codes;
    await askUntil(stepMs, async () => {
      await this.page.waitForLoadState('domcontentloaded', { timeout: stepMs });
      for (const [at, value] of values.slice(0, count).entries())
        await fields.nth(at).fill(value, { timeout: stepMs });
      const first = await fields.first().inputValue({ timeout: stepMs });
      return first === '' && values[0] !== '' ? undefined : true;
    });
  }

  async click(name: Selected): Promise<void> {
    await this.all(name)?.first().click({ timeout: stepMs });
  }

  /** Whether the browser itself keeps a form back, because a field has to be filled. */
  async holdsBack(): Promise<boolean> {
    return this.#has(this.page.locator('input:invalid, select:invalid, textarea:invalid'));
  }

  /** The beginning of what can be read on the page, or on the first element of a selector. */
  async text(name?: Selected): Promise<string> {
    const element = (name && this.all(name)?.first()) ?? this.page.locator('body');
    const { most } = limits.pageCharacters;
    if (await this.#has(element.locator(`xpath=self::*[string-length() > ${most}]`)))
      throw new Error(`it has more than ${most} characters`);
    return fold((await element.innerText({ timeout: stepMs })).slice(0, limits.textCharacters.most));
  }

  /** What the page is made of; empty where it does not say in time. */
  source(): Promise<string> {
    const source = this.page.content().then((text) => text.slice(0, limits.pageCharacters.most));
    return withinTime(stepMs, source, () => '');
  }

  /** Whether there is such an element. A script that never ends keeps every question waiting. */
  async #has(elements: Locator): Promise<boolean> {
    const count = await withinTime(stepMs, elements.count(), () => undefined);
    if (count === undefined) throw new Error(`it does not respond within ${stepMs / 1000} s`);
    return count > 0;
  }
}
