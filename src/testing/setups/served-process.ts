import { readFileSync } from 'node:fs';

/** The ready file of a process; undefined until it is written. */
export function readReady(
  file: string,
): { url: string; pid: number; keys: Record<string, string> } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A module that delays opening any file until a file exists. */
export const holdingFiles = (until: string): string =>
  `data:text/javascript,${encodeURIComponent(`
  import { existsSync, promises } from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { setTimeout } from 'node:timers/promises';
  const { open } = promises;
  promises.open = async (...given) => {
    while (!existsSync(${JSON.stringify(until)})) await setTimeout(10);
    return open(...given);
  };
  syncBuiltinESMExports();
`)}`;
