export {
  type ControlAnswer,
  type ControlClient,
  ControlError,
  type ControlParts,
  controlClient,
} from './control-client.ts';
export {
  createHandler,
  type EmbeddedEmulator,
  type EmbeddedOptions,
  startEmulator,
} from './embedded.ts';
export {
  type SignatureFault,
  type SignatureVerdict,
  type VerifyOptions,
  verifySignature,
} from './webhooks/verify-signature.ts';
