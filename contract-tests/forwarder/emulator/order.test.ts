import { describe, expect, it } from 'vitest';
import { Order, type Ordered } from './order.ts';

interface Named extends Ordered {
  readonly name: string;
}

function exchange(name: string, arrived: number, ended: number, world = 'w'): Named {
  return { name, arrived, ended, world, isWrite: name.startsWith('W') };
}

/** Each turn as text: its name, and `!` when contended. */
function turnsOf(order: Order<Named>): readonly string[] {
  return [...order.ready()].map(
    ({ exchange: { name }, isContended }) => `${name}${isContended ? ' !' : ''}`,
  );
}

describe('Order', () => {
  it('returns exchanges by their end, once all that arrived before have ended', () => {
    const order = new Order<Named>();
    order.arrive(1);
    order.arrive(2);
    order.end(exchange('W1', 2, 3));

    expect(turnsOf(order)).toEqual([]);

    order.end(exchange('R1', 1, 4));

    expect(turnsOf(order)).toEqual(['W1', 'R1 !']);
  });

  it('does not wait for requests that arrived after the end or had no result', () => {
    const order = new Order<Named>();
    for (const arrived of [1, 2, 4]) order.arrive(arrived);
    order.end(exchange('W1', 1, 3));
    order.leave(2);

    expect(turnsOf(order)).toEqual(['W1']);
  });

  it('marks reads beside a write of their world as contended', () => {
    const order = new Order<Named>();
    for (const arrived of [1, 2, 3]) order.arrive(arrived);
    order.end(exchange('R1', 1, 4));
    order.end(exchange('W1', 2, 5));
    order.end(exchange('W2', 3, 6, 'other'));

    expect(turnsOf(order)).toEqual(['R1 !', 'W1', 'W2']);
  });

  it('marks writes that ran in parallel as contended', () => {
    const order = new Order<Named>();
    for (const arrived of [1, 2, 5]) order.arrive(arrived);
    order.end(exchange('W1', 1, 3));
    order.end(exchange('W2', 2, 4));
    order.end(exchange('W3', 5, 6));

    expect(turnsOf(order)).toEqual(['W1 !', 'W2 !', 'W3']);
  });
});
