import {
  aCustomer,
  aFreshAsset,
  aFreshCustomer,
  anAsset,
  assuming,
  type CheckContext,
  ContractFailure,
  call,
  expect,
  isOurs,
  type LooseParts,
  type Misshapen,
  type OperationId,
  type OwnObject,
  unique,
  withNulls,
} from '../../kit/index.ts';
import { type AnyPage, keyOf, pageOf } from './lists.ts';

/** Fields by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** A copy of the object without one field. */
export const omit = (whole: object, name: string): object =>
  Object.fromEntries(Object.entries(whole).filter(([field]) => field !== name));

/** Some fields of an object. Those that it lacks are null. */
export const pick = (whole: object | undefined, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, (whole as Fields | undefined)?.[name] ?? null]));

/** A request with fields: what they may be, and where they are shown. */
interface FieldRules {
  readonly operation: OperationId;
  /** Reads what a rejected request must not change. */
  readonly state?: () => Promise<unknown>;
  /** The places of the body that have the fields, such as `events[0]`; the body itself by default. */
  readonly at?: string | readonly string[];
  /** The fields that cannot be left out. */
  readonly required?: readonly string[];
  /** Whether it changes an object, so that fields which are left out keep their values. */
  readonly isUpdate?: boolean;
  /** The request with these fields, and with values of its own for required ones. */
  request(fields: Fields): Promise<LooseParts>;
  /** What each place shows of what the request made, under the names of the request. Places can leave fields out. */
  // biome-ignore lint/suspicious/noExplicitAny: The body of any operation.
  shown(made: any, request: LooseParts): Promise<readonly Fields[]>;
  /** What is shown for fields that were not sent; null by default. */
  readonly presets?: Fields;
  /** Rows of fields that are kept as sent: unusual, empty and at each limit. */
  readonly kept: readonly Fields[];
  /** Fields whose mistakes are found only once the form of all others is right, so that their rows are sent alone. */
  readonly apart?: readonly string[];
  /** Rows that the specification rejects, for their first field. */
  readonly wrong?: readonly Fields[];
  /** Makes a row with a key that another object has, which the specification rejects, or else an assumption. */
  readonly taken?: readonly [make: () => Promise<Fields>, assumption?: string];
  /** Fields that break another rule; they are named together with what is taken. */
  readonly besides?: Fields;
  /** Rows that an assumption rejects for their first field, by its id. */
  readonly beyond?: Readonly<Record<string, readonly Fields[]>>;
}

/** The objects that fields refer to. */
interface Owners {
  customer(): Promise<OwnObject>;
  asset(): Promise<{ readonly code: string }>;
}

/** Objects of one check alone, where fields are kept. */
export const OWN_OBJECTS: Owners = {
  customer: () => aFreshCustomer(),
  asset: () => aFreshAsset({ precision: 10, rates: [{ source: 'USD', rate: 1 }] }),
};

/** Objects that checks share, where nothing is kept. */
export const SHARED_OBJECTS: Owners = { customer: () => aCustomer(), asset: () => anAsset() };

export type Resource = (owners: Owners, t: CheckContext) => Promise<FieldRules>;

/** The item of a list with this key. New objects are on its first page of 1,000, except of very many assets. */
export async function itemOf(list: OperationId, key: string): Promise<AnyPage['items'][number]> {
  const { items } = await pageOf({ list }, { limit: 1000 });
  const found = items.filter((item) => keyOf(item) === key);
  expect(found.length, `${list}: items with the key ${key}`).toBe(1);
  return found[0] as AnyPage['items'][number];
}

/** Reads a list, on an account that nobody else uses. */
export const itemsOf = (list: OperationId) => async () =>
  isOurs() ? pageOf({ list }, { limit: 1000 }) : undefined;

