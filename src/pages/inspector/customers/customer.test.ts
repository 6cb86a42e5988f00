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
  const formIn = (html: string) =>
    /<details class="menu"( open)?><summary>Top up.*?<\/form>/s.exec(html);
  const [form = '', open] = formIn(text) ?? [];
  const [, isOpenAtFirst] = formIn((await client.http.get(page)).text) ?? [];

  expect([status, open, isOpenAtFirst]).toEqual([422, ' open', undefined]);
  expect(form).toMatch(/<input[^>]* name="amount"[^>]* value="ten"/);
  expect(form).toMatch(/<option value="USD" selected/);
  expect(form).toContain('Enter an amount greater than 0, such as 25 or 12.50.');
});
