import { aFreshCustomer, check, describe } from '../kit/index.ts';
import { expectLimits, type Limits } from './shared/fields.ts';
import { ACCOUNT, CUSTOMER, updatedCustomer, VENDOR } from './shared/kinds.ts';
import {
  long,
  longId,
  mailOf,
  NO_METADATA,
  NO_TEXTS,
  payer,
  WITHIN_METADATA,
} from './shared/limits.ts';

const NO_NAMES = { name: [long(257), ...NO_TEXTS], external_id: ['x'.repeat(257), '', 7] };

/** The rows of names, external ids and metadata at their limits, and the values beyond. */
const named = (): Limits => ({
  within: [
    { name: 'x', external_id: longId(256), metadata: WITHIN_METADATA[0] },
    { name: long(256), metadata: WITHIN_METADATA[1] },
    ...WITHIN_METADATA.slice(2).map((metadata) => ({ metadata })),
  ],
  beyond: {
    ...NO_NAMES,
    metadata: NO_METADATA,
  },
});

const ofCustomer = (): Limits => {
  const { within, beyond } = named();
  return {
    within: [
      ...within,
      { email: mailOf(254), external_accounts: payer('p'.repeat(64), 'x') },
      { external_accounts: payer('q', 'x') },
    ],
    beyond: {
      ...beyond,
      email: [mailOf(255), 'nobody', ''],
      external_accounts: [payer('p'.repeat(65), 'x'), payer('p', '')],
    },
  };
};

describe('limits of texts', () => {
  check(
    'X-44',
    {
      requirement: ['R-CONV-19', 'R-CONV-23', 'R-ERR-22'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: 'A-306',
    },
    'names, external ids and metadata of accounts and vendors at each limit → accepted and shown as sent; one beyond, and what is no text or no map → rejected',
    async () => {
      await expectLimits(ACCOUNT, named());
      await expectLimits(VENDOR, {
        within: [{ name: 'x', external_id: longId(256) }, { name: long(256) }],
        beyond: NO_NAMES,
      });
    },
  );

  check(
    'X-29',
    { requirement: ['R-CONV-19', 'R-CONV-23'], level: 'ASSUMED', effect: 'E3', assumes: 'A-306' },
    'names, external ids, metadata, emails and external accounts of a customer at each limit, at creation → accepted and shown as sent; one beyond, and what is no text or no map → rejected',
    () => expectLimits(CUSTOMER, ofCustomer()),
  );

  check(
    'X-33',
    { requirement: ['R-CONV-19', 'R-CONV-23'], level: 'ASSUMED', effect: 'E3', assumes: 'A-306' },
    'names, external ids, metadata, emails and external accounts of a customer at each limit, by update → accepted and shown as sent; one beyond, and what is no text or no map → rejected',
    async () => expectLimits(updatedCustomer(await aFreshCustomer()), ofCustomer()),
  );
});
