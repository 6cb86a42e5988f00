import { createServer } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { describe, expect, it } from 'vitest';
import { signatureFault } from '../../../contract-tests/kit/target/signature.ts';
import {
  RECEIVER_SECRET,
  type ReceiverParts,
  RIGHT_PARTS,
  startReceiver,
} from '../../testing/webhook-receiver.ts';
import { signatureOf } from '../signature.ts';
import { verifySignature } from '../verify-signature.ts';
import { RECEIVER_CHECK_IDS, type ReceiverCheckId } from './receiver-checks.ts';
import {
  type ReceiverCheckOptions,
  type ReceiverCheckResult,
  runReceiverSuite,
} from './run-receiver-suite.ts';

/** Checks a receiver with some parts wrong. */
async function check(
  wrong: Partial<ReceiverParts> = {},
  options: Partial<ReceiverCheckOptions> = {},
) {
  const { url, effectsUrl, close } = await startReceiver(wrong);
  const preset = { url, effectsUrl, secret: RECEIVER_SECRET, serviceName: 'Service' };
  try {
    return (await runReceiverSuite({ ...preset, ...options })).items;
  } finally {
    await close();
  }
}

const failedOf = (checks: readonly ReceiverCheckResult[]): ReceiverCheckId[] =>
  checks.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);

const verify = (body: Buffer | string, header: string | undefined, toleranceSeconds = 300) =>
  verifySignature(body, header, RECEIVER_SECRET, { toleranceSeconds });
const ANY_AGE = Number.POSITIVE_INFINITY;
const secondsAhead = (header = '') => Number(header.slice(2, 12)) - Date.now() / 1000;

/** One receiver per check, wrong in the way that the check is about and right in all else. */
const BROKEN: { readonly [Id in Exclude<ReceiverCheckId, 'valid'>]: Partial<ReceiverParts> } = {
  // Verifies only what says that it is signed.
  missing_signature: {
    verify: (body, header) => header === undefined || verify(body, header).valid,
  },
  // Compares as many digits as it is given.
  wrong_signature: {
    verify(body, header = '') {
      const [moment = '', given = ' '] = header.replace('t=', '').split(',v0=');
      const right = signatureOf(body, RECEIVER_SECRET, moment);
      return (
        given.split(',').some((each) => right.startsWith(each)) &&
        Math.abs(secondsAhead(header)) < 300
      );
    },
  },
  // Spares itself the digest of a header that it has seen to hold.
  changed_byte: (() => {
    const held = new Set<string>();
    return {
      verify(body: Buffer, header = '') {
        if (held.has(header)) return true;
        const { valid } = verify(body, header);
        if (valid) held.add(header);
        return valid;
      },
    };
  })(),
  // Verifies the JSON that its framework read, written again.
  reserialised: {
    verify: (body, header) => verify(JSON.stringify(JSON.parse(body.toString())), header).valid,
  },
  // Takes care of clocks that run fast only.
  stale: {
    verify: (body, header) => verify(body, header, ANY_AGE).valid && secondsAhead(header) < 300,
  },
  // Looks at the age only.
  future: {
    verify: (body, header) => verify(body, header, ANY_AGE).valid && secondsAhead(header) > -300,
  },
  // Does everything again.
  duplicate_id: {
    take(event, memory) {
      const status = RIGHT_PARTS.take(event, memory);
      memory.seen.clear();
      return status;
    },
  },
  // Refuses what was created before the latest.
  out_of_order: (() => {
    let latest = '';
    return {
      take(event: { readonly created: string } & Parameters<ReceiverParts['take']>[0], memory) {
        if (event.created < latest) return 409;
        latest = event.created;
        return RIGHT_PARTS.take(event, memory);
      },
    } satisfies Partial<ReceiverParts>;
  })(),
  // Looks at the first signature.
  second_signature: {
    verify: (body, header = '') => verify(body, header.split(',').slice(0, 2).join()).valid,
  },
  // Compares without regard to case.
  upper_case_hex: { verify: (body, header) => verify(body, header?.toLowerCase()).valid },
  // Knows the fields of an event, and no others.
  unknown_field: {
    take(event, memory) {
      const known = ['id', 'type', 'created', 'live_mode', 'data'];
      const knownData = ['customer_id', 'subscription_id', 'occurred_at'];
      const isKnown =
        Object.keys(event).every((name) => known.includes(name)) &&
        Object.keys(event.data).every((name) => knownData.includes(name));
      return isKnown ? RIGHT_PARTS.take(event, memory) : 422;
    },
  },
  // Refuses the types it has no work for.
  unknown_topic: {
    take: (event, memory) =>
      event.type === 'subscription.activated' ? RIGHT_PARTS.take(event, memory) : 400,
  },
  // Has the limit that a widespread body parser comes with.
  large_body: { limit: 100 * 1024 },
  // Reads each piece as text of its own.
  slow_reading: {
    gather: (chunks) => Buffer.from(chunks.map((chunk) => chunk.toString('utf8')).join('')),
  },
};

