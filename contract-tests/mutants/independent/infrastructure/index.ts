import type { Mutant } from '../../mutant.ts';
import { accessBugs } from './access.ts';
import { limitBugs } from './limits.ts';
import { meetingBugs } from './meetings.ts';
import { updateBugs } from './updates.ts';

/**
 * Bugs of a service that is put behind real infrastructure and used by real teams: keys and tenants, sizes, updates,
 * and features that meet. Written from the specification, without knowledge of the checks.
 */
export const infrastructureBugs: readonly Mutant[] = [
  ...accessBugs,
  ...limitBugs,
  ...updateBugs,
  ...meetingBugs,
];
