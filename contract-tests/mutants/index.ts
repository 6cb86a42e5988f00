import { listDefects } from './lists.ts';
import { moneyDefects } from './money.ts';
import type { Mutant } from './mutant.ts';
import { NOTICED_BY } from './noticed-by.ts';
import { recordDefects } from './records.ts';
import { requestDefects } from './requests.ts';
import { settingDefects } from './settings.ts';
import { subscriptionDefects } from './subscriptions.ts';
import { usageDefects } from './usage.ts';
import { webhookDefects } from './webhooks.ts';

/** Every declared mutant. */
export const MUTANTS: readonly Mutant[] = [
  ...requestDefects,
  ...listDefects,
  ...recordDefects,
  ...moneyDefects,
  ...settingDefects,
  ...usageDefects,
  ...subscriptionDefects,
  ...webhookDefects,
].map((defect) => ({ ...defect, noticedBy: NOTICED_BY[defect.about]?.split(' ') ?? [] }));
