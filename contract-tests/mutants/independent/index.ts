import type { Mutant } from '../mutant.ts';
import { accountBugs } from './accounts.ts';
import { catalogBugs } from './catalog.ts';
import { creditBugs } from './credit.ts';
import { customerBugs } from './customers.ts';
import { deliveryBugs } from './deliveries.ts';
import { drawnAccountBugs } from './drawn-accounts.ts';
import { drawnCatalogBugs } from './drawn-catalog.ts';
import { drawnCreditBugs } from './drawn-credit.ts';
import { drawnUsageBugs } from './drawn-usage.ts';
import { heldOutBugs } from './held-out/index.ts';
import { infrastructureBugs } from './infrastructure/index.ts';
import { intakeBugs } from './intake.ts';
import { creditInteractions } from './interactions-credit.ts';
import { listInteractions } from './interactions-lists.ts';
import { planInteractions } from './interactions-plans.ts';
import { overTimeBugs } from './over-time.ts';
import { overTimeCreditBugs } from './over-time-credit.ts';
import { priceBugs } from './prices.ts';
import { productionBugs } from './production/index.ts';
import { rateBugs } from './rates.ts';
import { reportBugs } from './reports.ts';
import { rewriteBugs } from './rewrite/index.ts';
import { subscriptionBugs } from './subscriptions.ts';
import { reportedBugs } from './trackers/index.ts';
import { usageBugs } from './usage.ts';
import { walletBugs } from './wallets.ts';

/** Bugs as a team would make them, written from the specification alone, without knowledge of the checks. */
export const INDEPENDENT: readonly Mutant[] = [
  ...accountBugs,
  ...customerBugs,
  ...usageBugs,
  ...walletBugs,
  ...catalogBugs,
  ...creditBugs,
  ...deliveryBugs,
  ...intakeBugs,
  ...priceBugs,
  ...rateBugs,
  ...reportBugs,
  ...subscriptionBugs,
  ...overTimeBugs,
  ...overTimeCreditBugs,
  ...creditInteractions,
  ...listInteractions,
  ...planInteractions,
  ...drawnAccountBugs,
  ...drawnCatalogBugs,
  ...drawnCreditBugs,
  ...drawnUsageBugs,
  ...heldOutBugs,
  ...productionBugs,
  ...rewriteBugs,
  ...reportedBugs,
  ...infrastructureBugs,
];
