import { rmSync } from 'node:fs';
import { build, RUNNING } from './build/parts.ts';
import { DIST } from './build/places.ts';

/**
 * Builds what has changed of `dist`. Files that nothing refers to any more stay, as an emulator that runs
 * from there may still load them; with `--clean` all is built anew. `--code` leaves out declarations.
 */
if (process.argv.includes('--clean')) rmSync(DIST, { recursive: true, force: true });
await build(process.argv.includes('--code') ? RUNNING : [...RUNNING, 'types']);
