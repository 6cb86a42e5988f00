import { plural } from '../../text/wording.ts';
import { type CommandGroup, operationCommand, type WorldCommand } from '../command.ts';
import { EXIT } from '../failure.ts';

/** `billing-emulator ledger`: checks the books of a world. */
export const ledgerCommands: CommandGroup = {
  usage: 'ledger',
  about: 'Verify the ledger and all totals of a world',
  commands: [
    operationCommand('verifyLedger', {
      usage: 'verify',
      about: `Replay the ledger and recalculate all totals; exits with ${EXIT.failure} if something is wrong`,
      exitCode: ({ sound }) => (sound ? 0 : EXIT.failure),
      text: ({ sound, checked, finding_count, findings }) => {
        const counts = Object.entries(checked).map(([name, count]) => `${count} ${name}`);
        return [
          `Checked ${counts.join(', ').replaceAll('_', ' ')}.`,
          ...findings.map(({ about, id, customer, message }) =>
            [customer === undefined ? id : `${id} of ${customer}`, `${about} ${message}`].join(
              ': ',
            ),
          ),
          sound ? 'No problems found.' : `${plural(finding_count, 'problem')} found.`,
        ].join('\n');
      },
    }),
  ],
};

/** `billing-emulator explain <id>`: how the cost of a fee or usage event was calculated. */
export const explainCommand: WorldCommand = {
  usage: 'explain <id>',
  about: 'Explain a fee (fee_…) or a usage event, given its id',
  async run(client, { args: [id = ''], flags }) {
    const headers = { Accept: flags['json'] ? 'application/json' : 'text/plain' };
    const text = await client.read('explain', { path: { id }, headers });
    return { json: text, text };
  },
};
