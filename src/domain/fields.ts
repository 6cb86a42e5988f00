/** Fields in which one without a value is absent, as in records and responses. */
type OmitNullish<T> = { [N in keyof T]?: Exclude<T[N], undefined | null> };

/** The fields that have a value. @assumes A-307 null means absent */
export const omitNullish = <T extends object>(fields: T): OmitNullish<T> =>
  mapPresent(fields, Object.keys(fields) as (keyof T)[], (value) => value) as OmitNullish<T>;

/** The named fields that have a value, each converted. @assumes A-307 null means absent */
export function mapPresent<T, N extends keyof T, V>(
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

/** The value of a field after an update: unchanged if it was not sent, absent if null was sent. @assumes A-307 */
export const updated = <T>(sent: T | null | undefined, current: T | undefined): T | undefined =>
  sent === undefined ? current : (sent ?? undefined);
