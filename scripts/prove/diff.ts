import { proveComparison } from './comparison/prove.ts';
import { proveOverHistories } from './random-histories.ts';

/**
 * `npm run prove -- diff [--seed N] [--runs N]`: random histories, whose moments are compared with one another and with
 * exports that were changed in one place. What a comparison says must be what the texts of the exports say.
 */
await proveOverHistories(200, proveComparison);
