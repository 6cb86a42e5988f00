import type { Mutant } from '../../mutant.ts';
import { heldOutCatalogBugs } from './catalog.ts';
import { heldOutCustomerBugs } from './customers.ts';
import { pairedCatalogBugs } from './pairs-catalog.ts';
import { pairedCustomerBugs } from './pairs-customers.ts';
import { pairedUsageBugs } from './pairs-usage.ts';
import { pairedWebhookBugs } from './pairs-webhooks.ts';
import { secondCatalogBugs } from './second-catalog.ts';
import { secondCustomerBugs } from './second-customers.ts';
import { secondUsageBugs } from './second-usage.ts';
import { heldOutUsageBugs } from './usage.ts';

/**
 * Bugs of sentences of the specification, drawn by lot twice more, each time by somebody who knows no check; those that
 * show only where two sentences meet, by pairs drawn in the same way.
 */
export const heldOutBugs: readonly Mutant[] = [
  ...heldOutCatalogBugs,
  ...heldOutCustomerBugs,
  ...heldOutUsageBugs,
  ...secondCatalogBugs,
  ...secondCustomerBugs,
  ...secondUsageBugs,
  ...pairedCatalogBugs,
  ...pairedCustomerBugs,
  ...pairedUsageBugs,
  ...pairedWebhookBugs,
];
