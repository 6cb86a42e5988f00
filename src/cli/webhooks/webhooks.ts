import type { Command } from 'commander';
import { alignColumns } from '../print.ts';
import { addRemoteFlags, type Remote, type RemoteFlags, withRemote } from '../remote.ts';
import { addWebhooksCheck } from './webhooks-check.ts';
import { addWebhooksResend } from './webhooks-resend.ts';

interface Flags extends RemoteFlags {
  readonly destinations?: boolean;
  readonly destination?: string;
  readonly status?: string;
  readonly limit: string;
}

/** `billing-emulator webhooks`: what was sent, sending it again, and checking a receiver. */
export function addWebhooks(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('List webhook events, send them again, check a receiver');
  const list = webhooks
    .command('list')
    .description('List the latest webhook events')
    .option('--destinations', 'List the destinations instead')
    .option('--destination <ids>', 'Only events of these destinations, separated by commas')
    .option('--status <status>', 'Only events with this status: Success or Failed')
    .option('--limit <number>', 'Most events to list', '20');
  addRemoteFlags(list).action((flags: Flags) =>
    withRemote(flags, (remote) => printList(remote, flags)),
  );
  addWebhooksResend(webhooks);
  addWebhooksCheck(webhooks);
}

async function printList(remote: Remote, flags: Flags): Promise<void> {
  const { destinations, destination, status, limit, json } = flags;
  const query = destinations ? {} : { destination_id: destination, status, limit };
  const operation = destinations ? 'listWebhooks' : 'listWebhookEvents';
  if (json) process.stdout.write(`${await remote.read(operation, { query })}\n`);
  else if (destinations) await printDestinations(remote);
  else await printEvents(remote, query);
}

async function printDestinations(remote: Remote): Promise<void> {
  const { items } = await remote.call('listWebhooks');
  const rows = items.map(({ id, url, topics, enabled, connect }) => [
    id,
    enabled ? 'enabled' : 'disabled',
    connect ? 'of connected accounts' : 'of the platform',
    topics.join(','),
    url,
  ]);
  process.stdout.write(rows.length === 0 ? 'No destinations.\n' : `${alignColumns(rows)}\n`);
}

async function printEvents(
  remote: Remote,
  query: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { items } = await remote.call('listWebhookEvents', { query });
  const rows = items.map((event) => [event.time, event.topic, event.id, ...outcomeOf(event)]);
  process.stdout.write(rows.length === 0 ? 'No webhook events.\n' : `${alignColumns(rows)}\n`);
}

interface LoggedEvent {
  readonly matched_destination_ids: readonly string[];
  readonly successful_at: string | null;
  readonly failed_at: string | null;
  readonly metadata: object | null;
}

interface Attempt {
  readonly status_code: number | null;
  readonly error: string | null;
}

/** How an event stands, and what the latest attempt came to where it failed. */
function outcomeOf({
  matched_destination_ids,
  successful_at,
  failed_at,
  metadata,
}: LoggedEvent): string[] {
  const { attempts = [] } = (metadata ?? {}) as { readonly attempts?: readonly Attempt[] };
  const tries = `${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`;
  if (matched_destination_ids.length === 0) return ['no destination'];
  if (successful_at !== null) return ['delivered', tries];
  if (failed_at === null) return ['waiting'];
  return ['failed', tries, attempts.findLast(({ error }) => error !== null)?.error ?? ''];
}
