import type { Mutant } from '../../mutant.ts';
import { databaseBugs } from './database.ts';
import { dateBugs } from './dates.ts';
import { httpBugs } from './http.ts';
import { jsonBugs } from './json.ts';
import { moneyBugs } from './money.ts';
import { numberBugs } from './numbers.ts';

/**
 * Bugs of a service written anew in another language and on another database: number types, column types, time zones,
 * JSON libraries, collations, routers, and rules of money that were misread. Written from the specification, without
 * knowledge of the checks.
 */
export const rewriteBugs: readonly Mutant[] = [
  ...numberBugs,
  ...dateBugs,
  ...jsonBugs,
  ...databaseBugs,
  ...httpBugs,
  ...moneyBugs,
];
