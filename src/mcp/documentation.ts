import { readdirSync, readFileSync } from 'node:fs';
import { cut, type Tool } from './tool.ts';

/** The folder of the package. */
const ROOT = new URL('../../', import.meta.url);
const MAX_SECTIONS = 4;
const SECTION_LENGTH = 1_800;

/** A text that a model can read as a whole. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  read(): string;
}

const FIXED = ['openapi.yaml', 'control.yaml', 'assumptions.yaml'].map((name) => `spec/${name}`);

/** The documents of both interfaces, the register of assumptions, the format of fixtures, and the guides. */
export function resources(): readonly Resource[] {
  const guides = readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md'));
  const names = [...FIXED, 'fixtures/README.md', ...guides.map((name) => `docs/${name}`)];
  return names.map((name) => ({
    uri: `billing-emulator://${name}`,
    name,
    mimeType: name.endsWith('.md') ? 'text/markdown' : 'application/yaml',
    read: () => readFileSync(new URL(name, ROOT), 'utf8'),
  }));
}

interface Section {
  readonly title: string;
  readonly text: string;
}

/** The sections of the guides, by their headings, and the assumptions. */
const sections = (): readonly Section[] =>
  resources()
    .filter(({ name }) => /\.md$|assumptions/.test(name))
    .flatMap(({ name, read }) =>
      read()
        .split(/^(?=#{1,3} |A-\d+:)/m)
        .map((section) => ({ title: `${name}: ${section.split('\n', 1)[0]}`, text: section })),
    );

/** How many of the words a section has; those in its title count three times. */
const scoreOf = ({ title, text }: Section, words: readonly RegExp[]): number =>
  words.reduce((sum, word) => sum + Number(word.test(text)) + 2 * Number(word.test(title)), 0);

export const SEARCH_TOOL: Tool = {
  name: 'search_docs',
  about:
    'Search the guides and the assumptions (decisions where the service is not specified). Returns the sections that match best.',
  input: { words: 'Words to look for, such as: fixture expect' },
  required: ['words'],
  async run(_context, { words }) {
    const wanted = (String(words).match(/[\w-]+/g) ?? []).map((word) => new RegExp(word, 'i'));
    const ranked = sections()
      .map((section) => ({ ...section, score: scoreOf(section, wanted) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_SECTIONS);
    const found = ranked.map(({ title, text }) => `[${title}]\n${text.slice(0, SECTION_LENGTH)}`);
    return found.length > 0 ? cut(found.join('\n\n')) : 'Nothing is found.';
  },
};
