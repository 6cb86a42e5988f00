import { parseArgs } from 'node:util';

type Preset = string | number | boolean;
/** The same names, with any value of the kind of the preset. */
type Given<F> = {
  readonly [N in keyof F]: F[N] extends number ? number : F[N] extends boolean ? boolean : string;
};

/** Numbers that may be 0. */
const FROM_NOTHING = new Set(['seed', 'histories']);

/** The flags of a proof by their presets. One that is no whole number in the place of a number ends the process. */
export function readFlags<F extends Readonly<Record<string, Preset>>>(presets: F): Given<F> {
  const options = Object.entries(presets).map(([name, preset]) => {
    const isSwitch = typeof preset === 'boolean';
    return [name, { type: isSwitch ? 'boolean' : 'string' } as const] as const;
  });
  const { values } = parseArgs({ options: Object.fromEntries(options) });
  const flags = Object.entries(presets).map(([name, preset]) => {
    const given = values[name] ?? preset;
    return [name, typeof preset === 'number' ? numberOf(name, String(given)) : given];
  });
  return Object.fromEntries(flags);
}

function numberOf(name: string, text: string): number {
  const [value, least] = [Number(text), FROM_NOTHING.has(name) ? 0 : 1];
  if (Number.isSafeInteger(value) && value >= least) return value;
  process.stderr.write(`Expected a whole number from ${least} for --${name}; got ${text}.\n`);
  process.exit(2);
}
