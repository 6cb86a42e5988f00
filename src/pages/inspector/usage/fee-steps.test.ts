import { expect, it } from 'vitest';
import { anEvent } from '../../../testing/catalog.ts';
import { createTestClient } from '../../../testing/client.ts';
import { aUser } from '../../../testing/story.ts';
import { grouped } from './fee-steps.tsx';

it.each([
  ['3000000 × 2 ÷ 1000000 = 6', '3,000,000 × 2 ÷ 1,000,000 = 6'],
  ['12345.678901 USD', '12,345.678901 USD'],
  ['$5.00 from grt_44m182425cf3yq8qrd9ra62p5w', '$5.00 from grt_44m182425cf3yq8qrd9ra62p5w'],
  ['191809e1-0000-4000-8000-000000012345', '191809e1-0000-4000-8000-000000012345'],
  ['until 2027-01-03, of model2025', 'until 2027-01-03, of model2025'],
])('whole numbers have thousands separators, and ids keep their digits: %s', (text, shown) => {
  expect(grouped(text)).toBe(shown);
});

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