/** Sends fields, and expects that each place which shows one of `names` shows the value sent, or else its preset. */
async function expectShown(
  rules: FieldRules,
  fields: Fields,
  names: readonly string[],
  how: string,
  isFilled = false,
): Promise<void> {
  const { operation, presets = {} } = rules;
  const request = await rules.request(fields);
  const body = isFilled ? withNulls(operation, request.body as object) : request.body;
  const sent = { ...request, body };
  const reply = await call(operation, sent, [200, 201, 204]);
  for (const place of await rules.shown(reply.body, request))
    for (const name of names.filter((each) => each in place))
      expect(place[name], `${operation}: ${name}, ${how}`).toEqual(
        fields[name] ?? presets[name] ?? null,
      );
}

/** Expects that each row of fields, sent together, is shown as sent, also with null for all others if `isFilled`. */
export async function expectRows(
  rules: FieldRules,
  rows: readonly Fields[],
  isFilled = false,
): Promise<void> {
  for (const [index, row] of rows.entries())
    await expectShown(rules, row, Object.keys(row), `row ${index}`, isFilled);
}

/**
 * Expects that each row of kept fields is shown as sent, and so is each optional field of the first row alone, none of them,
 * and the first row and none with null for all that is left out, at every depth, which is assumed to mean absent.
 */
export async function expectKept(rules: FieldRules): Promise<void> {
  const { kept } = rules;
  await expectRows(rules, kept);
  if (rules.isUpdate) return;
  const [first = {}] = kept;
  const optional = Object.keys(first).filter((name) => !rules.required?.includes(name));
  const fresh = (name: string) => ({ [name]: name === 'external_id' ? unique() : first[name] });
  for (const name of optional)
    await expectShown(rules, fresh(name), optional, `with ${name} alone`);
  await expectShown(rules, {}, optional, 'left out');
  await assuming('A-307', async () => {
    await expectShown(rules, {}, optional, 'all null', true);
    const others = { ...first, ...('external_id' in first && fresh('external_id')) };
    await expectShown(rules, others, Object.keys(first), 'the others null', true);
  });
}

/** Rows of one field with each of these values; undefined leaves it out. */
export const each = (name: string, values: readonly unknown[]): readonly Fields[] =>
  values.map((value) => ({ [name]: value }));

/** Expects that some requests, which are rejected, leave the state as it was. */
export async function expectUnchanged(
  { operation, state }: Pick<FieldRules, 'operation' | 'state'>,
  send: () => Promise<void>,
): Promise<void> {
  const before = await state?.();
  await send();
  expect(await state?.(), `${operation}: after what is rejected`).toEqual(before);
}

type RejectingRules = Pick<FieldRules, 'operation' | 'state' | 'at' | 'apart' | 'request'>;

/** Expects that each row is rejected for its first field, that nothing else is named, and that nothing changes. */
export const expectRejected = (rules: RejectingRules, rows: readonly Fields[]): Promise<void> =>
  expectUnchanged(rules, () => expectNamed(rules, rows));

/** Expects that each row is rejected for its first field, and that nothing else is named. */
export async function expectNamed(rules: RejectingRules, rows: readonly Fields[]): Promise<void> {
  for (const group of groupsOf(rows, rules.apart)) {
    const placesOf = (row: Fields) =>
      [rules.at ?? ''].flat().map((place) => [place, firstOf(row)].filter(Boolean).join('.'));
    const places = group.flatMap((row) => placesOf(row).map((place) => ({ place, row })));
    const request = await rules.request(Object.assign({}, ...group));
    const alone = (index: number) => rules.request(places[index]?.row as Fields);
    const names = places.map(({ place }) => place);
    await expectPlaces(rules.operation, request, names, alone);
  }
}

const firstOf = (row: Fields) => Object.keys(row)[0] as string;

