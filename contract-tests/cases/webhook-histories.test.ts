import {
  type AnyBody,
  anOwnWorld,
  aReceiver,
  type CheckContext,
  check,
  type Delivery,
  expect,
  type Receiver,
  type WorldCall,
} from '../kit/index.ts';
import { chosenSteps, type WebhookStep } from '../model/arbitrary/webhook-steps.ts';
import { instant } from '../model/calls.ts';
import { START } from '../model/history.ts';
import {
  DESTINATIONS,
  isGood,
  LIMIT,
  type LoggedEvent,
  type LogQuery,
  SECOND,
  WebhookLog,
  type WebhookMove,
} from '../model/webhook-log.ts';
import { DATA, signersOf, TOPIC } from './shared/webhooks.ts';

const SEED = 20260301;
const STEPS = 17;

/** A URL where nobody listens. */
const NOWHERE = 'http://127.0.0.1:9/';

/** What is read of the whole log: all of it, of some destinations, and what failed at each. */
const AT_THE_END: readonly LogQuery[] = [
  ...[{}, { to: [0, 1] }],
  ...[0, 1, 2].map((to) => ({ to: [to], status: 'Failed' as const })),
];

type Dispatch = Extract<WebhookMove, { do: 'dispatch' }>;

/** A world with destinations, played beside its model. */
class WebhookStory {
  readonly #model = new WebhookLog();
  readonly #eventIds: string[] = [];
  /** A page of the log that was read before. */
  #former: { readonly query: LogQuery; readonly next: string | null } | undefined;

  constructor(
    readonly call: WorldCall,
    readonly accountId: string,
    readonly destinations: readonly { readonly id: string; readonly secret: string }[],
    readonly receivers: readonly Receiver[],
  ) {}

