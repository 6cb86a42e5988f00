import { subscriptionDefects, usageDefects } from './billing.ts';
import { listDefects } from './lists.ts';
import { moneyDefects } from './money.ts';
import type { Mutant } from './mutant.ts';
import { recordDefects } from './records.ts';
import { requestDefects, settingDefects } from './requests.ts';
import { webhookDefects } from './webhooks.ts';

/** The checks that must find each mutant, by what it is about. */
export const NOTICED_BY: Readonly<Record<string, string>> = {
  '401 and 404 have a body': 'X-17 X-70 X-75',
  'A body that cannot be read is reported as invalid, and the reverse':
    'X-05 X-06 X-15 X-19 X-23 X-24 X-32 X-50',
  'A conflict, a large body and a wrong method return 400': 'PRD-71 X-75 X-98',
  'Invalid requests are accepted without effect': 'X-06 X-102 X-103 X-104 X-32 X-34 X-46 X-67 X-68',
  'Responses are text, without the id of their request': 'X-80 X-21 X-51 X-55 X-66 X-93',
  'A request without a key, or with an invalid one, is accepted': 'X-01 X-20 X-55 X-84',
  'Live and test keys open the same account': 'ACC-13 X-39 X-49',
  'The account to act for is ignored': 'X-21 X-37 X-38 X-48 X-59 X-100 X-101',
  'A content type with a character set is rejected': 'X-93',
  'Limits are ignored': 'PRD-31 X-11 X-13 X-15 X-35 X-89',
  'total_count is the length of the page': 'PRD-31 X-13 X-35 X-76',
  'Lists are in the reverse order': 'PRD-31 TSK-03 X-13 X-35',
  'Lists leave out their last item': 'PRD-32 X-28 X-36 X-41 X-79 X-81 X-91',
  'Filters are ignored': 'PRD-32 TSK-03 X-04 X-32 X-43 X-47 X-92',
  'The first and the last day of a period are left out': 'CUS-13 CUS-14 CUS-52 EVT-48 X-121',
  'The log of webhook events has one page': 'X-37 X-39 X-59 X-80 X-81 X-92',
  'Optional fields are forgotten': 'X-23 X-33 X-44 WAL-38 X-97',
  'Texts are kept in ASCII, and at most 60 characters': 'X-06 X-33 X-42 X-44 WAL-38',
  'What must be unique may be taken twice': 'AST-30 AST-31 AST-35 X-40',
  'An update changes nothing': 'PRD-71 SUB-122 WHK-29 X-57 X-122',
  'What is deleted stays': 'PRD-32 X-38 X-40 X-57 X-122 X-100 X-101',
  'The offset of a date-time is ignored': 'EVT-01 X-91',
  'A repeated request is carried out again': 'EVT-01 EVT-122 WAL-03 X-69',
  'Amounts are rounded to cents': 'AST-31 PRD-73 TOP-30 X-95 X-96',
  'A balance is one too high': 'EVT-122 EVT-123 SUB-76 SUB-122 WAL-33 WAL-64',
  'Credit never ends': 'WAL-33 WAL-38 X-91 X-92',
  'Everything goes to the default account': 'TOP-01 WAL-38 WAL-41 X-69',
  'A transaction shows its amount without a sign': 'EVT-102 WAL-03 WAL-64 WAL-65 WAL-38',
  'A rate is taken for its inverse': 'X-42 AST-29 AST-30 AST-31 AST-35 X-95',
  'A new rate is in force at once and for ever': 'AST-31 AST-35 AST-40',
  'Costs are not counted': 'CUS-14 EVT-52 VND-04',
  'Unknown fields are accepted': 'X-24 X-32 X-79 X-103',
  'Charges beyond the balance are rejected': 'WAL-15',
  'Usage is accepted for 33 days, and up to a minute ahead of the clock': 'EVT-18 EVT-103',
  'Usage of a subscription that is past due costs nothing': 'SUB-125',
  'Links for payments end after a minute': 'SUB-59 SUB-76',
  'Deliveries are tried once': 'WHK-40 WHK-62 WHK-131',
  'Tiers count for ever, and bulk prices are tiered': 'EVT-121 EVT-123',
  'Bounds and package sizes are ignored': 'PRD-30 PRD-46 PRD-73',
  'Prices by dimension match any usage': 'EVT-09 EVT-89 EVT-92 PRD-46',
  'Credit of an entitlement is worth nothing': 'CUS-126 PRD-74',
  'Credit rolls over': 'SUB-87 TOP-33',
  'Versions are published at once, and become the default': 'PRD-71 SUB-44 SUB-70',
  'A simulation costs nothing': 'EVT-92 EVT-93 PRD-43 PRD-65',
  'Customers have no subscriptions': 'CUS-67 PRD-60 SUB-10 SUB-12 SUB-34 SUB-88',
  'A subscription renews a day later than it should': 'SUB-27 SUB-34 SUB-59 SUB-76',
  'An ended subscription shows its next renewal': 'SUB-83',
  'A start and a first renewal that are asked for are forgotten':
    'CUS-14 PRD-31 SUB-27 SUB-34 SUB-10',
  'A subscription is to the first of its products': 'SUB-03 SUB-70 X-97',
  'A product has no subscribers': 'PRD-31 X-81',
  'A top-up is always paid': 'TOP-01 TOP-10 TOP-32',
  'A saved card is not kept': 'SUB-84 TOP-33',
  'Nothing is topped up by itself': 'TOP-33 X-120',
  'What is due happens a day late': 'SUB-59 SUB-76',
  'Deliveries are not signed': 'WHK-14 WHK-60 WHK-62 WHK-63',
  'An envelope has another id and time, and no data': 'WHK-14 WHK-17 WHK-31 WHK-76',
  'Nothing is delivered': 'CUS-63 WHK-45 WHK-17 WHK-50 WHK-61 WHK-80 WHK-131',
  'A disabled destination gets everything': 'CUS-63 WHK-44 WHK-50 WHK-60 WHK-91',
  'A destination gets every topic': 'WHK-45 WHK-09 WHK-25 WHK-50 WHK-81',
  'Destinations are of the platform itself': 'WHK-45 WHK-25 WHK-44 WHK-50 WHK-80',
  'The log of webhook events is lost': 'SUB-10 WHK-08 WHK-12 WHK-28',
};

/** Every declared mutant. */
export const MUTANTS: readonly Mutant[] = [
  ...requestDefects,
  ...listDefects,
  ...recordDefects,
  ...moneyDefects,
  ...settingDefects,
  ...usageDefects,
  ...subscriptionDefects,
  ...webhookDefects,
].map((defect) => ({ ...defect, noticedBy: NOTICED_BY[defect.about]?.split(' ') ?? [] }));
