import { expect, it } from 'vitest';
import { type AnyBody, createTestClient } from './testing/client.ts';

const KEY = 'key_test_emulator';

it('the API reference fits its examples to the world of the key, which accepts them unchanged', async () => {
  const { http } = createTestClient({ fixture: 'quickstart' });
  const auth = ['Authorization', `Bearer ${KEY}`] as const;
  await http.get('/customers').set(...auth);
  const read = async () => (await http.get(`/_emulator/docs/openapi.json?key=${KEY}`)).body;
  const refused: string[] = [];
  for (const [path, method] of callsOf(await read())) {
    const document = await read();
    const { operationId, requestBody } = document.paths[path][method];
    const { status } = await (http as AnyBody)
      [method](addressOf(document, path, method))
      .set(...auth)
      .send(requestBody?.content['application/json'].example);
    if (status >= 400) refused.push(operationId);
  }

  expect(refused.sort()).toEqual([
    // A published version cannot change, and the product of the subscription has no other version.
    'updateProductVersion',
    'updateSubscriptionProduct',
  ]);
});

it('the form of each operation takes its example', async () => {
  const { http } = createTestClient({ fixture: 'quickstart' });
  await http.get('/customers').set('Authorization', `Bearer ${KEY}`);
  const document = (await http.get(`/_emulator/docs/openapi.json?key=${KEY}`)).body;
  for (const [path, method] of callsOf(document)) {
    const { operationId, requestBody } = document.paths[path][method];
    const example = requestBody?.content['application/json'].example ?? {};
    const fields = Object.entries(example).map(([name, value]) => [
      `body.${name}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);

    const { headers } = await http
      .post(`/_emulator/ui/send?operation=${operationId}`)
      .type('form')
      .send(Object.fromEntries(fields));

    expect([operationId, headers['location']]).toEqual([
      operationId,
      expect.stringMatching(/^\/_emulator\/ui\/requests\/\d+/),
    ]);
  }
});

/** All operations; those that delete something are last. */
function callsOf({ paths }: AnyBody): [path: string, method: string][] {
  const all = Object.entries<AnyBody>(paths).flatMap(([path, item]) =>
    ['post', 'get', 'patch', 'put', 'delete']
      .filter((method) => item[method])
      .map((method): [string, string] => [path, method]),
  );
  const orderOf = ([, method]: [string, string]) => (method === 'delete' ? 1 : 0);
  return all.toSorted((one, other) => orderOf(one) - orderOf(other));
}

/** Returns the path of an operation with the example values of its parameters. */
function addressOf({ paths, components }: AnyBody, path: string, method: string): string {
  const parameters = [...(paths[path].parameters ?? []), ...(paths[path][method].parameters ?? [])];
  return parameters.reduce((address, parameter) => {
    const name = parameter.$ref?.split('/').at(-1);
    const { name: place, example } = components.parameters[name] ?? parameter;
    return address.replace(`{${place}}`, encodeURIComponent(example ?? 'none'));
  }, path);
}

it('the API reference leaves its examples unchanged for a key whose world is not open', async () => {
  const { http } = createTestClient();

  const { body } = await http.get('/_emulator/docs/openapi.json?key=key_test_nobody');
  const { body: plain } = await http.get('/_emulator/docs/openapi.json');

  expect(body).toEqual(plain);
});
