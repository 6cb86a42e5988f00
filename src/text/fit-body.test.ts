import { describe, expect, it } from 'vitest';
import { wireNumber } from './exact-json.ts';
import { fitBody } from './fit-body.ts';

const bytesOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body));
const text = (length: number) => 'ü'.repeat(length / 2);

describe('fitBody', () => {
  it('keeps the first items of a list and all other fields', () => {
    const body = { total_count: 9, items: Array.from({ length: 9 }, () => text(100)), limit: 5 };
    const fitted = fitBody(body, 400);

    expect(fitted).toEqual({ body: { ...body, items: body.items.slice(0, 3) }, cut: ['items'] });
    expect(bytesOf(fitted.body)).toBe(346);
    expect(fitBody(body, bytesOf(body) + 2)).toEqual({ body, cut: [] });
  });

  it('does not cut short lists next to long ones, and keeps at least one item', () => {
    const waiting = Array.from({ length: 50 }, (_, place) => ({ place, of: text(20) }));
    const fees = [{ id: 'one', wallet: { draws: [1, 2], waiting } }, { id: 'two' }];
    const { body, cut } = fitBody({ fees, warnings: ['few'] }, 300);
    const wallet = { draws: [1, 2], waiting: waiting.slice(0, 5) };

    expect(body).toEqual({ fees: [{ id: 'one', wallet }], warnings: ['few'] });
    expect(cut).toEqual(['fees', 'fees.wallet.waiting']);
  });

  it('keeps exact numbers and everything that is not a list', () => {
    const amount = wireNumber('0.12345678901234567890');
    const body = { amount, note: text(500), none: undefined, gone: null };

    expect(fitBody(body, 100)).toEqual({ body, cut: [] });
  });
});
