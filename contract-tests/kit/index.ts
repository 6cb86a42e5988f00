/** Everything that a case file imports. */
export { expect } from 'vitest';
export * from './about-target.ts';
export * from './addresses.ts';
export { assuming, restOn } from './assuming.ts';
export { anyOf } from './builders/any-of.ts';
export * from './builders/movements.ts';
export * from './builders/objects.ts';
export * from './builders/products.ts';
export { aWebhook, blackHole, type OwnWebhook } from './builders/webhooks.ts';
export { check, table } from './check.ts';
export { amount, lexeme } from './exact-json.ts';
export { specifiedStatuses } from './layers.ts';
export {
  allOperations,
  type Body,
  type LooseParts,
  type OperationId,
  operationOf,
} from './operations.ts';
export { ContractFailure, NotObservable, NotSelected, TooFew, Untestable } from './outcome.ts';
export { Rational } from './rational.ts';
export type { CheckContext } from './run-check.ts';
export * from './target/api.ts';
export type { ReceivedAnswer } from './target/exchange.ts';
export * from './target/names.ts';
export * from './target/own-world.ts';
export {
  completePaymentPage,
  leadsTo,
  openPaymentPage,
  turnOnAutoTopUp,
} from './target/payments.ts';
export { aReceiver, type Delivery, type Receiver } from './target/receiver.ts';
export { withNulls } from './target/request-nulls.ts';
export { signatureFault } from './target/signature.ts';
export { building } from './target/slots.ts';
export * from './target/waiting.ts';
