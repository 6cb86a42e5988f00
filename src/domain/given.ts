/** Fields of which each that has no value is absent, as in records and answers. */
export type Given<T> = { [N in keyof T]?: Exclude<T[N], undefined | null> };

/** The fields that have a value. @assumes A-307 null means absent */
export function given<T extends object>(fields: T): Given<T> {
  return mapGiven(fields, Object.keys(fields) as (keyof T)[], (value) => value) as Given<T>;
}

/** Those of some fields that have a value, each converted. @assumes A-307 null means absent */
export function mapGiven<T, N extends keyof T, V>(
  fields: T,
  names: readonly N[],
  convert: (value: NonNullable<T[N]>) => V,
): { [M in N]?: V } {
  const found: { [M in N]?: V } = {};
  for (const name of names) {
    const value = fields[name];
    if (value !== undefined && value !== null) found[name] = convert(value);
  }
  return found;
}

/** What a field is after an update: as it was where it was left out, absent where null came. @assumes A-307 */
export function updated<T>(sent: T | null | undefined, current: T | undefined): T | undefined {
  return sent === undefined ? current : (sent ?? undefined);
}
