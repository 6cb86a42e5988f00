/** The fields that have a value, for records and answers in which a field without one is absent. */
export function given<T extends object>(fields: T): { [N in keyof T]?: Exclude<T[N], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as never;
}