describe.concurrent('the receiver check', () => {
  it('passes a receiver that verifies with the helper of this package', async () => {
    const checks = await check();

    expect(checks.map(({ id }) => id)).toEqual(RECEIVER_CHECK_IDS);
    expect(checks.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    expect(checks.filter(({ remark }) => remark !== null)).toEqual([]);
  });

  it('passes a receiver that verifies as the contract kit does', async () => {
    const secret = RECEIVER_SECRET;
    const verifyByKit: ReceiverParts['verify'] = (body, header) =>
      signatureFault({ header, body, secret, unixSeconds: Date.now() / 1000 }) === undefined;

    expect(failedOf(await check({ verify: verifyByKit }))).toEqual([]);
  });

  it.each(Object.entries(BROKEN))('fails exactly its check: %s', async (id, wrong) => {
    expect(failedOf(await check(wrong))).toEqual([id]);
  });

  it('fails a receiver that refuses what comes twice, seen without its effects', async () => {
    const wrong: Partial<ReceiverParts> = {
      take({ id }, { seen }) {
        if (seen.has(id)) return 409;
        seen.add(id);
        return 204;
      },
    };

    expect(failedOf(await check(wrong, { effectsUrl: undefined }))).toEqual(['duplicate_id']);
  });

  it('says that it cannot see what a repeated event did without an address of effects', async () => {
    const checks = await check(BROKEN.duplicate_id, { effectsUrl: undefined });

    expect(failedOf(checks)).toEqual([]);
    expect(checks.filter(({ remark }) => remark !== null)).toMatchObject([
      { id: 'duplicate_id', remark: expect.stringContaining('does not tell') },
    ]);
  });

  it('fails a receiver that acts before it verifies', async () => {
    let effects = 0;
    const wrong: Partial<ReceiverParts> = {
      verify(body, header) {
        effects += 1;
        return RIGHT_PARTS.verify(body, header);
      },
    };
    const server = createServer((_, response) => response.end(String(effects))).listen(0);
    const { port } = server.address() as AddressInfo;
    const checks = await check(wrong, { effectsUrl: `http://127.0.0.1:${port}/` });
    server.close();

    expect(checks.find(({ id }) => id === 'stale')?.reason).toMatch(
      /expected no effect, which went from \d+ to \d+/,
    );
  });

  it('remarks on nothing where the answer says all', async () => {
    const checks = await check({
      verify: (body, header = '') => verify(body, header, ANY_AGE).valid,
    });

    expect(failedOf(checks)).toEqual(['stale', 'future']);
    expect(checks.filter(({ remark }) => remark !== null)).toEqual([]);
  });

  it('finds a limit of size behind another reason to refuse', async () => {
    const checks = await check({ ...BROKEN.reserialised, limit: 100 * 1024 });

    expect(failedOf(checks)).toEqual(['reserialised', 'large_body']);
    expect(checks.find(({ id }) => id === 'large_body')?.reason).toBe(
      'a body of 262144 bytes: expected 401 as before, answered 413',
    );
  });

  it('asks a receiver nothing more that does not accept what is genuine', async () => {
    const [valid, ...others] = await check({ take: () => 500 });

    expect(valid).toMatchObject({
      verdict: 'failed',
      reason: 'genuine: expected 2xx, answered 500',
    });
    expect(new Set(others.map(({ verdict }) => verdict))).toEqual(new Set(['skipped']));
  });

  it('holds a redirect for no acceptance and follows none', async () => {
    const [valid] = await check({ take: () => 302 });

    expect(valid?.reason).toBe('genuine: expected 2xx, answered 302');
  });

  it('remarks on refusals that do not look like one', async () => {
    const wrong: Partial<ReceiverParts> = {
      verify(body, header) {
        if (!RIGHT_PARTS.verify(body, header)) throw new Error('not genuine');
        return true;
      },
    };
    const checks = await check(wrong, { skip: ['duplicate_id'] });

    expect(failedOf(checks)).toEqual([]);
    expect(checks.find(({ id }) => id === 'missing_signature')?.remark).toContain(
      'refused with 500',
    );
  });

  it('leaves out what it is told to', async () => {
    const checks = await check({ limit: 100 * 1024 }, { skip: ['large_body', 'stale'] });

    expect(failedOf(checks)).toEqual([]);
    expect(checks.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id)).toEqual([
      'stale',
      'large_body',
    ]);
  });

  it('goes by the clock that the receiver goes by', async () => {
    const now = 1_768_478_400;
    const checks = await check(
      { verify: (body, header) => verifySignature(body, header, RECEIVER_SECRET, { now }).valid },
      { now },
    );

    expect(failedOf(checks)).toEqual([]);
    expect(checks[0]?.requests[0]?.signature).toMatch(/^t=1768478400,v0=[0-9a-f]{64}$/);
  });

  it('tells of the customers that it is told of', async () => {
    const [valid] = await check(
      { take: ({ data }) => (data['customer_id'] === 'cust_known' ? 204 : 404) },
      { data: { customer_id: 'cust_known' } },
    );

    expect(valid?.verdict).toBe('passed');
  });

  it('never sends an event id of another run', async () => {
    const idsOf = async () => {
      const ids = new Set<string>();
      await check({
        take({ id }) {
          ids.add(id);
          return 204;
        },
      });
      return ids;
    };
    const [first, second] = await Promise.all([idsOf(), idsOf()]);

    for (const id of first) expect(id).toMatch(/^evt_[0-9a-z]{26}$/);
    expect([...first].filter((id) => second.has(id))).toEqual([]);
    expect(second.size).toBe(first.size);
  });
});

