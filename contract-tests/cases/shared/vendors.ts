import { api, unique } from '../../kit/index.ts';

/** The costs of a vendor, of the current month unless the query names a period. */
export const vendorStats = (vendorId: string, query: object = {}) =>
  api('getVendorStats', { path: { vendorId }, query }, 200);

/** The id of a new vendor, which no other check uses. */
export async function aNewVendor(): Promise<string> {
  const body = { name: 'Contract vendor', external_id: unique('vendor') };
  return (await api('createVendor', { body }, 201)).id;
}
