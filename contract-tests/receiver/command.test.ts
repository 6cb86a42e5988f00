import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifySignature } from 'billing-emulator';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addWebhooks } from '../cli/webhooks.ts';
import { startCli } from '../testing/cli.ts';
import { onLoopback } from '../testing/server.ts';
import {
  checksOf,
  RECEIVER_SECRET,
  type ReceiverParts,
  startReceiver,
} from '../testing/webhook-receiver.ts';

async function run(url: string, ...flags: readonly string[]) {
  const { printed, ended } = startCli(['webhooks', 'check', url, ...flags], {
    WEBHOOK_SECRET: RECEIVER_SECRET,
  });
  return { code: await ended, ...printed };
}

describe('webhooks check', () => {
  it('exits 0 for a correct receiver, and needs no running emulator', async () => {
    const receiver = await startReceiver();
    const { code, out, errors } = await run(receiver.url, '--effects', receiver.effectsUrl);
    await receiver.close();

    expect([code, errors]).toEqual([0, '']);
    expect(out.split('\n').slice(0, 2)).toEqual([
      'passed   valid              accepts a genuine delivery',
      'passed   missing_signature  rejects a delivery without signature header',
    ]);
    expect(out).toMatch(/\n15 passed, 0 failed, 0 skipped\n$/);
  });

  it('exits 1 for an incorrect receiver, gives the reason and writes a JUnit report', async () => {
    const receiver = await startReceiver({ limit: 100 * 1024 });
    const report = join(mkdtempSync(join(tmpdir(), 'receiver-')), 'reports', 'report.xml');
    const { code, out } = await run(receiver.url, '--skip', 'stale, future', '--junit', report);
    await receiver.close();

    expect(code).toBe(1);
    expect(out).toContain(
      'failed   large_body         accepts a large body\n' +
        '         must_accept: a body of 262436 bytes: expected 2xx, got 413\n',
    );
    expect(out).toMatch(
      /\n12 passed, 1 failed, 2 skipped\nWithout --effects, effects of [^\n]+\n$/,
    );
    expect(readFileSync(report, 'utf8')).toContain(
      'tests="15" failures="1" errors="0" skipped="2"',
    );
  });

  it.each([
    ['no address', ['--secret', 'x'], "missing required argument 'url'"],
    ['no secret', ['http://127.0.0.1:9/'], '--secret'],
    ['an invalid address', ['hooks', '--secret', 'x'], 'Expected an http or https URL.'],
    ['an unknown check', ['http://127.0.0.1:9/', '--skip', 'all'], 'slow_reading'],
    [
      'a service name that is not valid in a header',
      ['http://127.0.0.1:9/', '--service-name', 'a b'],
      'hyphens',
    ],
    ['a span that is not a number', ['http://127.0.0.1:9/', '--timeout', 'long'], 'whole number'],
    ['an invalid time', ['http://127.0.0.1:9/', '--now', 'soon'], 'date-time'],
    ['data that is not an object', ['http://127.0.0.1:9/', '--data', '[]'], 'JSON object'],
  ])('rejects %s', async (_, args, text) => {
    let errors = '';
    const program = new Command();
    addWebhooks(program);
    const check = program.commands[0]?.commands[0] as Command;
    check.exitOverride().configureOutput({
      writeErr: (line) => {
        errors += line;
      },
    });

    await expect(
      program.parseAsync(['webhooks', 'check', ...args], { from: 'user' }),
    ).rejects.toThrow();
    expect(errors).toContain(text);
  });
});

describe.concurrent('the check of a receiver', () => {
  it('now sets the time at which events are signed', async () => {
    const now = 1_768_478_400;
    const headers: (string | undefined)[] = [];
    const verify: ReceiverParts['verify'] = (body, header) => {
      headers.push(header);
      return verifySignature(body, header, RECEIVER_SECRET, { now }).valid;
    };
    const checks = await checksOf({ verify }, { now });

    expect(checks.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(headers[0]).toMatch(/^t=1768478400,v0=[0-9a-f]{64}$/);
  });

  it('data sets fields of the event data', async () => {
    const [valid] = await checksOf(
      { take: ({ data }) => (data['customer_id'] === 'cust_known' ? 204 : 404) },
      { data: { customer_id: 'cust_known' } },
    );

    expect(valid?.verdict).toBe('passed');
  });

  it('sends other event ids in each run', async () => {
    const seen: string[] = [];
    const take: ReceiverParts['take'] = ({ id }, memory) => {
      if (memory.seen.size === 0) seen.push(id);
      memory.seen.add(id);
      return 204;
    };
    await checksOf({ take });
    await checksOf({ take });

    expect(seen[0]).toMatch(/^evt_[0-9a-z]{26}$/);
    expect(new Set(seen).size).toBe(2);
  });
});

describe.concurrent('the check of a receiver without a usable response', () => {
  const listening = async (serve: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      serve(socket);
    });
    await once(server.unref().listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it.each<[string, (socket: Socket) => void, string, number?]>([
    ['hangs up', (socket) => socket.destroy(), 'socket hang up'],
    ['says nothing', (socket) => socket.resume(), 'no complete response within 200 ms', 200],
    [
      'never ends its response',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      'no complete response within 200 ms',
      200,
    ],
    [
      'breaks off within its response',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      'the connection broke within the response',
    ],
    ['speaks another language', (socket) => socket.end('SSH-2.0-x\r\n'), 'Parse Error'],
  ])('fails valid if it %s', async (_, serve, reason, timeout = 15_000) => {
    const [valid] = await checksOf({}, { url: await listening(serve), timeout });

    expect(valid?.verdict).toBe('failed');
    expect(valid?.reason).toContain(reason);
  });

  it('fails valid if nothing listens at the URL', async () => {
    const [valid] = await checksOf({}, { url: 'http://127.0.0.1:9/' });

    expect(valid?.reason).toContain('ECONNREFUSED');
  });

  it('reads at most 64 KiB of a response that never ends', async () => {
    const { baseUrl: url, close } = await onLoopback((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const [valid] = await checksOf({}, { url });
    await close();

    expect(valid?.verdict).toBe('passed');
  });
});
