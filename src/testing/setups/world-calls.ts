import type { AnyBody, TestClient } from '../client.ts';

type Control = TestClient['control'];

/** For tests of worlds: control API calls, and customers as their contents. */
export function worldCalls(client: () => TestClient) {
  const control = (id: Parameters<Control>[0], parts: Parameters<Control>[1] = {}, status = 200) =>
    client().control(id, parts, status);
  return {
    control,
    create: (name: string, key?: string) =>
      client().api('createCustomer', { body: { name }, ...(key && { key }) }, 201),
    async names(key = 'key_test_emulator'): Promise<string[]> {
      const { items } = await client().api('listCustomers', { key }, 200);
      return items.map(({ name }: AnyBody) => name);
    },
    exported: (key?: string) => control('exportWorld', key === undefined ? {} : { key }),
    /** Exports the default world as text. */
    textOf: async (): Promise<string> => (await client().send('exportWorld' as never)).text,
  };
}
