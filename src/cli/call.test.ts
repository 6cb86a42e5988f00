import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { performCommand, serveForFile } from '../testing/command.ts';
import { newFolder } from '../testing/files.ts';

const folder = newFolder();
const { url } = await serveForFile({ fixture: 'quickstart' });

const call = (...args: readonly string[]) => performCommand(['call', ...args, '--url', url]);
const read = async (...args: readonly string[]) => JSON.parse((await call(...args)).out);

describe('billing-emulator call', () => {
  it('calls an operation of either interface with fields of path, query and body', async () => {
    const made = await read('createCustomer', 'name=1234', 'external_id=initech');
    const path = `customerId=${made.id}`;

    expect(await read('getCustomer', path)).toMatchObject({ name: '1234', external_id: 'initech' });
    expect(await read('listCustomers', 'limit=1')).toMatchObject({ total_count: 3 });
    expect(await read('setClock', 'mode=frozen', 'now=2026-01-31T10:00:00Z')).toMatchObject({
      mode: 'frozen',
    });
    expect((await call('setPaymentMethod', 'customerId=acme', 'kind=none')).out).toBe('');
  });

  it('takes the external id of a customer, and follows the redirect to one', async () => {
    const [byPath, byQuery] = [
      await read('getCustomer', 'customerId=acme'),
      await read('listCustomers', 'external_id=acme'),
    ];

    expect(byPath).toMatchObject({ external_id: 'acme' });
    expect(byQuery).toEqual(byPath);
    expect(await call('getCustomer', 'customerId=nobody')).toMatchObject({
      code: 1,
      errors: 'No customer has the external id nobody.\n',
    });
  });

  it('looks for the external id in the connected account that it acts for', async () => {
    const { id } = await read('createConnectedAccount', 'name=Branch');
    const on = ['--account', id];
    const { id: customerId } = await read('createCustomer', 'name=Acme', 'external_id=acme', ...on);

    expect(await read('getCustomer', 'customerId=acme', ...on)).toMatchObject({ id: customerId });
  });

  it('reads inner fields, JSON and exact numbers', async () => {
    const rule = await read('addFault', 'match.operation=listVendors', 'status=503', 'times=1');
    const rules = await read('setFaults', 'rules=[{"name":"slow","latency":"1ms"}]');
    await call('createAsset', 'code=EXACT', 'name=Exact', 'precision=8');
    await call(
      ...['adjustWallet', 'customerId=acme', 'asset=EXACT', 'amount=1234567.12345678'],
      ...['reason=gift', 'transaction_id=00000000-0000-4000-8000-0000000000c1'],
    );

    expect(rule.rules[0]).toMatchObject({ match: { operation: 'listVendors' }, status: 503 });
    expect(rules.rules).toMatchObject([{ name: 'slow' }]);
    const ledger = await call('listLedgerTransactions', 'asset=EXACT');

    expect(ledger.out).toContain('1234567.12345678');
    await call('setFaults', 'rules=[]');
  });

  it('sends a body from a file, in JSON or YAML', async () => {
    const file = join(folder, 'rules.yaml');
    writeFileSync(file, 'rules:\n- {name: first, latency: 1ms}\n');

    expect((await read('setFaults', '--body', file)).rules).toMatchObject([{ name: 'first' }]);
    expect((await call('setFaults', '--body', file, 'rules=[]')).code).toBe(2);
    await call('setFaults', 'rules=[]');
  });

  it('names the nearest operation and field, and all that is wrong, before it sends anything', async () => {
    const operation = await call('listCustomer');
    const fields = await call('getWalletAccount', 'customrId=acme', 'accountId');

    expect([operation.code, operation.errors]).toEqual([
      2,
      'error: There is no operation listCustomer. Did you mean listCustomers?\n',
    ]);
    expect([fields.code, fields.errors.trimEnd().split('\n')]).toEqual([
      2,
      [
        'error: getWalletAccount has no field customrId. Did you mean customerId?',
        'error: accountId is no field; expected name=value.',
        'error: getWalletAccount needs customerId=….',
        'error: getWalletAccount needs accountId=….',
      ],
    ]);
  });
});
