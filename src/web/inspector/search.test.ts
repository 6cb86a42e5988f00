import { describe, expect, it } from 'vitest';
import { compileSearch, parseSearch, type Subject, unknownFields } from './search.ts';

const SUBJECT: Subject = {
  at: '2026-01-15T12:00:00.000Z',
  fields: {
    customer: ['cust_1', 'Acme GmbH', 'acme', undefined],
    status: ['422'],
    topic: ['wallet.balance_changed'],
  },
  text: () => '{"path":"/customers?x=(1)"}',
};

const finds = (text: string): boolean => compileSearch(parseSearch(text))(SUBJECT);

describe('a search', () => {
  it.each([
    [''],
    ['   '],
    ['customer:acme'],
    ['customer:"acme gmbh"'],
    ['CUSTOMER:Acme'],
    ['customer:gmbh status:422 topic:* before:2026-02-01'],
    ['status:4*'],
    ['topic:wallet.*'],
    ['topic:balance'],
    ['after:2026-01-15 before:2026-01-16'],
    ['after:2026-01-15T12:00:00.000Z'],
    ['customers?x=(1)'],
    ['"Acme G"'],
    ['-status:200 -refund'],
    ['status:'],
  ])('finds with %j', (text) => {
    expect(finds(text)).toBe(true);
  });

  it.each([
    ['customer:acm'],
    ['status:42'],
    ['status:5*'],
    ['customer:acme status:200'],
    ['before:2026-01-15'],
    ['after:2026-01-16'],
    ['topic:wallet*debt'],
    ['refund'],
    ['-acme'],
    ['-status:422'],
    ['colour:red'],
    ['toString:*'],
    ['topic:walletXbalance*'],
  ])('does not find with %j', (text) => {
    expect(finds(text)).toBe(false);
  });

  it('takes signs of expressions for themselves', () => {
    expect(finds('status:(422')).toBe(false);
    expect(finds('status:[4]*')).toBe(false);
    expect(compileSearch(parseSearch('a:x.+*'))({ fields: { a: ['x.+y'] } })).toBe(true);
  });

  it('takes an address for a word', () => {
    const judge = compileSearch(parseSearch('https://example.com/*'));

    expect(judge({ fields: { url: ['https://example.com/*'] } })).toBe(true);
  });

  it('finds no bound in time where nothing happened', () => {
    expect(compileSearch(parseSearch('before:2030'))({ fields: {} })).toBe(false);
  });

  it('answers at once, however the pattern repeats itself', () => {
    const judge = compileSearch(parseSearch(`a:${'*a'.repeat(12)}*b`));

    expect(judge({ fields: { a: ['a'.repeat(60)] } })).toBe(false);
  });

  it('names the fields that a list does not have, once each', () => {
    const search = parseSearch('colour:red status:200 colour:blue before:2026 word');

    expect(unknownFields(search, ['status'])).toEqual(['colour']);
  });
});
