import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { addRemoteFlags, type Remote, type RemoteFlags, withRemote } from '../remote.ts';

interface Flags extends RemoteFlags {
  readonly destination?: string;
  readonly topic?: string;
  readonly status?: string;
}

/** `billing-emulator webhooks resend`: sends again, one event, one delivery, or all that fit. */
export function addWebhooksResend(webhooks: Command): void {
  const command = webhooks
    .command('resend')
    .description('Send deliveries again: the same bytes, signed anew')
    .argument('[id]', 'An event, to all its destinations, or one delivery')
    .option('--destination <id>', 'Only to this destination')
    .option('--topic <topic>', 'Only events of this topic')
    .option('--status <status>', 'Only deliveries with this status, such as failed');
  addRemoteFlags(command).action((id: string | undefined, flags: Flags) => {
    if (id === undefined && !flags.destination && !flags.topic && !flags.status)
      return command.error('error: give an id, or what to send again', { exitCode: EXIT.usage });
    return withRemote(flags, (remote) => resend(remote, id, flags));
  });
}

async function resend(remote: Remote, id: string | undefined, flags: Flags): Promise<void> {
  const { destination, topic, status, json } = flags;
  const body = {
    ...(id !== undefined && { [id.startsWith('evt_') ? 'event_id' : 'delivery_id']: id }),
    ...(destination !== undefined && { destination_id: destination }),
    ...(topic !== undefined && { topic }),
    ...(status !== undefined && { status }),
  };
  const reply = await remote.call('replayDeliveries', { body });
  const { delivery_ids, skipped_ids } = reply;
  const lines = [
    ...delivery_ids.map((each) => `${each}  sent again`),
    ...skipped_ids.map((each) => `${each}  skipped: under way, or its destination is not enabled`),
    ...(delivery_ids.length + skipped_ids.length === 0 ? ['Nothing fits.'] : []),
  ];
  process.stdout.write(json ? `${JSON.stringify(reply)}\n` : `${lines.join('\n')}\n`);
  if (delivery_ids.length === 0) process.exitCode = EXIT.failure;
}
