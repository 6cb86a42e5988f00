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
  event_count: 2,
  events: [{ occurred_at: EARLIER }, { occurred_at: LATER }],
  created_at: EARLIER,
  last_updated_at: LATER,
  vendors: [{ total_costs: 0.1 }, { total_costs: 0.2 }],
  stats: { total_costs: 0.3 },
};
const USAGE = {
  fees: [],
  costs: [{ amount: 0.1, currency: 'USD' }],
  stats: { total_costs: 0.1, currency: 'USD' },
};
const VENDOR = {
  total_costs: 0.3,
  categories: [
    { category: 'A', cost: 0.1 },
    { category: 'a', cost: 0.2 },
  ],
};
const SUMMARY = { ...PAGE, summary: STATS };

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
    USAGE,
    { ...USAGE, costs: [{ amount: 9, currency: 'EUR' }] },
    VENDOR,
    SUMMARY,
    { ...SUMMARY, total_count: 2, limit: 1, summary: { ...STATS, gross_revenue: 4 } },
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
    [
      {
        ...PAGE,
        total_count: 2,
        items: [
          { id: 'a', created_at: EARLIER },
          { id: 'b', created_at: LATER },
        ],
      },
      'items are not newest first',
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
    [
      { ...TASK, events: TASK.events.toReversed() },
      'events are not in the order in which they occurred',
    ],
    [{ ...USAGE, costs: [] }, 'total_costs is not the sum of costs'],
    [
      { ...VENDOR, categories: VENDOR.categories.toReversed() },
      'categories are not sorted by name',
    ],
    [
      { ...VENDOR, categories: VENDOR.categories.slice(1) },
      'total_costs is not the sum over categories',
    ],
    [
      {
        ...SUMMARY,
        total_count: 2,
        items: [
          { id: 'b', stats: { gross_revenue: 1 } },
          { id: 'a', stats: STATS },
        ],
      },
      'items are not in the order of their revenue',
    ],
    [{ ...SUMMARY, summary: { gross_revenue: 5 } }, 'summary is not the sum over items'],
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