/** Rows that can be sent together, because they have no field in common. */
function groupsOf(rows: readonly Fields[], apart: readonly string[] = []): readonly Fields[][] {
  const groups: Fields[][] = [];
  for (const row of rows) {
    const hasNoneOf = (other: Fields) => !Object.keys(row).some((name) => name in other);
    const isApart = apart.includes(firstOf(row));
    const group = groups.find(
      (others) =>
        !isApart && !apart.includes(firstOf(others[0] as Fields)) && others.every(hasNoneOf),
    );
    if (group) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

const NAMES_SOME = 'errors has some of several wrong fields, not all';

/**
 * Expects that a request is rejected for these places of its body, each of which is named, and nothing else. If only some
 * are named, which refutes the assumption for all requests alike, each is tried by itself.
 *
 * @param alone the request that is wrong in one of the places, by its index, unless others test that
 */
export async function expectPlaces(
  operation: OperationId,
  parts: LooseParts,
  places: readonly string[],
  alone?: (index: number) => Promise<LooseParts>,
): Promise<void> {
  const { body } = await call(operation, parts, [422]);
  const named = Object.keys(body.errors ?? {});
  const unnamed = places.filter((place) => !named.some((one) => isWithin(one, place)));
  const surplus = named.filter((one) => !places.some((place) => isWithin(one, place)));
  if (unnamed.length > 0 && unnamed.length < places.length && surplus.length === 0) {
    if (alone)
      for (const [index, place] of places.entries())
        await expectPlaces(operation, await alone(index), [place]);
    await assuming('A-204', () => Promise.reject(new ContractFailure(NAMES_SOME, [NAMES_SOME])));
    return;
  }
  await assuming('A-204', async () => {
    expect(unnamed, `${operation}: wrong, but not in errors`).toEqual([]);
    expect(surplus, `${operation}: right, but in errors`).toEqual([]);
  });
}

/** Mistakes that can be made at once, because none is inside the place of another. */
export function combined(misshapen: readonly Misshapen[]): readonly (readonly Misshapen[])[] {
  const groups: Misshapen[][] = [];
  for (const one of misshapen) {
    const isApart = ({ place }: Misshapen) =>
      !isWithin(place, one.place) && !isWithin(one.place, place);
    const group = groups.find((others) => others.every(isApart));
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** A right body with some mistakes. */
export const spoiled = (right: object, mistakes: readonly Misshapen[]): object =>
  mistakes.reduce((body, { path, value }) => withValue(body, path, value) as object, right);

/** A copy of JSON with another value at the end of a path. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of any form.
function withValue(json: any, [name, ...rest]: Misshapen['path'], value: unknown): unknown {
  if (name === undefined) return value;
  const copy = Array.isArray(json) ? [...json] : { ...json };
  copy[name as never] = withValue(json?.[name], rest, value) as never;
  return copy;
}

/** Whether a place in a body is another one, or inside it. */
const isWithin = (place: string, whole: string): boolean =>
  place === whole || place.startsWith(`${whole}.`) || place.startsWith(`${whole}[`);

/** An object that an update changes. */
interface Changing<T> {
  readonly made: T;
  /** All its fields, except the time of its last change. */
  read(made: T): Promise<Fields>;
  update(made: T, fields: Fields): Promise<unknown>;
  /** New values, sent one after the other. Those of fields that are not shown must change nothing. */
  readonly changes: readonly Fields[];
}

/**
 * Updates no field, then all with the values that they have, then each row of fields, and expects all other fields to stay
 * unchanged. Then sends each row once more, because by then no field has its default value.
 */
export async function expectChanged<T>(changing: Changing<T>): Promise<void> {
  const { made, read, update, changes } = changing;
  let wanted = await read(made);
  const names = Object.keys(Object.assign({}, ...changes)).filter((name) => name in wanted);
  for (const row of [{}, pick(wanted, names), ...changes, ...changes]) {
    await update(made, row);
    const shown = Object.entries(row).filter(([name]) => name in wanted);
    wanted = { ...wanted, ...Object.fromEntries(shown) };
    const now = await read(made);
    for (const name of Object.keys({ ...wanted, ...now }))
      expect(now[name], `${name}, with ${JSON.stringify(row)}`).toEqual(wanted[name]);
  }
}
