import { flag } from '../flags.ts';
import { callVerb } from '../verb.ts';
import { formatWorld } from './world-text.ts';

/** `billing-emulator reset`: takes a world back to where it was. */
export const resetVerb = callVerb('resetWorld', {
  usage: 'reset',
  about: 'Take a world back to what it opened with, or to something else',
  body: {
    to: flag('--to <origin>', 'What to go back to', { choices: ['fixture', 'empty', 'snapshot'] }),
    name: flag('--name <name>', 'The fixture or the snapshot'),
  },
  text: formatWorld,
});
