import { flag } from '../flags.ts';
import { printPage } from '../print.ts';
import { callVerb } from '../verb.ts';

/** `billing-emulator warnings`: what was accepted without effect. */
export const warningsVerb = callVerb('listWarnings', {
  usage: 'warnings',
  about: 'List accepted input that may be a mistake',
  flags: [flag('--clear', 'Delete the warnings after printing them')],
  after: (client, { flags }) => (flags['clear'] ? client.call('clearWarnings') : undefined),
  text: (page) =>
    printPage(
      page,
      ({ at, kind, message, event_id }) => [
        [at, kind, `${message}${event_id === undefined ? '' : ` (event ${event_id})`}`],
      ],
      'No warnings.',
    ),
});
