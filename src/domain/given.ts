/** The fields that have a value, for records and answers in which a field without one is absent. */
export function given<T extends object>(fields: T): { [N in keyof T]?: Exclude<T[N], undefined> } {
  const found: Partial<T> = {};
  for (const name of Object.keys(fields) as (keyof T)[])
    if (fields[name] !== undefined) found[name] = fields[name];
  return found as never;
}
