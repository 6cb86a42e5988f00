import { readFileSync } from 'node:fs';
import { anOwnWorld, asConnectedAccount, table } from '../kit/index.ts';
import { playWorkedCase, type WorkedCase } from '../worked-cases/play-case.ts';

interface Row {
  readonly given: WorkedCase;
  readonly isConnected: boolean;
}

/** The cases of a check by their names. Every other one is of a customer of a connected account. */
function rowsOf(file: string, id: string): Readonly<Record<string, Row>> {
  const text = readFileSync(new URL(`../worked-cases/${file}.json`, import.meta.url), 'utf8');
  const checks = JSON.parse(text) as Record<string, WorkedCase[]>;
  const rows = (checks[id] as WorkedCase[]).map((given, index) => {
    const isConnected = index % 2 === 1;
    return [
      `${given.name}${isConnected ? ', of a connected account' : ''}`,
      { given, isConnected },
    ];
  });
  return Object.fromEntries(rows);
}

/** The requirements that cases test, and the assumptions that they depend on. */
type Ids = readonly [requirements: string, assumptions: string];

/** A check of all its cases in a file. */
function worked(file: string, id: string, [requirement, assumes]: Ids, statement: string): void {
  table(
    id,
    { requirement, effect: 'E4', assumes, needs: 'clock.movable' },
    `worked cases: ${statement} → every fee, balance, grant, status and revenue as calculated by hand, of the platform and of a connected account in turn`,
    rowsOf(file, id),
    async ({ given, isConnected }, t) => {
      const call = anOwnWorld(t);
      await playWorkedCase(isConnected ? await asConnectedAccount(call) : call, given);
    },
  );
}

const MODELS: Ids = ['R-EVT-63 R-EVT-65 R-EVT-66', 'A-1502 A-1503'];
const LIMITS: Ids = ['R-EVT-67 R-EVT-68', 'A-1504 A-1501 A-304'];
const COUNTS: Ids = ['R-EVT-68 R-EVT-69', 'A-1501 A-1503'];
const PLANS: Ids = ['R-SUB-45', 'A-605 A-1506'];
const FEES: Ids = ['R-SUB-45 R-SUB-54', 'A-605 A-1506 A-1507'];
const DRAWS: Ids = ['R-WAL-47 R-WAL-48 R-WAL-57', 'A-705 A-611'];
const USAGE: Ids = ['R-SUB-48 R-SUB-49', 'A-608'];
const SHARES: Ids = ['R-SUB-45 R-SUB-47', 'A-903'];
const AHEAD: Ids = ['R-SUB-45 R-SUB-47 R-SUB-52', 'A-603 A-903'];
const WORTH: Ids = ['R-EVT-71 R-PRF-19', 'A-902 A-304 A-1102'];
const VERSIONS: Ids = ['R-SUB-50 R-SUB-45', 'A-607'];

const PAYMENTS: Ids = ['R-SUB-45 R-SUB-23 R-SUB-47', 'A-605 A-606 A-607 A-611 A-903 A-1107'];
const STARTS: Ids = ['R-SUB-55 R-WHK-44', 'A-603 A-605 A-511'];
const REACTIVATED: Ids = ['R-SUB-40', 'A-502 A-606'];
const TERMS: Ids = ['R-EVT-69 R-SUB-39 R-SUB-43 R-SUB-45', 'A-605 A-607 A-608 A-1301 A-1501'];
const LASTING: Ids = [`${TERMS[0]} R-SUB-40`, `${TERMS[1]} A-610`];
const CREDIT: Ids = [
  'R-PRD-55 R-SUB-40 R-SUB-50 R-PRF-19 R-TOP-15 R-WAL-49',
  'A-511 A-607 A-610 A-706 A-902 A-1102',
];
const PENDING: Ids = ['R-EVT-58 R-WAL-53', 'A-509 A-704 A-710'];
const AUTOMATIC: Ids = ['R-POR-06', 'A-1106 A-1302 A-1105 A-1102'];