describe.concurrent('a receiver that does not answer', () => {
  const silent = (serve: (socket: Socket) => void) =>
    new Promise<Server>((resolve) => {
      const server = createTcpServer((socket) => {
        socket.on('error', () => {});
        serve(socket);
      });
      server.listen(0, '127.0.0.1', () => resolve(server));
    });

  it.each<[string, (socket: Socket) => void, string]>([
    ['hangs up', (socket) => socket.destroy(), 'socket hang up'],
    ['says nothing', (socket) => socket.resume(), 'no whole answer within 200 ms'],
    [
      'never ends its answer',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      'no whole answer within 200 ms',
    ],
    [
      'breaks off within its answer',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      'the connection broke within the answer',
    ],
    [
      'switches to another protocol',
      (socket) =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
        ),
      'expected 2xx, answered 101',
    ],
    ['speaks another language', (socket) => socket.end('SSH-2.0-x\r\n'), 'Parse Error'],
  ])('%s', async (_, serve, reason) => {
    const server = await silent(serve);
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const [valid] = await check({}, { url, timeout: 200 });
    server.close();

    expect(valid?.verdict).toBe('failed');
    expect(valid?.reason).toContain(reason);
  });

  it('is not there', async () => {
    const [valid] = await check({}, { url: 'http://127.0.0.1:9/' });

    expect(valid?.reason).toContain('ECONNREFUSED');
  });

  it.each([
    'http://169.254.169.254/hook',
    'http://0xa9fea9fe/hook',
    'http://[::ffff:169.254.169.254]/hook',
    'https://100.100.100.200/hook',
  ])('lies where nothing is ever sent: %s', async (url) => {
    const [valid] = await check({}, { url });

    expect(valid?.reason).toContain('Not sent:');
    expect(valid?.requests[0]?.status_code).toBeNull();
  });

  it('is read to 64 KiB and no further', async () => {
    const endless = createServer((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    }).listen(0);
    const { port } = endless.address() as AddressInfo;
    const [valid] = await check({}, { url: `http://127.0.0.1:${port}/`, skip: [] });
    endless.close();
    endless.closeAllConnections();

    expect(valid?.requests[0]).toMatchObject({ status_code: 200, error: null });
  });
});
