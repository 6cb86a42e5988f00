import { type Command, InvalidArgumentError } from 'commander';
import { fromMillis } from '../../domain/instant.ts';
import { machineTime } from '../../state/clock.ts';
import { addRemoteFlags, type Remote, type RemoteFlags, withRemote } from '../remote.ts';

interface Flags extends RemoteFlags {
  readonly data?: object;
  readonly destination?: string;
  readonly account?: string;
}

/** `billing-emulator trigger`: sends a test event. */
export function addTrigger(program: Command): void {
  const command = program
    .command('trigger')
    .description('Send a test event to the destinations that hear of its topic')
    .argument('<topic>', 'such as subscription.activated')
    .option('--data <json>', 'The data of the event, an object', jsonObject)
    .option('--destination <id>', 'Only to this destination, whatever its topics')
    .option('--account <id>', 'As an event of this connected account');
  addRemoteFlags(command).action((topic: string, flags: Flags) =>
    withRemote(flags, (remote) => trigger(remote, topic, flags)),
  );
}

async function trigger(remote: Remote, topic: string, flags: Flags): Promise<void> {
  const { data: body = sampleData(), json } = flags;
  const { id } = await dispatch(remote, topic, { ...flags, body });
  if (json) process.stdout.write(`${JSON.stringify({ id })}\n`);
  else process.stdout.write(`${id}  ${await describeReach(remote, id)}\n`);
}

function dispatch(
  remote: Remote,
  topic: string,
  { destination, account, body }: Flags & { readonly body: object },
): Promise<{ id: string }> {
  const path = {
    topic,
    ...(destination !== undefined && { webhookId: destination }),
    ...(account !== undefined && { connectedAccountId: account }),
  };
  if (destination !== undefined && account !== undefined)
    return remote.call('testConnectedWebhook', { path, body });
  if (destination !== undefined) return remote.call('testWebhook', { path, body });
  if (account !== undefined) return remote.call('testConnectedWebhooks', { path, body });
  return remote.call('testWebhooks', { path, body });
}

/** To how many destinations the event goes; none is what most often surprises. */
async function describeReach(remote: Remote, id: string): Promise<string> {
  const { items } = await remote.call('listWebhookEvents', {});
  const count = items.find((event) => event.id === id)?.matched_destination_ids.length ?? 0;
  if (count === 0) return 'to no destination: none that is enabled hears of it';
  return count === 1 ? 'to 1 destination' : `to ${count} destinations`;
}

function sampleData(): object {
  return {
    customer_id: 'cust_test',
    subscription_id: 'sub_test',
    occurred_at: fromMillis(machineTime()),
  };
}

/** Reads an object given on the command line. @throws InvalidArgumentError for anything else */
export function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, as for other values that are no object.
  }
  throw new InvalidArgumentError('Expected a JSON object.');
}
