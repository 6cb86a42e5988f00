import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Builds `dist` after an installation. Without development packages, an existing `dist` is kept. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

if (['esbuild', 'tsx', 'typescript'].every(isInstalled)) {
  const { status } = spawnSync('npm run build', { cwd: ROOT, stdio: 'inherit', shell: true });
  process.exitCode = status ?? 1;
} else if (!existsSync(`${ROOT}dist/cli.js`)) {
  process.stdout.write('Not built: run `npm install --include=dev`, which builds it.\n');
}

function isInstalled(name) {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