  async play({ after, move, within, before, query }: WebhookStep): Promise<void> {
    const now = this.#model.now + after * SECOND;
    this.#model.advance(now);
    await this.call('advanceClock', { body: { to: instant(now) } });
    if (this.#model.canMake(move)) {
      await this.#make(move);
      this.#model.make(move);
      // Waits for the first attempts.
      await this.call('advanceClock', { body: { to: instant(now) } });
    }
    await this.#compareLog({
      ...query,
      ...(within !== undefined && { since: now - within * SECOND }),
      ...(before !== undefined && { until: now - before * SECOND }),
    });
    for (const [receiver, { deliveries }] of this.receivers.entries()) {
      const wanted = this.#model.events.flatMap(({ attempts }, place) =>
        attempts.filter(({ by }) => by === receiver).map(({ to }) => [this.#eventIds[place], to]),
      );
      const found = deliveries.map((each) => [each.body.id, ...this.#signersOf(each)]);
      expect(found.sort(), `requests to receiver ${receiver}`).toEqual(wanted.sort());
      for (const { body } of deliveries)
        expect(body, `requested of receiver ${receiver}`).toEqual(this.#envelope(body.id));
    }
  }

  /** What every attempt of an event sends. */
  #envelope(id: string) {
    const { at, ofAccount } = this.#model.events[this.#eventIds.indexOf(id)] as LoggedEvent;
    return {
      ...{ id, type: TOPIC, created: instant(at), live_mode: false, data: DATA },
      ...(ofAccount && { account_id: this.accountId }),
    };
  }

  /** The places of the destinations whose secrets signed a request. */
  #signersOf(delivery: Delivery): readonly number[] {
    const signers = signersOf(delivery, this.destinations);
    return signers.map((each) => this.destinations.indexOf(each));
  }

  /** Compares which destinations there are, whether they are enabled and when that or their URL changed last. */
  async compareDestinations(): Promise<void> {
    const { items } = await this.call('listWebhooks', {});
    const found = items.map(({ id, enabled, updated_at }: AnyBody) => ({
      id,
      enabled,
      updated_at,
    }));
    const wanted = this.#model.destinations.flatMap(({ isRemoved, isEnabled, updatedAt }, place) =>
      isRemoved
        ? []
        : [{ id: this.#idOf(place), enabled: isEnabled, updated_at: instant(updatedAt) }],
    );
    expect(found, 'destinations, newest first').toEqual(wanted.reverse());
  }

  readonly #idOf = (place: number): string => this.destinations[place]?.id as string;

  async #make(move: WebhookMove): Promise<void> {
    const webhookId = this.#idOf(move.of);
    const path = { webhookId };
    if (move.do === 'respond') this.receivers[move.of]?.react(move.status);
    if (move.do === 'switch')
      await this.call('updateWebhook', {
        path,
        body: { enabled: !this.#model.isEnabled(move.of) },
      });
    if (move.do === 'redirect') {
      const url = move.to === null ? NOWHERE : this.receivers[move.to]?.url;
      await this.call('updateWebhook', { path, body: { url } });
    }
    if (move.do === 'remove') await this.call('deleteWebhook', { path });
    if (move.do === 'dispatch') await this.#dispatch(move, path);
  }

  async #dispatch({ toAll, ofAccount }: Dispatch, webhook: { webhookId: string }): Promise<void> {
    const account = ofAccount && { connectedAccountId: this.accountId };
    const path = { topic: TOPIC, ...account, ...(!toAll && webhook) };
    const toOne = ofAccount ? 'testConnectedWebhook' : 'testWebhook';
    const operation = toAll ? (`${toOne}s` as const) : toOne;
    this.#eventIds.push((await this.call(operation, { path, body: DATA })).id);
  }

  /** Compares a first page, and the page after one that an earlier step read, in the log as it is now. */
  async #compareLog(query: LogQuery): Promise<void> {
    const wanted = this.#model.read(query);
    const found = await this.#page(query, {});
    expect(found.items, `first page of ${JSON.stringify(query)}`).toEqual(
      this.#shown(wanted.first),
    );
    expect(found.pagination.next !== null, 'a next page').toBe(wanted.isFollowed);
    if (this.#former && wanted.second) {
      const { query: former, next } = this.#former;
      const page = await this.#page(former, { next });
      expect(page.items, `the page after an earlier one of ${JSON.stringify(former)}`).toEqual(
        this.#shown(wanted.second),
      );
    }
    if (wanted.isKept) this.#former = { query, next: found.pagination.next };
  }

  async compareAll(): Promise<void> {
    for (const query of AT_THE_END) {
      const found = await this.#page(query, { limit: 1000 });
      expect(found.items, JSON.stringify(query)).toEqual(this.#shown(this.#model.items(query)));
    }
  }

  async #page({ to, status, since, until }: LogQuery, cursor: object): Promise<AnyBody> {
    const destination_id = to && { destination_id: to.map(this.#idOf) };
    const period = {
      ...(since !== undefined && { time_gte: instant(since) }),
      ...(until !== undefined && { time_lte: instant(until) }),
    };
    const query = {
      limit: LIMIT,
      ...(status && { status }),
      ...destination_id,
      ...period,
      ...cursor,
    };
    const { items, pagination } = await this.call('listWebhookEvents', { query });
    for (const item of items) item.metadata?.attempts.sort(byTimeAndDestination);
    const shown = items.map(({ id, time, matched_destination_ids, ...item }: AnyBody) => ({
      ...{ id, time, matched: [...matched_destination_ids].sort() },
      ...{ topic: item.topic, data: item.data },
      ...{ successful_at: item.successful_at, failed_at: item.failed_at },
      attempts: (item.metadata?.attempts ?? []).map(
        ({ destination_id, at, status_code, error }: AnyBody) => ({
          ...{ destination_id, at, status_code, isError: error !== null },
        }),
      ),
    }));
    return { items: shown, pagination };
  }

  /** A page of the model's items as the service shows it. */
  #shown(items: ReturnType<WebhookLog['items']>) {
    return items.map(({ place, matched, attempts, ...item }) => ({
      ...item,
      ...{ id: this.#eventIds[place], topic: TOPIC, data: DATA },
      matched: matched.map(this.#idOf).sort(),
      attempts: attempts
        .map(({ to, at, status }) => ({
          ...{ destination_id: this.#idOf(to), at: instant(at), status_code: status },
          isError: !isGood(status),
        }))
        .sort(byTimeAndDestination),
    }));
  }
}

const byTimeAndDestination = (one: AnyBody, other: AnyBody): number =>
  one.at + one.destination_id < other.at + other.destination_id ? -1 : 1;

/** A story in a world of its own. */
async function aWebhookStory(t: CheckContext): Promise<WebhookStory> {
  const call = anOwnWorld(t);
  await call('setClock', { body: { mode: 'frozen', now: instant(START) } });
  const receivers: Receiver[] = [];
  const destinations: { id: string; secret: string }[] = [];
  const { id: accountId } = await call('createConnectedAccount', { body: { name: 'Connected' } });
  for (const connect of DESTINATIONS) {
    const receiver = await aReceiver(t);
    receivers.push(receiver);
    destinations.push(await call('createWebhook', { body: { url: receiver.url, connect } }));
  }
  return new WebhookStory(call, accountId, destinations, receivers);
}

/** A check of a history that begins with one of the openings of `webhook-steps.ts`. */
function historyOfWebhooks(id: string, failures: string, opening: 0 | 1): void {
  check(
    id,
    {
      requirement: 'R-WHK-25 R-WHK-26 R-WHK-54 R-WHK-57 R-WHK-59 R-WHK-61',
      effect: 'E4',
      assumes: 'A-1204 A-1205 A-1206 A-1207 A-1211 A-1212',
      needs: 'clock.movable',
    },
    `two events with failures that ${failures}, then a random history of test events of the platform and of a connected account, of receivers that fail and recover or cannot be reached, and of destinations whose URL changes and that are disabled, enabled and removed meanwhile → every attempt at its time, to its destination and receiver, with its account and result, in the log, filtered by destination and result, and on the page after one that was read before`,
    async (t) => {
      const story = await aWebhookStory(t);
      const { steps, removals } = chosenSteps(opening, STEPS, SEED);
      for (const step of steps) await story.play(step);
      await story.compareDestinations();
      for (const step of removals) await story.play(step);
      await story.compareAll();
    },
  );
}

historyOfWebhooks('WHK-131', 'last while the destination is disabled and enabled again', 0);
historyOfWebhooks('WHK-132', 'end, the later one first', 1);
