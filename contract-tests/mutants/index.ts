import { assetMutants } from './assets.ts';
import { catalogMutants } from './catalog.ts';
import { closeAmountMutants } from './close-amounts.ts';
import { creditMutants } from './credit.ts';
import { customerMutants } from './customers.ts';
import { deliveryMutants } from './deliveries.ts';
import { destinationMutants } from './destinations.ts';
import { edgeMutants } from './edges.ts';
import { exactNumberMutants } from './exact-numbers.ts';
import { exactTextMutants } from './exact-texts.ts';
import { hostedMutants } from './hosted.ts';
import { lateUsageMutants } from './late-usage.ts';
import { listMutants } from './lists.ts';
import type { Mutant } from './mutant.ts';
import { pipelineMutants } from './pipeline.ts';
import { priceModelMutants } from './price-models.ts';
import { renewalMutants } from './renewals.ts';
import { repeatedUsageMutants } from './repeated-usage.ts';
import { termMutants } from './terms.ts';
import { timeMutants } from './time.ts';
import { topicMutants } from './topics.ts';
import { usageMutants } from './usage.ts';
import { walletMutants } from './wallets.ts';

/** Every declared mutant. */
export const MUTANTS: readonly Mutant[] = [
  ...pipelineMutants,
  ...listMutants,
  ...assetMutants,
  ...customerMutants,
  ...catalogMutants,
  ...walletMutants,
  ...usageMutants,
  ...hostedMutants,
  ...deliveryMutants,
  ...timeMutants,
  ...termMutants,
  ...priceModelMutants,
  ...creditMutants,
  ...lateUsageMutants,
  ...edgeMutants,
  ...exactTextMutants,
  ...exactNumberMutants,
  ...closeAmountMutants,
  ...renewalMutants,
  ...topicMutants,
  ...destinationMutants,
  ...repeatedUsageMutants,
];
