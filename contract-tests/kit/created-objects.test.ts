import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answering, aFakeTarget, answerJson, type FakeTarget } from '../testing/server.ts';
import { openCreatedObjects } from './created-objects.ts';
import { targetOf } from './plan.ts';
import { cleanUp, effectsOf } from './run/clean.ts';

async function aPlan(
  answer: Answering,
): Promise<{ readonly target: FakeTarget; readonly plan: Parameters<typeof cleanUp>[0] }> {
  const target = await aFakeTarget(answer);
  const { baseUrl } = target;
  const known = { environment: 'test', accountId: 'acc_1' } as const;
  const asked = targetOf({ kind: 'external', baseUrl, key: 'key_x', ...known });
  return { target, plan: { timeoutMs: 1_000, target: asked } };
}

const aFile = () => join(mkdtempSync(join(tmpdir(), 'contract-')), 'created.jsonl');

describe('openCreatedObjects', () => {
  it('has an announced object on disk before its request is sent', () => {
    const file = aFile();
    const created = openCreatedObjects(file);
    created.announce('createWebhook', 'url=https://a.invalid/contract-1');

    expect(readFileSync(file, 'utf8')).toContain('contract-1');
    expect(openCreatedObjects(file).entries()).toEqual(created.entries());
  });

  it('reads a file whose last line was cut off when the run was killed', () => {
    const file = aFile();
    openCreatedObjects(file).announce('createWebhook', 'url=a');
    appendFileSync(file, '{"number": 2, "opera');

    expect(openCreatedObjects(file).entries()).toHaveLength(1);
  });
});

describe('cleanUp', () => {
  it('removes remaining objects, and finds those without a recorded id by their URL', async () => {
    const { target, plan } = await aPlan((request, response) =>
      request.method === 'GET'
        ? answerJson(response, { items: [{ id: 'dst_2', url: 'https://b.invalid' }] })
        : void response.writeHead(204).end(),
    );
    const created = openCreatedObjects(aFile());
    created.settle(created.announce('createWebhook', 'url=https://a.invalid'), 201, 'dst_1');
    created.announce('createWebhook', 'url=https://b.invalid');
    created.settle(created.announce('createWebhook', 'url=https://c.invalid'), 422, undefined);
    created.settle(created.announce('createProduct', 'code=contract-x'), 201, 'prp_1');

    expect(await cleanUp(plan, created)).toEqual([]);
    expect(target.writes).toEqual([
      'DELETE /webhooks/dst_1',
      'DELETE /webhooks/dst_2',
      'DELETE /products/prp_1',
    ]);
    expect(await cleanUp(plan, created)).toEqual([]);
    expect(target.writes).toHaveLength(3);
  });

  it('marks an object as removed when reading it returns 404, even if its removal failed', async () => {
    const { plan } = await aPlan((request, response) =>
      answerJson(response, {}, request.method === 'GET' ? 404 : 422),
    );
    const created = openCreatedObjects(aFile());
    created.settle(created.announce('createWebhook', 'url=https://a.invalid'), 201, 'dst_1');

    expect(await cleanUp(plan, created)).toEqual([]);
    expect(created.entries()[0]?.removed).toBe(true);
  });

  it('returns the objects that it could not remove, with operation and status', async () => {
    const { plan } = await aPlan((_, response) => answerJson(response, {}, 500));
    const created = openCreatedObjects(aFile());
    created.settle(created.announce('createWebhook', 'url=https://a.invalid'), 201, 'dst_1');

    expect(await cleanUp(plan, created)).toEqual(['createWebhook dst_1: deleteWebhook 500']);
  });
});

describe('effectsOf', () => {
  it('counts removed and permanent objects', () => {
    const created = openCreatedObjects(aFile());
    created.settle(created.announce('createCustomer', ''), 201, 'cust_1');
    created.settle(created.announce('createCustomer', ''), 422, undefined);
    created.settle(created.announce('createWebhook', ''), 201, 'dst_1');
    created.remove('dst_1');

    const permanent = { createCustomer: 1 };
    expect(effectsOf(created.entries())).toEqual({ removed: 1, permanent });
  });
});
