import { proveComparison } from './comparison/prove.ts';
import { proveOverHistories } from './random-histories.ts';

/**
 * `npm run prove -- diff [--seed N] [--runs N]`: runs random histories, and compares their states with one another and
 * with exports changed in one place. Each comparison must agree with the texts of the exports.
 */
await proveOverHistories(200, proveComparison);
