import { describe, expect, it } from 'vitest';
import { parseExactly } from './exact-json.ts';
import { dateFindings, invariantFindings } from './invariants.ts';

const STATS = { gross_revenue: 4, total_costs: 1, net_revenue: 3, margin: 0.75 };
const PAGE = { items: [{ id: 'a', stats: STATS }], total_count: 1, limit: 10, offset: 0 };
const [EARLIER, LATER] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
const SUBSCRIPTION = { status: 'active', products: [], required_actions: [], started_at: EARLIER };
const SUBSCRIBER = { active_subscription_count: 1, subscriptions: [{ status: 'active' }] };
const VERSION = { version: 1, status: 'published', is_default: true };
const PRODUCT = { default_version: { version: 1 }, versions: [VERSION] };
const EVENT = { has_fees: true, total_fees: 1, fee_currency: 'USD' };
const ACCOUNT = { id: 'default:USD', name: 'default', asset: 'USD', available: 1 };
const TASK = {
  ...{ event_count: 2, events: [{ occurred_at: LATER }, { occurred_at: EARLIER }] },
  ...{ created_at: EARLIER, last_updated_at: LATER },
  ...{ vendors: [{ total_costs: 0.1 }, { total_costs: 0.2 }], stats: { total_costs: 0.3 } },
};

const found = (body: object) =>
  invariantFindings(parseExactly(JSON.stringify(body))).map(({ finding }) => finding);

describe('invariantFindings', () => {
  it.each([
    PAGE,
    SUBSCRIPTION,
    SUBSCRIBER,
    VERSION,
    PRODUCT,
    EVENT,
    { has_fees: false },
    ACCOUNT,
    TASK,
  ])('finds nothing in %j', (body) => {
    expect(found(body)).toEqual([]);
  });

  it.each([
    [{ ...STATS, net_revenue: 4 }, 'net_revenue is not gross_revenue - total_costs'],
    [{ ...STATS, margin: 0.7 }, 'margin is not net_revenue ÷ gross_revenue'],
    [
      { ...PAGE, items: [{ id: 'a', stats: { ...STATS, margin: 0.7 } }] },
      'margin is not net_revenue ÷ gross_revenue',
    ],
    [{ ...PAGE, total_count: 2 }, 'items are not as many as total_count, limit and offset say'],
    [
      { ...PAGE, items: [{ id: 'a' }, { id: 'a' }], total_count: 2 },
      'items has the same one twice',
    ],
    [{ created_at: LATER, updated_at: EARLIER }, 'updated_at is before created_at'],
    [{ created_at: LATER, last_updated_at: EARLIER }, 'last_updated_at is before created_at'],
    [{ valid_from: LATER, valid_to: EARLIER }, 'valid_to is before valid_from'],
    [{ created_at: LATER, executed_at: EARLIER }, 'executed_at is before created_at'],
    [{ ...SUBSCRIPTION, required_actions: [{}] }, 'required_actions does not fit status'],
    [{ ...SUBSCRIPTION, started_at: null }, 'started_at is missing'],
    [
      { ...SUBSCRIBER, active_subscription_count: 2 },
      'active_subscription_count is not that of subscriptions',
    ],
    [{ ...VERSION, status: 'archived' }, 'an archived version is the default'],
    [{ ...PRODUCT, versions: [{ version: 1, status: 'archived' }] }, 'default_version is archived'],
    [{ ...EVENT, has_fees: false }, 'has_fees does not fit total_fees and fee_currency'],
    [{ has_fees: true, total_fees: 1 }, 'has_fees does not fit total_fees and fee_currency'],
    [{ ...ACCOUNT, id: 'USD:default' }, 'id is not name:asset'],
    [{ successful_at: LATER, failed_at: LATER }, 'successful_at and failed_at are both set'],
    [{ ...TASK, vendors: [{ total_costs: 0.1 }] }, 'total_costs is not the sum over vendors'],
    [
      { ...TASK, events: TASK.events.map((event) => ({ ...event, stats: { total_costs: 0.1 } })) },
      'total_costs is not the sum over events',
    ],
    [{ ...TASK, event_count: 1 }, 'event_count is not that of events'],
    [
      { ...TASK, last_updated_at: EARLIER },
      'created_at and last_updated_at are not those of events',
    ],
  ])('finds in %j that %s', (body, finding) => {
    expect(found(body)).toEqual([finding]);
  });
});

describe('dateFindings', () => {
  const MADE = { created_at: '2026-01-01T00:00:01.500Z' };

  it.each([
    ['Thu, 01 Jan 2026 00:00:01 GMT', MADE, []],
    ['Thu, 01 Jan 2026 00:00:00 GMT', MADE, ['Date is before created_at']],
    [undefined, MADE, ['Date is before created_at']],
    [undefined, {}, []],
  ])('compares the Date %s of %j', (date, made, wanted) => {
    expect(dateFindings(date, made).map(({ finding }) => finding)).toEqual(wanted);
  });
});
