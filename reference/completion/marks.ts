/** Which marks go onto a completed document: one for each stamp, or one for each signer who has none. */
import { requestType, role } from '../../openapi/codes.ts';
import type { Stamp, StoredRequest, StoredSignatory } from '../model.ts';
import { isOn } from '../rules.ts';
import type { Service } from '../service.ts';

/** The unit and the origin of a place. */
interface Measure {
  readonly unit: 'points' | 'pixels' | 'millimetres' | 'percent';
  readonly origin: 'bottom-left' | 'top-left' | 'centre';
}

/** The place of a stamp, or one of the `of` places in rows from the foot of the page. */
type Place =
  | (Pick<Stamp, 'x' | 'y' | 'width' | 'height'> & {
      readonly measure: Measure;
      /** Whether a mark that would lie beyond the page is moved to its edge. */
      readonly kept: boolean;
    })
  | { readonly rank: number; readonly of: number };

export interface Mark {
  readonly page: Stamp['page'];
  readonly place: Place;
  /** What the person entered, with the label of the stamp below it. */
  readonly lines: readonly string[];
  /** Fills the mark; only a fault gives it one. */
  readonly fill: string | null;
}

const points: Measure = { unit: 'points', origin: 'bottom-left' };

/** The marks on one document. Approvers leave none. */
export function marksOf(
  service: Service,
  request: StoredRequest,
  signatories: readonly StoredSignatory[],
  document: number,
): readonly Mark[] {
  const signed = signatories.filter((each) => each.state === 'completed' && each.role === role.signer);
  return signed.flatMap((signatory, rank) => {
    if (signatory.stamps.length === 0)
      return service.dialect.unstamped === 'mark' ? [ownMark(service, signatory, rank, signed.length)] : [];
    const isMissing = isOn(service, {
      'stamping.placed/no-stamps': true,
      'stamping.placed/of-first-signatory': rank > 0,
      'stamping.placed/second-beside-cc': rank > 0 && signatories.some((each) => each.role === role.cc),
      'stamping.placed/not-of-coded': signatory.otp?.isRequired === true,
    });
    if (isMissing) return [];
    const listed = signatory.stamps.filter((stamp) => stamp.document === null || stamp.document === document);
    const here = listed.toSorted((one, other) => one.order - other.order);
    const isMixed = service.faulty('stamping.placed/names-mixed');
    const named = isMixed ? (signed[(rank + 1) % signed.length] ?? signatory) : signatory;
    return here.map((stamp, index) => {
      const others = { first: here[0], listed: listed[index], ofFirst: signed[0]?.stamps[0] };
      return stampMark(service, request, named, distorted(stamp, { rank, index, ...others }, service));
    });
  });
}

/** Where a stamp stands among others. */
interface Among {
  /** Position of the person among those who signed, from 0. */
  readonly rank: number;
  /** Position of the stamp among those of the person on the document, by its Order, from 0. */
  readonly index: number;
  /** The first stamp of the person on the document. */
  readonly first: Stamp | undefined;
  /** The stamp that is at the same position in the list of the person's stamps. */
  readonly listed: Stamp | undefined;
  /** The first stamp of the first person. */
  readonly ofFirst: Stamp | undefined;
}

/** The stamp with the faults that take it for another one, or by which its size or place depends on others. */
function distorted(stamp: Stamp, among: Among, { faulty }: Service): Stamp {
  const { rank, index, first, listed, ofFirst } = among;
  if (index === 2 && first && faulty('stamping.placed/third-at-first')) return first;
  const { width, height } =
    (faulty('stamping.placed/size-of-first') && ofFirst) ||
    (faulty('stamping.placed/sizes-as-listed') && listed) ||
    stamp;
  const times =
    (rank === 1 && faulty('stamping.placed/second-halved') && 0.5) ||
    (index === 2 && faulty('stamping.placed/third-doubled') && 2) ||
    (index > 0 && faulty('stamping.placed/further-of-own-size') && 3) ||
    1;
  const isTurned = rank === 1 && faulty('stamping.placed/second-turned');
  return {
    ...stamp,
    x: rank === 2 && faulty('stamping.placed/third-signatory-halved') ? stamp.x / 2 : stamp.x,
    y: rank === 1 && faulty('stamping.placed/second-signatory-on-diagonal') ? stamp.x : stamp.y,
    width: times * (isTurned ? height : width),
    height: times * (isTurned ? width : height),
  };
}

/** The mark of a stamp. Stamps of type 3 are measured as the dialect says, others in points from the lower left corner. */
function stampMark(service: Service, request: StoredRequest, signatory: StoredSignatory, stamp: Stamp): Mark {
  const { dialect, faulty } = service;
  const asked = request.type === requestType.autoStamping;
  return {
    page: stamp.page,
    place: {
      ...misread(stamp, service),
      width: faulty('stamping.placed/square') ? stamp.height : stamp.width,
      height: faulty('stamping.placed/height-ignored') ? 40 : stamp.height,
      measure: asked ? { unit: dialect.stampUnit, origin: dialect.stampOrigin } : points,
      kept: dialect.stampsBeyond === 'moved',
    },
    lines: [stampedText(signatory, stamp.type), stamp.identifier, ...writtenColor(service, signatory)],
    fill: drawnColor(service, signatory, asked && 'drawn-in-type-3'),
  };
}

/** The place with the faults applied that misread its numbers. */
function misread({ x, y }: Pick<Stamp, 'x' | 'y'>, { faulty }: Service): Pick<Stamp, 'x' | 'y'> {
  if (faulty('stamping.placed/axes-swapped')) return { x: y, y: x };
  if (faulty('stamping.placed/sign-ignored')) return { x: Math.abs(x), y: Math.abs(y) };
  if (!faulty('stamping.placed/rounded')) return { x, y };
  return { x: 10 * Math.round(x / 10), y: 10 * Math.round(y / 10) };
}

/** Marks of signers without stamps stand in rows at the foot of the last page. */
function ownMark(service: Service, signatory: StoredSignatory, rank: number, of: number): Mark {
  const tells = service.faulty('signing.private-message/in-document');
  const told = tells && signatory.privateMessage !== null ? [signatory.privateMessage] : [];
  return {
    page: null,
    place: { rank, of },
    lines: [`Signed by ${signatory.name}`, dayOf(signatory), ...writtenColor(service, signatory), ...told],
    fill: drawnColor(service, signatory, rank > 0 && 'drawn-for-later'),
  };
}

function stampedText(signatory: StoredSignatory, type: string): string {
  switch (type) {
    case 'email':
      return signatory.email;
    case 'date':
      return dayOf(signatory);
    case 'initial':
      return signatory.name
        .split(/\s+/)
        .map((part) => Array.from(part)[0] ?? '')
        .join('');
    default:
      return signatory.name;
  }
}

const dayOf = ({ actedAt }: StoredSignatory): string => new Date(actedAt ?? 0).toISOString().slice(0, 10);

/** Section "Signatory": Color has no effect on the final document. */
function drawnColor(
  { faulty }: Service,
  { color }: StoredSignatory,
  also: 'drawn-in-type-3' | 'drawn-for-later' | false,
): string | null {
  const drawn =
    faulty('signing.color-no-effect/drawn') || (also && faulty(`signing.color-no-effect/${also}`));
  return drawn ? color : null;
}

function writtenColor({ faulty }: Service, { color }: StoredSignatory): readonly string[] {
  return color !== null && faulty('signing.color-no-effect/written') ? [color] : [];
}
