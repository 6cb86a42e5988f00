import type { IncomingHttpHeaders } from 'node:http';
import { type ChangedValue, changedValues } from 'billing-emulator/spec';
import {
  digitsOf,
  type ExactValue,
  isList,
  isObject,
  isText,
  parseExactValue,
  textsIn,
} from '../../kit/exact-json.ts';
import { Rational } from '../../kit/rational.ts';
import { Alignment } from './align.ts';
import type { ReadResponse } from './exchange.ts';
import { formOf, IdMap, type IdPair, matchTexts, tokensIn } from './id-map.ts';
import { isOfReceivers, isWording } from './not-compared.ts';

export type DifferenceKind =
  | 'status'
  | 'header'
  /** Only the service has it (`missing`), or only the emulator (`extra`). */
  | 'missing'
  | 'extra'
  | 'type'
  | 'value'
  | 'time'
  /** Both sides refer to an object, but not to the same one. */
  | 'reference';

export interface ResponseDifference {
  readonly kind: DifferenceKind;
  /** Such as `['body', 'items', '*', 'name']`. */
  readonly at: readonly string[];
  /** The ids of the items that contain it. */
  readonly within: readonly string[];
  readonly upstream: ExactValue | undefined;
  readonly emulator: ExactValue | undefined;
}

export interface Comparison {
  readonly differences: readonly ResponseDifference[];
  readonly learned: readonly IdPair[];
  /** Ids of the service without a counterpart in the emulator. */
  readonly orphans: readonly string[];
}

export interface ComparisonOptions {
  readonly ids: IdMap;
  /** The id of the operation; undefined where the document has none. */
  readonly operation: string | undefined;
  /** Lower-case names of the response headers in the document. */
  readonly headers: readonly string[];
}

/** Compares two responses to the same request: the service's and the emulator's. */
export function compareAnswers(
  upstream: ReadResponse,
  emulator: ReadResponse,
  options: ComparisonOptions,
): Comparison {
  const { status } = upstream;
  if (status !== emulator.status) return differentStatus(upstream, emulator);
  const ids = new IdMap(options.ids);
  const headers = headersThatDiffer(upstream, emulator, ids, options.headers);
  const alignment = new Alignment(
    ids,
    (field) => !isOfReceivers(options.operation, ['body', 'items', '*', field]),
  );
  const aligned = alignment.align(upstream.body, emulator.body);
  const values = [...changedValues(upstream.body, aligned, { isEqual: isSameWorth })]
    .map((change) => differenceOf(change, upstream.body, ids))
    .filter((found) => found !== undefined)
    .filter((found) => isCompared(found, options.operation, status));
  const missing = values.filter(({ kind }) => kind === 'missing').map((one) => one.upstream);
  return {
    differences: [...headers, ...values],
    learned: alignment.learned,
    orphans: missing
      .flatMap(identifiersIn)
      .filter((id) => ids.counterpart(id) === undefined && !ids.isGiven(id)),
  };
}

function differentStatus(upstream: ReadResponse, emulator: ReadResponse): Comparison {
  const [one, other] = [upstream, emulator].map(({ status }) => parseExactValue(`${status}`));
  return {
    differences: [{ kind: 'status', at: ['status'], upstream: one, emulator: other, within: [] }],
    learned: [],
    orphans: identifiersIn(upstream.body),
  };
}

/** Ids and tokens in a value that a service generated. */
export function identifiersIn(value: ExactValue | undefined): readonly string[] {
  return [...textsIn(value)]
    .filter((text) => formOf(text) !== undefined)
    .flatMap((text) => (formOf(text) === 'link' ? tokensIn(text) : [text]));
}

function headersThatDiffer(
  { headers: ours, body }: ReadResponse,
  { headers: theirs, body: other }: ReadResponse,
  ids: IdMap,
  names: readonly string[],
): readonly ResponseDifference[] {
  const found: ResponseDifference[] = [];
  const compare = (name: string, upstream: string | undefined, emulator: string | undefined) => {
    if (upstream !== emulator)
      found.push({ kind: 'header', at: ['header', name], within: [], upstream, emulator });
  };
  if (body !== undefined && other !== undefined)
    compare('content-type', mediaType(ours), mediaType(theirs));
  for (const name of names) {
    const [one, two] = [ours[name]?.toString(), theirs[name]?.toString()];
    const isAddress = name === 'location' && one !== undefined && two !== undefined;
    if (isAddress) compare(name, ids.translate(pathOf(one)), pathOf(two));
    else compare(name, one && 'any', two && 'any');
  }
  return found;
}

/** A changed value as a difference; undefined for texts that correspond. */
function differenceOf(
  { at, before, after }: ChangedValue,
  body: ExactValue | undefined,
  ids: IdMap,
): ResponseDifference | undefined {
  const [upstream, emulator] = [before, after] as (ExactValue | undefined)[];
  const kind = kindOf(upstream, emulator, ids);
  if (kind === undefined) return undefined;
  const isItem = typeof at.at(-1) === 'number';
  const own = isItem ? identifiersIn(upstream ?? emulator) : [];
  return {
    kind,
    upstream,
    emulator,
    at: named(['body', ...at]),
    within: [...idsOnTheWay(body, at), ...own],
  };
}

function kindOf(
  upstream: ExactValue | undefined,
  emulator: ExactValue | undefined,
  ids: IdMap,
): DifferenceKind | undefined {
  if (emulator === undefined) return 'missing';
  if (upstream === undefined) return 'extra';
  if (typeOf(upstream) !== typeOf(emulator)) return 'type';
  return isText(upstream) && isText(emulator)
    ? matchTexts(upstream, emulator, ids).differs
    : 'value';
}

/** The ids of the objects that contain a value. */
function idsOnTheWay(body: ExactValue | undefined, at: ChangedValue['at']): readonly string[] {
  const found: string[] = [];
  let part = body;
  for (const step of at) {
    if (isObject(part) && isText(part['id'])) found.push(part['id']);
    part = (part as Readonly<Record<string | number, ExactValue>> | undefined)?.[step];
  }
  return found;
}

const named = (at: ChangedValue['at']): readonly string[] =>
  at.map((step) => (typeof step === 'number' ? '*' : step));

/** Whether a difference counts: not what receivers did, and not the wording of an error. */
function isCompared(
  { kind, at, upstream }: ResponseDifference,
  operation: string | undefined,
  status: number,
): boolean {
  if (isOfReceivers(operation, at)) return false;
  const isPresent = kind !== 'missing' && kind !== 'extra' && kind !== 'type';
  return !(isPresent && isText(upstream) && isWording(operation, status, at));
}

/** Whether two values are equal, for numbers as 10 and 10.00 are. */
function isSameWorth(one: unknown, other: unknown): boolean {
  const [ours, theirs] = [digitsOf(one), digitsOf(other)];
  if (ours === undefined || theirs === undefined) return false;
  return Rational.of(ours).equals(theirs);
}

function typeOf(value: ExactValue): string {
  if (value === null) return 'null';
  if (digitsOf(value) !== undefined) return 'number';
  return isList(value) ? 'list' : typeof value;
}

const mediaType = ({ 'content-type': type }: IncomingHttpHeaders): string | undefined =>
  type?.split(';')[0]?.trim().toLowerCase();

const pathOf = (address: string): string => address.replace(/^https?:\/\/[^/]+/, '');
