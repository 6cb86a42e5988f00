import { assuming, type CheckContext, expect } from '../../kit/index.ts';

/** Fields by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a whole but for one. */
export function omit(whole: object, name: string): object {
  return Object.fromEntries(Object.entries(whole).filter(([field]) => field !== name));
}

/** Something with fields that may be left out. */
export interface Kind<T> {
  /** Makes one with these fields beside what is required. */
  make(fields: Fields): Promise<T>;
  /** Its fields as an answer shows them, under the names that a request gives them. */
  read(made: T): Promise<Fields>;
  /** What is sent in each, as often as it is sent. */
  values(): Fields;
  /** What is shown of each where it is left out; nothing unless given. */
  defaults?(made: T): Fields;
}

const fieldOf = (fields: Fields, name: string) => fields[name] ?? null;

/** What a thing shows, of the fields in question, as it should be once some were sent. */
async function expectShown<T>(kind: Kind<T>, sent: Fields, asked: string): Promise<void> {
  const made = await kind.make(sent);
  const shown = await kind.read(made);
  const preset = kind.defaults?.(made) ?? {};
  for (const name of Object.keys(kind.values()))
    expect(fieldOf(shown, name), `${name}, ${asked}`).toEqual(
      fieldOf(sent, name) ?? fieldOf(preset, name),
    );
}

/** Sends no field, each by itself, and all; and all as null, which is left out by decision. */
export async function expectKept<T>(kind: Kind<T>, t: CheckContext): Promise<void> {
  await expectShown(kind, {}, 'left out');
  await expectShown(kind, kind.values(), 'beside all others');
  for (const [name, value] of Object.entries(kind.values()))
    await expectShown(kind, { [name]: value }, `with ${name} alone`);
  const nulls = Object.fromEntries(Object.keys(kind.values()).map((name) => [name, null]));
  await assuming('A-307', t, () => expectShown(kind, nulls, 'null'));
}

/** A thing that an update changes. */
export interface Changing<T> {
  readonly made: T;
  /** All that is shown of it, but for when it was changed. */
  read(made: T): Promise<Fields>;
  update(made: T, fields: Fields): Promise<unknown>;
  /** Another value for each field. */
  readonly changes: Fields;
}

/**
 * Changes each field by itself, and none: what an update leaves out stays as it was. Then sends each once more, now
 * that all hold what they would not hold by default.
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
