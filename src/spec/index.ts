/** `billing-emulator/spec`: the interface documents, their validators and types, and how texts about them are written. */

export {
  type ChangedValue,
  type ComparingOptions,
  changedValues,
  pathText,
} from '../text/changed-values.ts';
export { type JunitResult, junitXml } from '../text/junit.ts';
export { redactText, secretsIn } from '../text/redaction.ts';
export { didYouMean, plural, printable } from '../text/wording.ts';
export { type Assumption, readAssumptions } from './assumptions.ts';
export type { BrokenRule } from './compiler.ts';
export { compile, documentSchemas } from './compiler.ts';
export {
  type InterfaceDocument,
  type Json,
  loadDocument,
  type OperationSpec,
  resolve,
  SPEC_FOLDER,
} from './document.ts';
export type { Call, OperationId, Reply } from './operations.ts';
export { EFFECTS, type Effect, effectOf } from './operations.ts';
export { type Validators, validatorsOf } from './validators.ts';
