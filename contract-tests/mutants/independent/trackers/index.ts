import type { Mutant } from '../../mutant.ts';
import { reportedCatalogBugs } from './catalog.ts';
import { reportedCreditBugs } from './credit.ts';
import { reportedRenewalBugs } from './renewals.ts';
import { reportedUsageBugs } from './usage.ts';
import { reportedWalletBugs } from './wallets.ts';
import { reportedWebhookBugs } from './webhooks.ts';

/**
 * Bugs that users of real billing and metering services have reported, transferred to this service: symptoms first,
 * chosen before it was known which of them are easy to find. Written without knowledge of the checks.
 */
export const reportedBugs: readonly Mutant[] = [
  ...reportedRenewalBugs,
  ...reportedCreditBugs,
  ...reportedWalletBugs,
  ...reportedUsageBugs,
  ...reportedCatalogBugs,
  ...reportedWebhookBugs,
];
