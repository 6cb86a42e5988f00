import { execFile, spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { createServer, request as requestSecurely } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { SettingsInput } from '../config/settings.ts';
import { startEmulator } from '../embed/embedded.ts';
import { newFolder } from '../testing/files.ts';
import { createAuthority, issueCertificate } from './authority.ts';

const SELF_SIGNED = { tls: 'self-signed', fixture: '' } as const;
const UNTRUSTED = /unable to verify|self.signed/;

/** Starts an emulator that serves https. Returns it with its address and the authority that clients trust. */
async function serve(settings: SettingsInput = {}) {
  const emulator = await startEmulator({ settings: { ...SELF_SIGNED, ...settings } });
  const response = await fetch(`${emulator.url}/_emulator/ca.pem`);
  return {
    emulator,
    address: new URL(emulator.httpsUrl as string),
    authority: response.ok ? await response.text() : 'none',
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

interface Asked {
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request by https, as a client that trusts only the authority `ca`, or what Node trusts. */
function ask(url: URL | string, ca?: string, { form, headers }: Asked = {}) {
  return new Promise<{ status: number; text: string; cookie: string }>((resolve, reject) => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const all = { Authorization: 'Bearer key_test_emulator', ...(form && type), ...headers };
    const options = { method: form ? 'POST' : 'GET', headers: all, agent: false, ca } as const;
    const sent = requestSecurely(url, options, async (response) => {
      const { statusCode: status = 0, headers: got } = response;
      resolve({ status, text: await text(response), cookie: String(got['set-cookie']) });
    });
    sent.on('error', reject).end(form);
  });
}

/** The certificate that a server shows. */
function certificateOf({ hostname: host, port }: URL) {
  return new Promise<PeerCertificate>((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe('tls self-signed', () => {
  it('serves https to clients that trust its authority, and http as before', async () => {
    await using served = await serve();
    const { emulator, address, authority } = served;
    const { cert: stranger } = await createAuthority();
    const local = `https://localhost:${address.port}/customers`;

    expect(address.protocol).toBe('https:');
    expect((await ask(new URL('/customers', address), authority)).status).toBe(200);
    expect((await ask(local, authority)).status).toBe(200);
    expect((await emulator.client.call('listCustomers')).total_count).toBe(0);
    await expect(ask(local)).rejects.toThrow(UNTRUSTED);
    await expect(ask(local, stranger)).rejects.toThrow(/signature failure|verify|self.signed/);
  });

  it.runIf(hasCurl)('is trusted by curl with its authority only', async () => {
    await using served = await serve();
    const file = join(newFolder(), 'ca.pem');
    writeFileSync(file, served.authority);
    const curl = (...flags: readonly string[]) =>
      promisify(execFile)('curl', ['-s', ...flags, new URL('/readyz', served.address).href]);

    expect((await curl('--cacert', file)).stdout).toBe('{"status":"ok"}');
    await expect(curl()).rejects.toMatchObject({ code: 60 });
  });

  it('has the names that requests may use, and no others', async () => {
    await using served = await serve({
      allowed_hosts: ['billing.internal', '.example.org'],
      public_url: 'https://bills.example.com',
    });
    const certificate = await certificateOf(served.address);
    const names = ['localhost', '127.0.0.1', 'billing.internal', 'a.example.org'];

    for (const name of [...names, 'bills.example.com'])
      expect(checkServerIdentity(name, certificate)).toBeUndefined();
    expect(checkServerIdentity('example.com', certificate)).toBeInstanceOf(Error);
  });

  it('keeps its authority beside the data file, readable by its owner alone', async () => {
    const data = join(newFolder(), 'state.json');
    const authorities: string[] = [];
    for (const settings of [{ data }, { data }, {}]) {
      await using served = await serve(settings);
      authorities.push(served.authority);
    }
    const [first, second, other] = authorities;
    const { mode } = statSync(`${data}.ca.pem`);
    writeFileSync(`${data}.ca.pem`, 'nothing');

    expect(second).toBe(first);
    expect(other).not.toBe(first);
    if (process.platform !== 'win32') expect(mode & 0o077).toBe(0);
    await expect(serve({ data })).rejects.toThrow(/ca\.pem: expected a certificate and its key/);
  });

  it('has links, cookies and inboxes under https', async () => {
    await using served = await serve({ admin_token: 'herring' });
    const { emulator, address, authority } = served;
    const at = (path: string) => new URL(path, address);
    const document = await ask(at('/openapi.json'), authority);
    const form = 'admin_token=herring';
    const login = await ask(at('/_emulator/ui'), authority, { form });
    await emulator.client.call('createWebhook', { body: { url: at('/_emulator/inbox/a').href } });
    const path = { topic: 'subscription.activated' } as const;
    await emulator.client.call('testWebhooks', { path, body: { plan: 'gold' } });
    const { items } = await emulator.webhooks.wait({ status: 'delivered' });

    expect(JSON.parse(document.text).servers).toEqual([{ url: address.origin }]);
    expect(login.cookie).toContain('; Secure');
    expect(items).toHaveLength(1);
  });
});

/** An authority and a certificate by it for this machine, as files. */
async function pemFiles() {
  const folder = newFolder();
  const authority = await createAuthority();
  const { cert, key } = await issueCertificate(authority, ['127.0.0.1']);
  const texts = { ca: authority.cert, cert, key, other: authority.key };
  const fileOf = (name: string) => join(folder, `${name}.pem`);
  for (const [name, text] of Object.entries(texts)) writeFileSync(fileOf(name), text);
  return { ...texts, fileOf };
}

describe('tls_cert and tls_key', () => {
  it('serve https with a certificate of the user', async () => {
    const { ca, fileOf } = await pemFiles();
    await using served = await serve({
      tls: 'off',
      tls_cert: fileOf('cert'),
      tls_key: fileOf('key'),
    });

    expect((await ask(new URL('/readyz', served.address), ca)).status).toBe(200);
    expect(served.authority).toBe('none');
  });

  it('are rejected with the reason if they cannot be used', async () => {
    const { fileOf } = await pemFiles();
    const start = (settings: SettingsInput) => startEmulator({ settings });
    const [tls_cert, tls_key] = [fileOf('cert'), fileOf('key')];

    await expect(start({ tls_cert })).rejects.toThrow(/Setting tls_key: expected a file/);
    await expect(start({ tls_cert, tls_key: fileOf('other') })).rejects.toThrow(
      /a certificate and its key in PEM/,
    );
    await expect(start({ tls_cert: '/nowhere', tls_key: '/gone' })).rejects.toThrow(
      /tls_cert: ENOENT.*\n.*tls_key: ENOENT/,
    );
    await expect(start({ ...SELF_SIGNED, tls_cert, tls_key })).rejects.toThrow(/not both/);
  });
});

describe('webhook_ca', () => {
  it('lets webhooks reach a receiver with a private certificate', async () => {
    const { cert, key, fileOf } = await pemFiles();
    const receiver = createServer({ cert, key }, (request, response) => {
      request.resume();
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const outcomes: unknown[] = [];
    for (const webhook_ca of [fileOf('ca'), '']) {
      await using emulator = await startEmulator({ settings: { fixture: '', webhook_ca } });
      await emulator.client.call('createWebhook', { body: { url } });
      const path = { topic: 'subscription.activated' } as const;
      await emulator.client.call('testWebhooks', { path, body: { plan: 'gold' } });
      await emulator.client.call('flushDeliveries');
      const { items } = await emulator.client.call('listDeliveries');
      outcomes.push(items[0]);
    }
    receiver.close();

    expect(outcomes).toMatchObject([
      { last_status_code: 204, last_error: null },
      { last_status_code: null, last_error: expect.stringMatching(UNTRUSTED) },
    ]);
  });

  it('is rejected if its file has no certificate', async () => {
    const { fileOf } = await pemFiles();
    const start = (webhook_ca: string) => startEmulator({ settings: { webhook_ca } });

    await expect(start(fileOf('key'))).rejects.toThrow(/webhook_ca: .*has no certificate/);
    await expect(start('/nowhere.pem')).rejects.toThrow(/webhook_ca: ENOENT/);
  });
});
