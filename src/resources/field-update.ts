/** What a field is after an update: as it was where it was left out, absent where null came. @assumes A-307 */
export function updated<T>(given: T | null | undefined, current: T | undefined): T | undefined {
  return given === undefined ? current : (given ?? undefined);
}
