import { STATUS_CODES } from 'node:http';
import type { ComponentChildren } from 'preact';
import { numberText, visibleText } from './wording.ts';

interface SectionProps {
  readonly id: string;
  readonly title: ComponentChildren;
  /** Shown beside the title: a figure, or a link to more. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ id, title, aside, children }: SectionProps) {
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section data-testid={id}>
      {aside ? (
        <div class="title">
          {heading}
          <div class="muted">{aside}</div>
        </div>
      ) : (
        heading
      )}
      {children}
    </section>
  );
}

interface ScrollAreaProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** An area that scrolls horizontally, also by keyboard, if its content is wider than the page. */
export function ScrollArea({ label, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A scroll area must be reachable by keyboard.
    <section class="scrolls" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

interface FactsProps {
  readonly facts: Readonly<Record<string, ComponentChildren>>;
  /** Whether to show large values in one line. */
  readonly areFigures?: boolean;
}

/** A list of names and values, without the absent ones. */
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

/** Text from a customer, in its own writing direction. A tooltip shows long text in full. */
export function Words({ text }: { readonly text: string | undefined }) {
  if (text === undefined || text === '') return null;
  return (
    <bdi
      class={LONG_WORD.test(text) ? 'words breaks' : 'words'}
      title={text.length > LONG_WORDS ? text : undefined}
    >
      {visibleText(text)}
    </bdi>
  );
}

const LONG_WORDS = 40;
/** A shorter word never wraps inside a column. */
const LONG_WORD = /\S{17}/;

interface WaysOnProps {
  /** Addresses by what they lead to. */
  readonly ways: Readonly<Record<string, string>>;
}

/** Links to continue with, one below the other. */
export function WaysOn({ ways }: WaysOnProps) {
  return (
    <ul class="ways-on">
      {Object.entries(ways).map(([name, address]) => (
        <li key={name}>
          <a href={address}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

/** An error message for the user. */
export function Alert({ text }: { readonly text: string }) {
  return (
    <p role="alert" class="notice fail" data-testid="alert">
      {text}
    </p>
  );
}

/** The tone of a state: good, a warning, bad, or neutral. */
export type Tone = 'ok' | 'warn' | 'fail' | 'none';

/** The tones of states. All others are neutral. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'ok',
  added: 'ok',
  archived: 'warn',
  'below zero': 'fail',
  changed: 'warn',
  declined: 'fail',
  delivered: 'ok',
  enabled: 'ok',
  failing: 'fail',
  'given up': 'fail',
  'not paid yet': 'warn',
  paid: 'ok',
  paused: 'warn',
  'payment awaited': 'warn',
  processing: 'warn',
  removed: 'fail',
  'to be paid': 'warn',
};

interface BadgeProps {
  readonly text: string;
  /** By default, that of the state. */
  readonly tone?: Tone;
}

/** A state as a coloured word. */
export const Badge = ({ text, tone = TONES[text] ?? 'none' }: BadgeProps) => (
  <span class={tone === 'none' ? 'badge' : `badge ${tone}`}>{text}</span>
);

/** An HTTP status as its code and reason phrase. */
export function Status({ status }: { readonly status: number }) {
  return (
    <span class={`status ${toneOf(status)}`}>
      <b>{status}</b> <span>{STATUS_CODES[status] ?? ''}</span>
    </span>
  );
}

export const toneOf = (status: number): Tone => {
  if (status < 400) return 'ok';
  return status < 500 ? 'warn' : 'fail';
};

export function Method({ method }: { readonly method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>;
}

/** Returns the requested page number of a list, counted from 1, and the number of pages. */
export function pageOf(count: number, size: number, asked: string) {
  const pages = Math.max(1, Math.ceil(count / size));
  return { page: Math.min(Math.max(1, Math.trunc(Number(asked)) || 1), pages), pages };
}

interface PageLinksProps {
  readonly label: string;
  /** Counted from 1; page 1 has the newest rows. */
  readonly page: number;
  readonly pages: number;
  /** Returns the URL of a page. */
  readonly to: (page: number) => string;
}

/** Links to the previous and the next page of a list. */
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
        Page {numberText(page)} of {numberText(pages)}
      </span>
      {page < pages && (
        <a href={to(page + 1)} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
