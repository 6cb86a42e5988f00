import type { Mutant } from '../mutant.ts';
import { accountBugs } from './accounts.ts';
import { customerBugs } from './customers.ts';
import { usageBugs } from './usage.ts';
import { walletBugs } from './wallets.ts';

/** Bugs as a team would make them, told from the specification alone, without knowledge of the checks. */
export const INDEPENDENT: readonly Mutant[] = [
  ...accountBugs,
  ...customerBugs,
  ...usageBugs,
  ...walletBugs,
];
