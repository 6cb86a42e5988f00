import { assuming, expect } from '../../kit/index.ts';

/** Fields by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** A copy of the object without one field. */
export const omit = (whole: object, name: string): object =>
  Object.fromEntries(Object.entries(whole).filter(([field]) => field !== name));

/** A kind of object with optional fields. */
export interface Kind<T> {
  /** Creates an object with the required fields and these. */
  make(fields: Fields): Promise<T>;
  /** Reads its fields, under the names that they have in a request. */
  read(made: T): Promise<Fields>;
  /** Values to send for the optional fields, new ones on each call. */
  values(): Fields;
  /** The values that the response shows for fields that were not sent; none by default. */
  defaults?(made: T): Fields;
}

const fieldOf = (fields: Fields, name: string) => fields[name] ?? null;

/** Expects each optional field to show the value sent, or else its default. */
async function expectShown<T>(kind: Kind<T>, sent: Fields, asked: string): Promise<void> {
  const made = await kind.make(sent);
  const shown = await kind.read(made);
  const preset = kind.defaults?.(made) ?? {};
  for (const name of Object.keys(kind.values()))
    expect(fieldOf(shown, name), `${name}, ${asked}`).toEqual(
      fieldOf(sent, name) ?? fieldOf(preset, name),
    );
}

/** Sends no optional field, all of them, each alone, and all as null, which is assumed to mean absent. */
export async function expectKept<T>(kind: Kind<T>): Promise<void> {
  await expectShown(kind, {}, 'left out');
  await expectShown(kind, kind.values(), 'beside all others');
  for (const [name, value] of Object.entries(kind.values()))
    await expectShown(kind, { [name]: value }, `with ${name} alone`);
  const nulls = Object.fromEntries(Object.keys(kind.values()).map((name) => [name, null]));
  await assuming('A-307', () => expectShown(kind, nulls, 'null'));
}

/** An object that an update changes. */
export interface Changing<T> {
  readonly made: T;
  /** All its fields, except the time of its last change. */
  read(made: T): Promise<Fields>;
  update(made: T, fields: Fields): Promise<unknown>;
  /** A new value for each field. */
  readonly changes: Fields;
}

/**
 * Updates no field, then each field alone, and expects all other fields to stay unchanged. Then sends each field once
 * more, because by then no field has its default value.
 */
export async function expectChanged<T>({
  made,
  read,
  update,
  changes,
}: Changing<T>): Promise<void> {
  let wanted = await read(made);
  await update(made, {});
  expect(await read(made), 'with nothing').toEqual(wanted);
  for (const [name, value] of Object.entries(changes)) {
    await update(made, { [name]: value });
    wanted = { ...wanted, [name]: value };
    expect(await read(made), `with ${name} alone`).toEqual(wanted);
  }
  for (const [name, value] of Object.entries(changes)) {
    await update(made, { [name]: value });
    expect(await read(made), `with ${name} alone, again`).toEqual(wanted);
  }
}
