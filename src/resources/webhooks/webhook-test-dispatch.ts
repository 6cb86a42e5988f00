import { isKnownTopic, type KnownTopic } from '../../domain/webhook-topics.ts';
import type { WebhookEventRow } from '../../state/records.ts';
import type { Context, Handler } from '../context.ts';
import { notFound } from '../problems.ts';
import { emitWebhookEvent } from './webhook-events.ts';
import { findWebhook } from './webhook-lookup.ts';

export const testWebhooks: Handler<'testWebhooks'> = ({ path, body }, context) => {
  const id = dispatch(context, { ...path, data: body, owner: context.owner });
  return { status: 202, body: { id } };
};

export const testWebhook: Handler<'testWebhook'> = ({ path, body }, context) => {
  const id = dispatch(context, { ...path, data: body, owner: context.owner });
  return { status: 202, body: { id } };
};

export const testConnectedWebhooks: Handler<'testConnectedWebhooks'> = (call, context) => {
  const { path, body } = call;
  const id = dispatch(context, { ...path, data: body, owner: connectedAccount(context, path) });
  return { status: 202, body: { id } };
};

export const testConnectedWebhook: Handler<'testConnectedWebhook'> = (call, context) => {
  const { path, body } = call;
  const id = dispatch(context, { ...path, data: body, owner: connectedAccount(context, path) });
  return { status: 202, body: { id } };
};

interface TestDispatch {
  readonly topic: string;
  readonly data: WebhookEventRow['data'];
  readonly owner: string;
  readonly webhookId?: string;
}

/** Files a test event, unless what it names is unknown. @assumes A-1202, A-1207, A-1211 */
function dispatch(context: Context, { topic, data, owner, webhookId }: TestDispatch): string {
  const known: KnownTopic = isKnownTopic(topic) ? topic : notFound();
  const news = { topic: known, data, owner, test: true };
  if (webhookId === undefined) return emitWebhookEvent(context, news);
  const destination = findWebhook(context, webhookId) ?? notFound();
  return emitWebhookEvent(context, { ...news, destination });
}

/** The account in the path, if it is connected to the one that calls. */
function connectedAccount(
  { tables, owner }: Context,
  { connectedAccountId }: { readonly connectedAccountId: string },
): string {
  const account = tables.accounts.get(connectedAccountId);
  return account?.owner === owner ? account.id : notFound();
}
