import type { OperationSpec } from '../../src/spec/document.ts';

/**
 * What a request may do to the account it is sent to. E0 reads; E1 must be refused, or computes without
 * storing; E2 can be undone; E3 stays but is inert; E4 is money-like or reaches other people.
 */
export const EFFECTS = ['E0', 'E1', 'E2', 'E3', 'E4'] as const;
export type Effect = (typeof EFFECTS)[number];

export function isEffect(text: string): text is Effect {
  return (EFFECTS as readonly string[]).includes(text);
}

export function exceeds(effect: Effect, ceiling: Effect): boolean {
  return EFFECTS.indexOf(effect) > EFFECTS.indexOf(ceiling);
}

export function highest(effects: readonly Effect[]): Effect {
  return EFFECTS[Math.max(0, ...effects.map((effect) => EFFECTS.indexOf(effect)))] as Effect;
}

const WITHOUT_EFFECT = new Set(['quoteAsset', 'simulateUsage']);
const REVERSIBLE = new Set([
  'createWebhook',
  'updateWebhook',
  'deleteWebhook',
  'testWebhook',
  'deleteProduct',
]);
const OUTWARD = new Set([
  'createTopUp',
  'chargeWallet',
  'createPortalSession',
  'testWebhooks',
  'testConnectedWebhooks',
]);
/** Undoable until something is published. */
const DRAFTING = new Set(['createProduct', 'updateProductVersion']);

/** The least effect that a request has when it is carried out. */
export function effectOf({ id, method }: OperationSpec, body: unknown): Effect {
  if (method === 'GET') return 'E0';
  if (WITHOUT_EFFECT.has(id)) return 'E1';
  if (REVERSIBLE.has(id)) return 'E2';
  if (OUTWARD.has(id)) return 'E4';
  if (DRAFTING.has(id)) return (body as { publish?: unknown })?.publish === true ? 'E3' : 'E2';
  return 'E3';
}
