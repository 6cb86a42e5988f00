import { rmSync } from 'node:fs';
import { build, RUNNING } from './build/parts.ts';
import { DIST } from './build/places.ts';

/**
 * Builds the changed parts of `dist`. Unused files stay, because a running emulator may still load them.
 * `--clean` deletes `dist` first. `--code` leaves out declarations. `--generated` only writes what is generated among the
 * sources.
 */
if (process.argv.includes('--clean')) rmSync(DIST, { recursive: true, force: true });
if (process.argv.includes('--generated')) await build(['generated']);
else await build(process.argv.includes('--code') ? RUNNING : [...RUNNING, 'types']);
