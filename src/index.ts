export * from './client/index.ts';
export {
  type GivenSettings,
  SETTINGS,
  type SettingName,
  type SettingsInput,
} from './config/settings.ts';
export type { CustomerControls, NewCustomer } from './embed/customers.ts';
export type { EmbeddedWorld } from './embed/embedded.ts';
export {
  createHandler,
  type EmbeddedEmulator,
  type EmbeddedOptions,
  type EmbeddedSandbox,
  type SandboxSource,
  startEmulator,
} from './embed/embedded.ts';
export type { ReceivedWebhook, Receiver, ReceiverOptions } from './embed/receiver.ts';
export type {
  ComparedSide,
  FaultReport,
  FaultRuleInput,
  SavedWorld,
  TestControls,
} from './embed/test-controls.ts';
export { fixtureText } from './fixtures/fixture-file.ts';
export type { LoggedCall } from './fixtures/recording/session.ts';
export { writeFixture } from './fixtures/recording/write-fixture.ts';
export { createEmulator, type Emulator, type EmulatorOptions } from './main.ts';
export type { OperationId } from './spec/operations.ts';
export type { Topic } from './spec/topics.ts';
export type { Poster } from './webhooks/post.ts';
export {
  type SignatureFault,
  type SignatureVerdict,
  type VerifyOptions,
  verifySignature,
} from './webhooks/signature.ts';
