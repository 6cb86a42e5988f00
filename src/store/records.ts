/** Row shapes of all tables, by subject. */

export type * from './records/accounts.ts';
export type * from './records/catalog.ts';
export type * from './records/hosted.ts';
export type * from './records/subscriptions.ts';
export type * from './records/usage.ts';
export type * from './records/wallets.ts';
export type * from './records/webhooks.ts';
export type * from './row.ts';
