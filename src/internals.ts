/**
 * `billing-emulator/internals`: parts of the emulator for its contract kit. The kit starts emulators with one
 * defect each and checks recorded traffic. These exports can change in any version.
 */

export { JOBS } from './clock/due.ts';
export type { Due, DueKind, Job } from './clock/job.ts';
export { type GivenSettings, SETTINGS } from './config/settings.ts';
export { decimal } from './domain/decimal.ts';
export { gainText } from './domain/postings.ts';
export { RuleViolation } from './domain/rules.ts';
export { type Span, spansAfter } from './domain/spans.ts';
export type { LoggedCall } from './fixtures/recording/session.ts';
export { writeFixture } from './fixtures/recording/write-fixture.ts';
export { fixtureText } from './fixtures/write.ts';
export type { RawResponse } from './http/message.ts';
export { routerOf } from './http/router.ts';
export { createEmulator, type Emulator } from './main.ts';
export type { Context, Handlers } from './resources/context.ts';
export { handlers } from './resources/index.ts';
export { Refusal } from './resources/problems.ts';
export { credit, openAccount } from './resources/wallets/ledger.ts';
export { key } from './store/schema.ts';
export { withoutPauses } from './store/time-sliced.ts';
export { type JunitResult, junitXml } from './text/junit.ts';
export { plural } from './text/plural.ts';
export { printable } from './text/printable.ts';
export { redactText, secretsIn } from './text/redaction.ts';
export { createPoster, type Poster, type PostOutcome, type WebhookPost } from './webhooks/post.ts';
export { signatureOf } from './webhooks/signature.ts';
