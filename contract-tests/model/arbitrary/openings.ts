import type { Action, ActionOf, Step } from '../history.ts';

const SUBSCRIBE: ActionOf<'subscribe'> = { do: 'subscribe', version: 0, others: [] };
const PAY: Action = { do: 'pay', pick: 0, outcome: 'succeeded', declines: false };
const SUBSCRIBE_TO_ALL: Action = { ...SUBSCRIBE, others: [0, 0] };

const first = (customer: number, product: number, taken: Action): Step => ({
  after: 0,
  customer,
  product,
  action: taken,
});

/** A step that can ask for a first renewal if it subscribes. */
export const withRenewal = ({ action, ...step }: Step, renews: number | undefined): Step =>
  renews !== undefined && action.do === 'subscribe'
    ? { ...step, action: { ...action, renews } }
    : { ...step, action };

/**
 * First steps that activate subscriptions, so that later steps have effects. The first customer holds all products by one
 * subscription, if their intervals agree, and one again; the second holds one product twice, before and after another.
 */
export const OPENINGS: readonly (readonly Step[])[] = [
  [first(0, 0, SUBSCRIBE_TO_ALL), first(0, 1, SUBSCRIBE), first(0, 0, PAY), first(0, 0, PAY)],
  [
    first(1, 0, SUBSCRIBE),
    first(1, 1, SUBSCRIBE),
    first(1, 0, SUBSCRIBE),
    first(1, 0, PAY),
    first(1, 0, PAY),
    first(1, 0, PAY),
  ],
];
