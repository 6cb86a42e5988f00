export {
  type SignatureFault,
  type SignatureVerdict,
  type VerifyOptions,
  verifySignature,
} from './webhooks/verify-signature.ts';
