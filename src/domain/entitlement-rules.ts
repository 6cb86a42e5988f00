import { decimal } from './decimal.ts';
import { type FindAsset, isTooPrecise } from './pricing/price-rules.ts';
import { type Finding, finding, findingIf } from './rules.ts';

/** An entitlement of a request that has passed validation against the schema. */
export interface EntitlementInput {
  readonly asset: string;
  readonly amount: number;
}

/**
 * Returns every rule that the entitlements of a version break, each with its request field.
 *
 * @assumes A-511 the asset exists, A-304 it holds that many decimals
 */
export function validateEntitlements(
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
