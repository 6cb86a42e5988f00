import { findCurrency } from '../../domain/currencies.ts';
import { findAsset } from '../../resources/assets/asset-lookup.ts';
import type { Context } from '../../resources/context.ts';
import type { WalletAccountRow } from '../../state/records.ts';

/** A wallet account as customers call it: by its asset, and by its name where it is not the usual one. */
export function accountText(
  context: Context,
  { name, asset }: Pick<WalletAccountRow, 'name' | 'asset'>,
): string {
  const assetText = findCurrency(asset) ? asset : (findAsset(context, asset)?.name ?? asset);
  return name === 'default' ? assetText : `${assetText} (${name})`;
}
