import { setFlagsFromString } from 'node:v8';

/**
 * Has the collector look through what is young on the main thread alone, for a process that does nothing but serve. Little of
 * it survives, so that the work takes milliseconds; shared with helper threads, it ends when the last of them was given a
 * processor, which took up to a third of a second where others wanted one too.
 */
export function keepPausesShort(): void {
  setFlagsFromString('--no-parallel-scavenge');
}
