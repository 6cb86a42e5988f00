import { decimal } from './decimal.ts';
import { type FindAsset, isTooPrecise } from './pricing/price-rules.ts';
import { type Finding, finding, findingIf } from './rules.ts';

/** An entitlement of a request, of the right shape. */
export interface EntitlementInput {
  readonly asset: string;
  readonly amount: number;
}

/**
 * Every rule that the entitlements of a version break, each at its field of the request.
 *
 * @assumes A-511 the asset exists, A-304 it holds that many decimals
 */
export function judgeEntitlements(
  entitlements: readonly EntitlementInput[],
  findAsset: FindAsset,
): Finding[] {
  return entitlements.flatMap(({ asset: code, amount }, index): Finding[] => {
    const asset = findAsset(code);
    if (!asset) return [finding('asset.unknown', `entitlements[${index}].asset`)];
    const field = `entitlements[${index}].amount`;
    return findingIf(isTooPrecise(decimal(amount), asset), 'amount.too_precise', field);
  });
}