worked('prices', 'EVT-81', MODELS, 'flat and tiered prices');
worked('prices', 'EVT-121', MODELS, 'packages and bulk prices');
worked('prices', 'EVT-122', LIMITS, 'groups of prices, limits of a fee, and its rounding');
worked('counting', 'EVT-123', COUNTS, 'periods in which usage is counted');
worked('counting', 'EVT-124', COUNTS, 'usage that is counted together or apart');
worked('counting', 'EVT-125', ['R-EVT-58', 'A-509'], 'which asset pays a fee');
worked('plans', 'SUB-121', FEES, 'fixed fees of each interval, and one-time fees');
worked('plans', 'SUB-68', ['R-SUB-39', 'A-605'], 'days and times of renewals');
worked('plans', 'SUB-122', PLANS, 'credit that rolls over from period to period');
worked('credit', 'WAL-121', DRAWS, 'which credit is drawn first');
worked('usage-times', 'SUB-123', USAGE, 'usage around the start, the change and the end of a plan');
worked('usage-times', 'SUB-124', USAGE, 'usage that is sent late');
worked('unpaid-fees', 'SUB-125', PLANS, 'usage and credit while a payment is missing');
worked('unpaid-fees', 'SUB-126', PLANS, 'plans that end or are taken up unpaid');
worked('unpaid-fees', 'SUB-129', PLANS, 'credit whose fee is not paid when it is due');
worked('shares', 'CUS-57', SHARES, 'fees of which credit defers a part');
worked('payments', 'CUS-127', AHEAD, 'fees paid before the start, and credit without a fee');
worked('plan-credit', 'CUS-121', SHARES, 'bundled credit that ends or is given once');
worked('plans', 'CUS-122', SHARES, 'credit of other intervals than its fee');
worked('credit', 'CUS-123', WORTH, 'what credit of top-ups is worth');
worked('credit', 'CUS-126', WORTH, 'credit of each reason, purpose and currency');
worked('versions', 'CUS-124', VERSIONS, 'another version of the plan');
worked('versions', 'SUB-131', VERSIONS, 'versions with other credit and intervals, in turn');
worked(
  'payments',
  'SUB-132',
  ['R-SUB-45 R-POR-06', 'A-605 A-607 A-710 A-1106 A-1107'],
  'payments on their way: of plans that change or end, and the method that they save',
);
worked('versions', 'SUB-130', VERSIONS, 'fees and credit that another version adds');
worked('credit', 'CUS-125', ['R-WAL-54', 'A-704'], 'credit that begins later');
worked('shares', 'SUB-58', SHARES, 'shares of a fee');
worked('payments', 'SUB-84', PAYMENTS, 'fees that a saved card pays, or not');
worked('usage-times', 'SUB-66', STARTS, 'plans that start in the past');
worked('terms', 'SUB-67', REACTIVATED, 'plans that are taken up again');
worked('terms', 'SUB-88', TERMS, 'terms that change, and clocks that are set');
worked('terms', 'SUB-127', TERMS, 'terms that change before a plan starts or is paid');
worked('plan-credit', 'SUB-87', CREDIT, 'credit of plans over months, left at its end, or pending');
worked('plan-credit', 'EVT-96', PENDING, 'credit that has not begun or arrived');
worked('automatic-top-ups', 'TOP-33', AUTOMATIC, 'automatic top-ups');
worked('automatic-top-ups', 'TOP-35', AUTOMATIC, 'automatic top-ups by bank debit, or by no card');
worked(
  'automatic-top-ups',
  'TOP-38',
  AUTOMATIC,
  'money that is on its way or arrives as a renewal is due',
);
worked('unpaid-fees', 'SUB-133', PAYMENTS, 'fees that are paid late or by no card');
worked(
  'terms',
  'SUB-134',
  LASTING,
  'what stays or comes back as clocks are set, versions change and fees recur',
);
