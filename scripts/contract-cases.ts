import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const SUITE = new URL('../contract-tests/', import.meta.url);

/** A comment such as `// WAL-05: a repeated transaction_id posts once`, over any number of lines. */
const SENTENCE = /^ *\/\/ ([A-Z]+-\d+): (.*(?:\n *\/\/ (?![A-Z]+-\d+:).*)*)$/gm;

/**
 * Compares the sentence next to each check in the case files with its sentence in `checks.yaml`.
 *
 * @throws Error naming the checks whose sentences differ or are missing
 */
export function compareSentences(): void {
  const listed = parse(readFileSync(new URL('checks.yaml', SUITE), 'utf8')) as Readonly<
    Record<string, { readonly text: string }>
  >;
  const cases = new URL('cases/', SUITE);
  const beside = new Map<string, string>();
  for (const name of readdirSync(cases).filter((file) => file.endsWith('.test.ts')))
    for (const [, id = '', text = ''] of readFileSync(new URL(name, cases), 'utf8').matchAll(
      SENTENCE,
    ))
      beside.set(id, text.replaceAll(/\s*\n *\/\/\s*/g, ' '));
  const ids = new Set([...Object.keys(listed), ...beside.keys()]);
  const wrong = [...ids].filter((id) => listed[id]?.text.trim() !== beside.get(id));
  if (wrong.length > 0)
    throw new Error(`checks.yaml and the case files say different things of ${wrong.join(', ')}`);
}
