import type { ClientAnswer } from '../../client/index.ts';
import { flag } from '../flags.ts';
import { listPage } from '../print.ts';
import type { Verb } from '../verb.ts';

/** `billing-emulator warnings`: what was accepted without effect. */
export const warningsVerb: Verb = {
  usage: 'warnings',
  about: 'List what was accepted and yet had no effect',
  flags: [flag('--clear', 'Delete them after they are printed')],
  async run(client, { flags }) {
    const json = await client.read('listWarnings');
    if (flags['clear']) await client.call('clearWarnings');
    const page = JSON.parse(json) as ClientAnswer<'listWarnings'>;
    const lineOf = ({ at, kind, message, event_id }: (typeof page.items)[number]) => [
      [`${at}  ${kind}  ${message}${event_id === undefined ? '' : ` (event ${event_id})`}`],
    ];
    return { json, text: listPage(page, lineOf, 'No warnings.') };
  },
};
