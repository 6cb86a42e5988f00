/** Whether an Accept header names plain text before, or without, JSON. */
export function prefersText(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  const text = types.indexOf('text/plain');
  const json = types.indexOf('application/json');
  return text >= 0 && (json < 0 || text < json);
}
