import { expect, it } from 'vitest';
import { createTestClient } from '../../../testing/client.ts';

it('a top-up that is rejected shows its form again with what was typed', async () => {
  const client = createTestClient();
  const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  const page = `/_emulator/ui/customers/${id}`;
  const { status, text } = await client.http
    .post(`${page}/top-up`)
    .type('form')
    .send({ amount: 'ten', currency: 'USD' });
  const [form = ''] = /<summary>Top up.*?<\/form>/s.exec(text) ?? [];

  expect(status).toBe(422);
  expect(form).toMatch(/<input[^>]* name="amount"[^>]* value="ten"/);
  expect(form).toMatch(/<option value="USD" selected/);
  expect(text).toContain('Enter an amount greater than 0, such as 25 or 12.50.');
});
