import type { CallParts } from '../operations.ts';
import { api, send } from '../target/api.ts';
import { runMark, unique, uniqueAssetCode } from '../target/names.ts';
import { adoptOrMake, building, usesSlots, useUp } from '../target/slots.ts';

/**
 * Builders for the objects that checks use. On an emulator of this run each call creates a new object; on an external
 * target, objects that earlier runs created are reused.
 */

export type BodyOf<Id extends Parameters<typeof api>[0]> = NonNullable<CallParts<Id>['body']>;

/** A customer, connected account or vendor that the suite created. */
export interface OwnObject {
  readonly id: string;
  readonly external_id: string;
  readonly name: string;
}

/** On an external target the suite keeps at most two objects of each kind, and reuses them in later runs. */
type Slot = 'main' | 'other';

/** A customer that checks can share. */
export function aCustomer(slot: Slot = 'main'): Promise<OwnObject> {
  const key = usesSlots() ? `contract-${slot}` : unique('customer');
  return adoptOrMake({
    name: `customer ${slot}`,
    async find() {
      const { status, headers, body } = await send('listCustomers', {
        query: { external_id: key },
      });
      const id =
        status === 303 ? String(headers['location']).split('/').at(-1) : body?.items?.[0]?.id;
      return id ? { id, external_id: key, name: `Contract ${slot}` } : undefined;
    },
    make: () => makeCustomer({ name: `Contract ${slot}`, external_id: key, metadata: runMark() }),
  });
}

/** A new customer without history, for one check only. It counts as used up. */
export function aFreshCustomer(body: Partial<BodyOf<'createCustomer'>> = {}): Promise<OwnObject> {
  const external_id = unique('customer');
  const whole = { name: 'Contract fresh', external_id, metadata: runMark(), ...body };
  return building('customer', () => useUp('customer', () => makeCustomer(whole)));
}

async function makeCustomer(body: BodyOf<'createCustomer'>): Promise<OwnObject> {
  const { id } = await api('createCustomer', { body }, 201);
  return { id, name: body.name, external_id: body.external_id as string };
}

/** A connected account that checks can share. */
export function aConnectedAccount(slot: Slot = 'main'): Promise<OwnObject> {
  const external_id = usesSlots() ? `contract-${slot}` : unique('account');
  const name = 'Contract account';
  return adoptOrMake({
    name: `connected account ${slot}`,
    async find() {
      const { items } = await api('listConnectedAccounts', { query: { external_id } }, 200);
      const found = items.find((account) => account.external_id === external_id);
      return found && { id: found.id, external_id, name: found.name };
    },
    async make() {
      const body = { name, external_id, metadata: runMark() };
      return { ...(await api('createConnectedAccount', { body }, 201)), external_id, name };
    },
  });
}

/** A new connected account for one check only. It counts as used up. */
export function aFreshAccount(
  body: Partial<BodyOf<'createConnectedAccount'>> = {},
): Promise<{ readonly id: string }> {
  const whole = { name: 'Contract account', metadata: runMark(), ...body };
  return building('connected account', () =>
    useUp('connected account', () => api('createConnectedAccount', { body: whole }, 201)),
  );
}

/** A vendor that checks can share. */
export function aVendor(slot: Slot = 'main'): Promise<OwnObject> {
  const external_id = usesSlots() ? `contract-${slot}` : unique('vendor');
  const name = 'Contract vendor';
  return adoptOrMake({
    name: `vendor ${slot}`,
    async find() {
      const { body } = await send('listVendors', { query: { external_id } });
      const id = body?.items?.[0]?.id;
      return id ? { id, external_id, name } : undefined;
    },
    async make() {
      const { id } = await api('createVendor', { body: { name, external_id } }, 201);
      return { id, external_id, name };
    },
  });
}

export interface OwnAsset {
  readonly code: string;
  readonly name: string;
  readonly precision: number;
}

/** A custom asset that checks can share: two decimals, 0.5 USD each. */
export function anAsset(slot: Slot = 'main'): Promise<OwnAsset> {
  const code = usesSlots() ? `CT${slot.toUpperCase()}` : uniqueAssetCode();
  return adoptOrMake({
    name: `asset ${slot}`,
    async find() {
      const { status, body } = await send('getAsset', { path: { assetCode: code } });
      return status === 200 ? { code, name: body.name, precision: body.precision ?? 0 } : undefined;
    },
    make: () =>
      makeAsset({
        code,
        name: 'Contract units',
        precision: 2,
        rates: [{ source: 'USD', rate: 0.5 }],
      }),
  });
}

/** A new asset for one check only. It counts as used up. */
export function aFreshAsset(body: Partial<BodyOf<'createAsset'>> = {}): Promise<OwnAsset> {
  const code = uniqueAssetCode();
  const whole = { code, name: 'Contract units', ...body };
  return building('asset', () => useUp('asset', () => makeAsset(whole)));
}

async function makeAsset(body: BodyOf<'createAsset'>): Promise<OwnAsset> {
  await api('createAsset', { body }, 201);
  return { code: body.code, name: body.name, precision: body.precision ?? 0 };
}
