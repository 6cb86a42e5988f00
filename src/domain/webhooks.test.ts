import { describe, expect, it } from 'vitest';
import { instant } from './instant.ts';
import { RULES } from './rules.ts';
import { matchesTopic, validateWebhookUrl, writeEnvelope } from './webhooks.ts';

const messages = (url: string) => validateWebhookUrl(url).map(({ message }) => message);

describe('validateWebhookUrl', () => {
  it.each([
    'https://hooks.example.com/billing?source=a#b',
    'HTTPS://HOOKS.EXAMPLE.COM',
    'https://203.0.113.9:8443/',
    'http://127.0.0.1:9000/hook',
    'http://127.255.255.254/',
    'http://2130706433/', // 127.0.0.1 as one number
    'http://0x7f.1/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://[::1]:9000/',
    'http://[fd00::1]/',
    'http://[::ffff:192.168.0.1]/',
    'http://localhost:3000/',
    'http://LocalHost./',
    'http://receiver:8080/hook',
    'http://app.localhost/',
    'http://billing.svc.internal/',
    'http://printer.local/',
    'http://hooks.test/',
    'http://hooks.test./',
  ])('accepts %s', (url) => {
    expect(messages(url)).toEqual([]);
  });

  it.each([
    'http://hooks.example.com/',
    'http://8.8.8.8/',
    'http://172.15.0.1/',
    'http://172.32.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://0.0.0.0/',
    'http://100.64.0.1/',
    'http://[fe80::1]/',
    'http://[2001:db8::1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://localhost.example.com/',
    'http://mylocalhost.com/',
    'http://contest.example/',
    'http://127.0.0.1.example.com/',
    'http://hooks.example.com\\@localhost/', // a backslash ends the host
    'ftp://localhost/',
  ])('rejects the scheme of %s', (url) => {
    expect(messages(url)).toEqual([RULES['url.scheme']]);
  });

  it.each([
    'https://user@hooks.example.com/',
    'https://user:secret@hooks.example.com/',
    'https://:secret@hooks.example.com/',
    'http://localhost@127.0.0.1/',
  ])('rejects the credentials in %s', (url) => {
    expect(messages(url)).toEqual([RULES['url.credentials']]);
  });

  it('reports a wrong scheme and credentials together', () => {
    expect(validateWebhookUrl('http://localhost@hooks.example.com/')).toEqual([
      { field: 'url', message: RULES['url.credentials'] },
      { field: 'url', message: RULES['url.scheme'] },
    ]);
  });
});

const ACTIVATED = 'subscription.activated';

describe('matchesTopic', () => {
  it.each([
    { topics: ['*'], heard: true },
    { topics: ['other.topic', ACTIVATED], heard: true },
    { topics: ['subscription.*'], heard: false },
    { topics: ['other.topic'], heard: false },
    { topics: [], heard: false },
  ])('returns $heard for a destination with the topics $topics', ({ topics, heard }) => {
    expect(matchesTopic(topics, ACTIVATED)).toBe(heard);
  });
});

describe('writeEnvelope', () => {
  const head = {
    id: 'evt_1',
    type: ACTIVATED,
    created: instant('2026-01-15T12:00:00Z'),
    live_mode: false,
  };
  const data = '{"b":1,"a":["x"]}';

  it('writes the fields in a fixed order and the data unchanged', () => {
    expect(writeEnvelope(head, data)).toBe(
      '{"id":"evt_1","type":"subscription.activated","created":"2026-01-15T12:00:00.000Z",' +
        '"live_mode":false,"data":{"b":1,"a":["x"]}}',
    );
  });

  it('includes the account_id for a destination of the platform', () => {
    const told = writeEnvelope({ ...head, live_mode: true, account_id: 'acc_1' }, data);

    expect(JSON.parse(told)).toMatchObject({ live_mode: true, account_id: 'acc_1' });
  });
});
