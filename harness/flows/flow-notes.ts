/** What a flow under way has done, read and judged so far. */
import type { GeneratedDocument } from '../../generators/documents/document.ts';
import type { GapId } from '../../openapi/gaps/register.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { Interval } from '../../record/facts.ts';
import type { Found } from '../../record/finding.ts';
import type { FlowExpected, FlowSeen, Person } from '../../record/flow-finding.ts';
import { type FlowJudgement, personOf, type SequenceObservation } from '../judging/sequence/judgement.ts';
import type { Channel, Said, SigningTask } from '../people/driver.ts';
import type { ReadMessage } from '../people/messages/message.ts';
import { sparing } from '../target/budgets/pause.ts';
import { unsignedAmong } from './completed.ts';
import type { FlowParts } from './flow-parts.ts';
import type { Addressee, CompletedJudge, Deferred } from './flow-plan.ts';
import type { FlowRequest } from './flow-request.ts';
import type { SeenState } from './track-status.ts';

/** A message that leads somewhere, or has files. */
const leads = ({ links, attachments }: ReadMessage) => links.length > 0 || attachments.length > 0;

export class FlowNotes {
  readonly request: FlowRequest;
  /** Positions of all people in the plan. */
  readonly people: readonly number[];
  readonly documents: readonly GeneratedDocument[];
  readonly judgements: FlowJudgement[] = [];
  readonly deferred: Deferred[] = [];
  readonly completed: {
    signatory: number;
    at: Interval;
    exchange: number | undefined;
    afterTry: FlowJudgement['afterTry'];
  }[] = [];
  readonly attempted: { signatory: number; at: Interval }[] = [];
  /** What answers to acts say, of those that count as done. */
  readonly answers: { signatory: number; exchange: number; said: Said }[] = [];
  readonly completedJudges: CompletedJudge[] = [];
  readonly observations: SequenceObservation[] = [];
  /** What the target called the state of the request, and when. */
  readonly states: SeenState[] = [];
  /** When the profile's call sent the request. */
  protected sentByCall: Interval | undefined;
  /** Something was done whose outcome is not shown: from then on neither events nor missing ones are judged. */
  open = false;
  protected readonly parts: FlowParts;
  readonly #followed = new Map<string, Promise<Uint8Array | null>>();

  constructor(request: FlowRequest, parts: FlowParts) {
    this.request = request;
    this.parts = parts;
    this.people = [...request.definition.signatories.keys()];
    this.documents = request.documents;
  }

  get isStamped(): boolean {
    return this.request.definition.stamped === true;
  }

  /** When the request was sent: one of type 3, which has all its people from the beginning, when it was created. */
  get sent(): Interval | undefined {
    const { definition, created, sent } = this.request;
    return this.sentByCall ?? (definition.stamped ? created : sent);
  }

  /** Title and Message of the request, as they were accepted. */
  get title(): string {
    return this.request.title;
  }
  get message(): string {
    return this.request.message;
  }

  /** The PrivateMessage of a person, as it was accepted; empty where they have none. */
  privateMessageOf = (signatory: number): string => this.request.privateMessageOf(signatory);

  /** Positions of the people whom the target let act. */
  get done(): readonly number[] {
    return this.completed.map(({ signatory }) => signatory);
  }

  /** Judges the completed documents once they are there. */
  judgeCompleted(judge: CompletedJudge): void {
    this.completedJudges.push(judge);
  }

  applies(requirement: RequirementId): boolean {
    return this.parts.facts.notApplicable[requirement] === undefined;
  }

  get driverShows(): boolean {
    return this.parts.driver.shows;
  }

  get driverEnters(): boolean {
    return this.parts.driver.enter !== undefined;
  }

  reads(channel: Channel): boolean {
    return this.parts.outbox.reads(channel);
  }

  /** Why not all messages to a person could be read, such as a list that has only their beginnings. */
  unreadOf(signatory: number, channel: Channel): string | undefined {
    return this.parts.outbox.problem(this.task(signatory), channel);
  }

  judge(
    requirement: RequirementId,
    verdict: FlowJudgement['verdict'],
    found: Found,
    exchanges: readonly number[] = [],
    assumes?: RequirementId,
    more: Pick<FlowJudgement, 'malformed' | 'afterTry' | 'blank' | 'otherwise'> = {},
  ): void {
    this.judgements.push({ requirement, verdict, found, exchanges, assumes, ...more });
  }

  observe(gap: GapId, key: string, value: string | number): void {
    this.observations.push({ gap, key, value, stability: 'stable', deliveries: [] });
  }

  /**
   * Judges a message. A failure stands only if messages to this person, and some of the channel at all, could be
   * read.
   * @param isAmong whether the missed message is among those that came to the person by the end
   */
  judgeMessage(
    requirement: RequirementId,
    { signatory, channel }: Addressee,
    holds: boolean,
    expected: FlowExpected,
    isAmong?: (messages: readonly ReadMessage[]) => boolean | Promise<boolean>,
  ): void {
    const found = { flow: { expected } };
    const { outbox } = this.parts;
    const task = this.task(signatory);
    const problem = this.unreadOf(signatory, channel);
    // A message that brings a code leads nowhere: who looks for one waits for it.
    const until = expected.is === 'code' ? () => true : leads;
    const cameLate = async () =>
      isAmong !== undefined && (await isAmong(await outbox.messages(task, channel, until, sparing)));
    const failed = { requirement, verdict: 'failed', found, exchanges: [] } as const;
    if (holds) this.judge(requirement, 'passed', found);
    else this.deferred.push({ ...failed, channel, problem, cameLate });
  }

  get failed(): readonly RequirementId[] {
    return this.judgements.flatMap(({ requirement, verdict }) => (verdict === 'failed' ? [requirement] : []));
  }

  hasFailed(requirement: RequirementId): boolean {
    return this.failed.includes(requirement);
  }

  task(signatory: number): SigningTask {
    const task = this.request.tasks[signatory];
    if (!task) throw new Error(`the flow "${this.request.definition.name}" has no signatory ${signatory}`);
    return task;
  }

  /** A person as findings name them. */
  person(signatory: number): Person {
    return personOf({ signatories: this.request.tasks }, signatory);
  }

  /** Why files cannot be the signed PDFs; undefined when nothing is known to be wrong with them. */
  unsigned(files: Parameters<typeof unsignedAmong>[0]): Promise<FlowSeen['unsigned']> {
    return unsignedAmong(files, this.request, this.parts);
  }

  /** The file that a link in a message leads to, or `null`. Fetched once: several people may get the same link. */
  follow(link: string): Promise<Uint8Array | null> {
    const found = this.#followed.get(link) ?? this.parts.fetchLink(link, 'link in a message');
    this.#followed.set(link, found);
    return found;
  }

  /** Messages to a person, once `until` holds for one of them or time is up. */
  messages(
    signatory: number,
    channel: Channel,
    until: (message: ReadMessage) => boolean = () => true,
  ): Promise<readonly ReadMessage[]> {
    // An SMS is looked for only together with a code, which was waited for already.
    const how = this.request.definition.sparing || channel === 'sms' ? sparing : undefined;
    return this.parts.outbox.messages(this.task(signatory), channel, until, how);
  }

  /** The e-mails to a person that were found the last time somebody looked. */
  lettersSeen(signatory: number): readonly ReadMessage[] {
    return this.parts.outbox.seen(this.task(signatory), 'email');
  }
}
