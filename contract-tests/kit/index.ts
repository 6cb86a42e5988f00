/** Everything that a case file imports. */
export { expect } from 'vitest';
export { assuming, restOn } from './assuming.ts';
export * from './builders/objects.ts';
export * from './builders/products.ts';
export { check, table } from './check.ts';
export { readsItself } from './check-run.ts';
export { amount, lexeme } from './exact-json.ts';
export { specifiedStatuses } from './layers.ts';
export {
  allOperations,
  type Body,
  fillPath,
  type LooseParts,
  type OperationId,
  operationOf,
} from './operations.ts';
export { ContractFailure, NotObservable, Untestable } from './outcome.ts';
export { Rational } from './rational.ts';
export type { CheckContext } from './run-check.ts';
export * from './target/api.ts';
export { building } from './target/building.ts';
export { foreignKeys, keyHeaders, wrongKey } from './target/keys.ts';
export * from './target/names.ts';
export {
  type Misshapen,
  misshapen,
  misshapenQuery,
  reversedPeriods,
  withNulls,
} from './target/own-request.ts';
export * from './target/own-world.ts';
export * from './target/payments.ts';
export { aReceiver, type Delivery, type Receiver } from './target/receiver.ts';
export { environment, isOurs } from './target/session.ts';
export { momentOf, signatureFault } from './target/signature.ts';
export * from './target/waiting.ts';
