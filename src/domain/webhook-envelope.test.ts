import { describe, expect, it } from 'vitest';
import { instant } from './instant.ts';
import { matchesTopic, writeEnvelope } from './webhook-envelope.ts';

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
