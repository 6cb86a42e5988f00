import type { Client } from './client.ts';

// In a file of its own: the build replaces `client.ts` by the package's client, which exports only its interface.

/** Returns the id of a customer that is named by id or external id; the name itself if nobody has it. */
export async function customerIdOf({ call }: Pick<Client, 'call'>, name: string): Promise<string> {
  if (name.startsWith('cust_')) return name;
  // A match redirects to the customer.
  const found = await call('listCustomers', { query: { external_id: name } });
  return 'id' in found ? (found as { readonly id: string }).id : name;
}
