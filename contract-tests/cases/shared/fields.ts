import {
  assuming,
  call,
  expect,
  type LooseParts,
  type OperationId,
  refused,
  useUp,
} from '../../kit/index.ts';

/** Fields by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** A copy of the object without one field. */
export const omit = (whole: object, name: string): object =>
  Object.fromEntries(Object.entries(whole).filter(([field]) => field !== name));

/** Some fields of an object. Those that it lacks are null. */
export const pick = (whole: object | undefined, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, (whole as Fields | undefined)?.[name] ?? null]));

/** A request that keeps fields, and where they are shown. */
export interface Kind {
  readonly operation: OperationId;
  /** The fields that cannot be left out. */
  readonly required?: readonly string[];
  /** The request with these fields, and with values of its own for required ones. */
  request(fields: Fields): Promise<LooseParts>;
  /** What each place shows of what the request made, under the names of the request. Places can leave fields out. */
  // biome-ignore lint/suspicious/noExplicitAny: The body of any operation.
  shown(made: any, request: LooseParts): Promise<readonly Fields[]>;
  /** What is shown for fields that were not sent; null by default. */
  readonly presets?: Fields;
}

/** Sends fields, and expects that each place which shows one of `names` shows the value sent, or else its preset. */
async function expectShown(
  kind: Kind,
  fields: Fields,
  names: readonly string[],
  how: string,
): Promise<void> {
  const { operation, presets = {} } = kind;
  const request = await kind.request(fields);
  const { body } = await useUp(operation, () => call(operation, request, [200, 201, 204]));
  for (const place of await kind.shown(body, request))
    for (const name of names.filter((each) => each in place))
      expect(place[name], `${operation}: ${name}, ${how}`).toEqual(
        fields[name] ?? presets[name] ?? null,
      );
}

/**
 * Sends each row of values, then each field of the first alone, none, and null for each, which is assumed to mean absent.
 *
 * @param rows the values to send together, new ones on each call; the first has all fields
 */
export async function expectKept(kind: Kind, rows: () => readonly Fields[]): Promise<void> {
  const first = () => rows()[0] as Fields;
  const names = Object.keys(first());
  const optional = names.filter((name) => !kind.required?.includes(name));
  for (const [index, row] of rows().entries())
    await expectShown(kind, row, Object.keys(row), `row ${index}`);
  for (const name of optional)
    await expectShown(kind, { [name]: first()[name] }, optional, `with ${name} alone`);
  await expectShown(kind, {}, optional, 'left out');
  const nulls = Object.fromEntries(optional.map((name) => [name, null]));
  await assuming('A-307', () => expectShown(kind, nulls, optional, 'null'));
}

/** Values at the limits of fields, of which each row is sent together, and values beyond, sent one after the other. */
export interface Limits {
  readonly within: readonly Fields[];
  readonly beyond: Readonly<Record<string, readonly unknown[]>>;
}

/** Expects that values at their limits are accepted and shown as sent, and those beyond rejected. */
export async function expectLimits(kind: Kind, { within, beyond }: Limits): Promise<void> {
  for (const [index, row] of within.entries())
    await expectShown(kind, row, Object.keys(row), `within limits, row ${index}`);
  for (const [name, values] of Object.entries(beyond))
    for (const value of values)
      await refused(kind.operation, await kind.request({ [name]: value }));
}

/** An object that an update changes. */
export interface Changing<T> {
  readonly made: T;
  /** All its fields, except the time of its last change. */
  read(made: T): Promise<Fields>;
  update(made: T, fields: Fields): Promise<unknown>;
  /** New values, sent one after the other. Those of fields that are not shown must change nothing. */
  readonly changes: readonly Fields[];
}

/**
 * Updates no field, then each row of fields, and expects all other fields to stay unchanged. Then sends each row once
 * more, because by then no field has its default value.
 */
export async function expectChanged<T>(changing: Changing<T>): Promise<void> {
  const { made, read, update, changes } = changing;
  let wanted = await read(made);
  for (const row of [{}, ...changes, ...changes]) {
    await update(made, row);
    const shown = Object.entries(row).filter(([name]) => name in wanted);
    wanted = { ...wanted, ...Object.fromEntries(shown) };
    const now = await read(made);
    for (const name of Object.keys({ ...wanted, ...now }))
      expect(now[name], `${name}, with ${JSON.stringify(row)}`).toEqual(wanted[name]);
  }
}
