/** What a case file imports. */
export { expect } from 'vitest';
export { environment, isOurs, wrongKey } from './about-target.ts';
export { api, call, refused, send } from './api.ts';
export * from './builders.ts';
export { assuming, type CheckContext, check } from './check.ts';
export { amount, lexeme } from './exact-json.ts';
export type { Answer } from './exchange.ts';
export { describe } from './gather.ts';
export { specifiedStatuses } from './layers.ts';
export {
  now,
  pseudoRandom,
  runMark,
  today,
  unique,
  uniqueAssetCode,
  uniqueSubject,
  unknownId,
  uuid,
} from './names.ts';
export { allOperations, type Body, type OperationId, operationOf } from './operations.ts';
export { ContractFailure, NotObservable, NotSelected, Untestable } from './outcome.ts';
export { completePayment, turnOnAutoTopUp } from './payments.ts';
export { Rational } from './rational.ts';
export { aReceiver, type Delivery, type Receiver } from './receiver.ts';
export { signatureFault } from './signature.ts';
export { building, useUp } from './slots.ts';
export { eventually } from './waiting.ts';
