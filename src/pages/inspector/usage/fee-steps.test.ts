import { expect, it } from 'vitest';
import { anEvent } from '../../../testing/catalog.ts';
import { createTestClient } from '../../../testing/client.ts';
import { aUser } from '../../../testing/story.ts';

it('the table of what paid a fee has the grants drawn and the account', async () => {
  const client = createTestClient();
  const user = await aUser(client, { prices: [{ values: [{ unit_price: 4 }] }] });
  for (const amount of [3, 2, 2, 2]) await user.credit('USD', amount);
  const sent = anEvent({});
  await user.submit(sent);
  const { text } = await client.http.get(`/_emulator/ui/events/${sent.id}?key=${user.key}`);
  const table = text.slice(text.indexOf('aria-label="What paid"'));

  expect(table.slice(0, table.indexOf('</table>')).match(/<tr/g)).toHaveLength(1 + 2 + 1);
});
