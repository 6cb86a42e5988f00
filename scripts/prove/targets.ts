import { parseArgs } from 'node:util';
import { OBSTACLES } from '../../contract-tests/kit/odd/healthy.ts';
import { startOddProxy } from '../../contract-tests/kit/odd/proxy.ts';
import { SICK_SHAPES } from '../../contract-tests/kit/odd/sick.ts';
import { startTarget } from '../../contract-tests/kit/target/own-emulator.ts';
import { startCli } from '../../contract-tests/kit/testing/cli.ts';

/**
 * `npm run prove -- targets [--only GLOBS] [--about TEXT]`: the suite against a sound service behind a proxy, each
 * run as a process of its own. Answers spoiled in one way end with 1 and one finding; what merely gets in the way
 * ends with 0.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'AST-*,VND-*,ACC-*,CUS-*' },
    about: { type: 'string', default: '' },
  },
});
const emulator = await startTarget();
const proxy = await startOddProxy(emulator.baseUrl);
const faults: string[] = [];
const shapes = [...SICK_SHAPES, ...OBSTACLES].filter(({ about }) => about.includes(values.about));

for (const [index, shape] of shapes.entries()) {
  proxy.become(shape);
  const window = 'consistencyMs' in shape ? ['--consistency', `${shape.consistencyMs}ms`] : [];
  // What never ends is given up soon; all else is waited for, however busy the machine is.
  const timeout = 'isEndless' in shape && shape.isEndless ? '2s' : '60s';
  const flags = ['--base-url', proxy.baseUrl, '--key-env', 'ODD_KEY', '--timeout', timeout];
  const rest = ['--only', values.only, '--consumables', '1000', '--run-id', `odd${index}`];
  const line = ['contract', ...flags, ...rest, ...window];
  const { printed, ended } = startCli(line, { ODD_KEY: `key_test_odd${index}` });
  const code = await ended;
  const isSick = 'on' in shape;
  const isRight = isSick ? code === 1 && printed.all.includes('Found   1 ') : code === 0;
  const waited = 'waited' in shape ? printed.all.includes(shape.waited ?? '') : true;
  const isGood = isRight && waited && proxy.touched + (isSick ? 0 : 1) > 0;
  if (!isGood) faults.push(shape.about);
  process.stdout.write(`${isGood ? '✓' : '✗'} ${String(code).padStart(3)}  ${shape.about}\n`);
  if (!isGood) process.stdout.write(`${printed.all}\n`);
}
await proxy.close();
await emulator.close();
process.stdout.write(`${shapes.length} targets, ${faults.length} not as they should be.\n`);
process.exit(faults.length === 0 ? 0 : 1);
