import { plural } from '../../text/plural.ts';
import { EXIT } from '../exit-codes.ts';
import { callVerb, type VerbGroup } from '../verb.ts';

/** `billing-emulator ledger`: checks the books of a world. */
export const ledgerVerbs: VerbGroup = {
  usage: 'ledger',
  about: 'Verify everything that is kept about money',
  verbs: [
    callVerb('verifyLedger', {
      usage: 'verify',
      about: `Replay and recalculate everything; exits with ${EXIT.failure} if something is wrong`,
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
