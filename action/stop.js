import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { installedCommand } from './installed.js';

// It has no ready file if it did not start, or has ended already.
const file = process.env['STATE_ready-file'] ?? '';
if (existsSync(file))
  spawnSync(process.execPath, [installedCommand(), 'stop', '--ready-file', file], {
    stdio: 'inherit',
  });
