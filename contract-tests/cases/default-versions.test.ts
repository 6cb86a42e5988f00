import {
  aFreshCustomer,
  aFreshProduct,
  api,
  aUnitPrice,
  call,
  check,
  expect,
  type OwnProduct,
  table,
} from '../kit/index.ts';
import { pageOf } from './shared/lists.ts';
import {
  addVersion,
  archiveVersion,
  patchVersion,
  versionOf,
  versionPath,
} from './shared/products.ts';
import { subscribe, to } from './shared/subscriptions.ts';

/** The version that is the default after each step: null if there is none, left out of a product that is a draft. */
type Steps = readonly (readonly [step: string, version?: number | null])[];

/**
 * Carries out steps: `add` a version, `patch` a version or `archive` one, with the fields that the request sets to true,
 * or to what follows `=`. After each, expects every operation to show the default, and a new subscription to have it.
 */
async function expectDefaults(product: OwnProduct, steps: Steps): Promise<void> {
  const customer = await aFreshCustomer();
  const prices = [aUnitPrice(product.eventType)];
  const step = async (text: string) => {
    const [action, ...words] = text.split(' ');
    const fields = words.filter((word) => Number.isNaN(Number(word)));
    const [version = 0] = words.map(Number);
    const body = Object.fromEntries(
      fields.map((word) => {
        const [name = '', value = 'true'] = word.split('=');
        return [name, JSON.parse(value)];
      }),
    );
    if (action === 'add') await addVersion(product, { prices, ...body });
    else if (action === 'patch') await patchVersion(product, version, body, 204);
    else await archiveVersion(product, version);
  };
  let former: number | null | undefined;
  for (const [index, [text, version]] of steps.entries()) {
    await step(text);
    if (version === undefined) continue;
    const name = `step ${index + 1}, ${text}`;
    const { default_version } = await api('getProduct', { path: { productId: product.id } }, 200);
    expect(default_version?.version ?? null, name).toBe(version);
    if (version !== null) expect((await versionOf(product)).version, name).toBe(version);
    if (version === former) continue;
    former = version;
    const path = { customerId: customer.id };
    if (version === null) {
      await api('getProductVersion', { path: versionPath(product, 'default') }, 404);
      await call('createSubscription', { path, body: to(product) }, [422]);
    } else {
      expect((await subscribe(customer, to(product))).products[0]?.version, name).toBe(version);
      const { items } = await pageOf({ list: 'listProductVersions' }, { limit: 1000 });
      const flagged = items.filter(({ id, is_default }) => id === product.id && is_default);
      expect(
        flagged.map((one) => one['version']),
        `${name}, in the list`,
      ).toEqual([version]);
      expect((await versionOf(product, version)).is_default, name).toBe(true);
    }
  }
}

const OPTIONS = { level: 'ASSUMED', effect: 'E3', assumes: 'A-502' } as const;

check(
  'PRD-67',
  { requirement: 'R-PRD-47', ...OPTIONS },
  'make_default of an earlier and a later published version, of a draft published with it, at creation, and of the default itself → the default, for every reader and new subscriptions; all else leaves it where it is',
  async () =>
    expectDefaults(await aFreshProduct(), [
      ['add publish', 1],
      ['add name="Edited"', 1],
      ['patch 3 publish', 1],
      ['patch 3 publish', 1],
      ['patch 2 make_default', 2],
      ['patch 2 make_default', 2],
      ['patch 3 make_default=false', 2],
      ['patch 1 publish make_default', 1],
      ['add', 1],
      ['patch 4 publish make_default', 4],
      ['archive 1', 4],
      ['add publish make_default=false', 4],
      ['add publish make_default', 6],
    ]),
);

check(
  'PRD-70',
  { requirement: 'R-PRD-47', ...OPTIONS },
  'each field of a draft before the default and of one after it, with make_default false or left out → the default stays where it is',
  async () =>
    expectDefaults(await aFreshProduct(), [
      ['add', 1],
      ['add publish make_default', 3],
      ['add', 3],
      ...[2, 4].flatMap((version) =>
        [
          'name="Edited"',
          'entitlements=[]',
          'publish=false make_default=false',
          'make_default=false name="Again"',
          'publish make_default=false',
        ].map((fields) => [`patch ${version} ${fields}`, 3] as const),
      ),
      ['patch 1 make_default=false', 3],
      ['patch 3 make_default=false', 3],
    ]),
);

table<Steps>(
  'PRD-57',
  { requirement: 'R-PRD-47', ...OPTIONS },
  'of a product that was a draft, the first version that is published is the default until make_default moves it',
  {
    'version 2, added as published': [
      ['add publish', 2],
      ['patch 1 publish', 2],
      ['add publish', 2],
      ['add', 2],
      ['patch 4 publish', 2],
      ['patch 1 make_default', 1],
    ],
    'version 2, published later': [['add'], ['patch 2 publish', 2], ['patch 1 publish', 2]],
  },
  async (steps) => expectDefaults(await aFreshProduct({ publish: false }), steps),
);

table<Steps>(
  'PRD-62',
  { requirement: ['R-PRD-47', 'R-PRD-48'], ...OPTIONS },
  'the default archived → the published version with the highest number is the default; without one, none, until one is published; never an archived one nor a draft',
  {
    'of a draft': [
      ['add publish', 2],
      ['archive 2', null],
      ['patch 1 publish', 1],
      ['add', 1],
      ['archive 1', null],
      ['patch 3 publish', 3],
    ],
    // Version 2 is published last.
    'of several, published in another order': [
      ['patch 1 publish', 1],
      ['add', 1],
      ['add publish', 1],
      ['patch 2 publish', 1],
      ['archive 1', 3],
      ['archive 3', 2],
    ],
  },
  async (steps) => expectDefaults(await aFreshProduct({ publish: false }), steps),
);
