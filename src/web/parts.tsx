import { STATUS_CODES } from 'node:http';
import type { ComponentChildren } from 'preact';
import { serialiseForReading } from '../text/exact-json.ts';
import { Sentence, WithIds } from './id.tsx';

interface SectionProps {
  readonly id: string;
  readonly title: ComponentChildren;
  /** Whether it is among the landmarks of its page, beside the tables within it. */
  readonly isLandmark?: boolean;
  readonly children: ComponentChildren;
}

/** A part of a page under a heading. */
export function Section({ id, title, isLandmark = false, children }: SectionProps) {
  return (
    <section aria-labelledby={isLandmark ? id : undefined} data-testid={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface ScrollAreaProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What scrolls by itself where it is wider than the page, by keyboard too. */
export function ScrollArea({ label, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keyboard.
    <section class="scrolls" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** Characters of a text that are shown; browsers become slow with millions. */
export const MOST_CHARACTERS = 200_000;

interface JsonViewProps {
  readonly label: string;
  readonly value: unknown;
  /** Characters that are shown at most. */
  readonly most?: number;
}

/** A value as JSON, with every digit of its numbers. */
export function JsonView({ label, value, most = MOST_CHARACTERS }: JsonViewProps) {
  const text = serialiseForReading(value);
  const rest = text.length - most;
  return (
    <ScrollArea label={label}>
      <pre>
        <WithIds text={text.slice(0, most)} />
        {rest > 0 && `\n… and ${rest.toLocaleString('en')} more characters.`}
      </pre>
    </ScrollArea>
  );
}

interface FactsProps {
  readonly facts: Readonly<Record<string, ComponentChildren>>;
  /** Whether they stand in a line, their values large. */
  readonly areFigures?: boolean;
}

/** Names and values, the absent ones left out. */
export function Facts({ facts, areFigures = false }: FactsProps) {
  const present = Object.entries(facts).filter(
    ([, value]) => value !== undefined && value !== null && value !== false,
  );
  return (
    <dl class={areFigures ? 'figures' : 'facts'}>
      {present.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface TextProps {
  readonly text: string;
}

/** Text of a customer, in its own direction. What is too long for its place is shown on pointing at it. */
export function Words({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <bdi
      class={LONG_WORD.test(text) ? 'words breaks' : 'words'}
      title={text.length > LONG_WORDS ? text : undefined}
    >
      {text}
    </bdi>
  );
}

const LONG_WORDS = 40;
/** A shorter word stays whole in a column, however much its neighbours hold. */
const LONG_WORD = /\S{17}/;

interface BreakableProps {
  readonly text: string;
  /** Where a line may end. */
  readonly before: RegExp;
}

/** A text without blanks that may go on in the next line where its parts do. */
export function Breakable({ text, before }: BreakableProps) {
  const parts = text.split(before);
  return <>{parts.map((part, place) => (place === 0 ? part : [<wbr key={place} />, part]))}</>;
}

/** What is wrong with what was asked for. */
export function Alert({ text }: TextProps) {
  return (
    <p role="alert" class="alert" data-testid="alert">
      {text}
    </p>
  );
}

/** What became of something that was asked for. */
export function Notice({ text }: TextProps) {
  return (
    <p role="status" class="notice" data-testid="notice">
      <Sentence text={text} />
    </p>
  );
}

/** How good something is: fine, worth a look, bad, or neither. */
export type Tone = 'ok' | 'warn' | 'fail' | 'none';

interface BadgeProps {
  readonly text: string;
  readonly tone: Tone;
  readonly testId?: string | undefined;
}

/** A state as a word with a colour. */
export function Badge({ text, tone, testId }: BadgeProps) {
  return (
    <span class={tone === 'none' ? 'badge' : `badge ${tone}`} data-testid={testId}>
      {text}
    </span>
  );
}

/** A status of HTTP as its number and its words. */
export function Status({ status }: { readonly status: number }) {
  return (
    <span class={`status ${toneOf(status)}`}>
      <b>{status}</b> <span>{STATUS_CODES[status] ?? ''}</span>
    </span>
  );
}

/** How good a status is. */
export const toneOf = (status: number): Tone => {
  if (status < 400) return 'ok';
  return status < 500 ? 'warn' : 'fail';
};

export function Method({ method }: { readonly method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>;
}

/** Which page of a list is asked for, counted from 1, and how many it has. */
export function pageOf(count: number, size: number, asked: string) {
  const pages = Math.max(1, Math.ceil(count / size));
  return { page: Math.min(Math.max(1, Math.trunc(Number(asked)) || 1), pages), pages };
}

interface PageLinksProps {
  readonly label: string;
  /** Counted from 1, which is the newest. */
  readonly page: number;
  readonly pages: number;
  /** The address of a page. */
  readonly to: (page: number) => string;
}

/** Leads to the pages beside one of a list. */
export function PageLinks({ label, page, pages, to }: PageLinksProps) {
  if (pages === 1) return null;
  return (
    <nav class="pages" aria-label={label}>
      {page > 1 && (
        <a href={to(page - 1)} rel="prev">
          Newer
        </a>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a href={to(page + 1)} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
