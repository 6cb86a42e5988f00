import type { CustomerRow } from '../../store/records.ts';

/** A customer in a sentence, by name and external id: `Acme (acme)`. Without an external id, by its id. */
export function customerTitle({ id, name, external_id }: CustomerRow): string {
  const known = external_id ?? id;
  return name === '' ? known : `${name} (${known})`;
}
