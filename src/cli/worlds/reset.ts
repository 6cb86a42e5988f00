import { flag } from '../flags.ts';
import { callVerb } from '../verb.ts';
import { formatWorld } from './world-text.ts';

/** `billing-emulator undo`: takes a world back to what it held before something took its place. */
export const undoVerb = callVerb('undoWorld', {
  usage: 'undo',
  about: 'Take a world back to what it held before the latest reset, restore, import or deletion',
  body: {
    sandbox: flag('--sandbox <name>', 'A sandbox that was deleted, to bring back'),
    snapshot: flag('--snapshot <name>', 'The snapshot that was deleted last, to bring back'),
  },
  text: formatWorld,
});

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
