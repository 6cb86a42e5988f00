import type { ComponentChildren, VNode } from 'preact';
import { serialiseForReading } from '../../text/exact-json.ts';
import { Words } from '../sections.tsx';
import type { InspectorRequest } from './inspector-request.ts';

/** A part of a page under a heading. The tables within are what stands among its landmarks. */
export function Part({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section data-testid={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A moment as it is kept, without what is always the same. */
export function WorldTime({
  at,
  none = '',
}: {
  readonly at: string | null | undefined;
  /** What stands in place of one that there is not. */
  readonly none?: string;
}): VNode {
  if (at === null || at === undefined) return <>{none}</>;
  return <time dateTime={at}>{at.replace('T', ' ').replace(/(\.000)?Z$/, '')}</time>;
}

/** The customer a record belongs to, by name. */
export function CustomerLink({
  request,
  id,
}: {
  readonly request: InspectorRequest;
  readonly id: string;
}): VNode {
  const name = request.world.tables.customers.get(id)?.name ?? id;
  return (
    <a href={request.link(`/customers/${encodeURIComponent(id)}`)}>
      <Words text={name} />
    </a>
  );
}

/** Characters of a text that are shown; browsers become slow with millions. */
export const MOST_CHARACTERS = 200_000;

/** A value as JSON, with every digit of its numbers. */
export function JsonView({
  label,
  value,
  most = MOST_CHARACTERS,
}: {
  readonly label: string;
  readonly value: unknown;
  readonly most?: number;
}): VNode {
  const text = serialiseForReading(value);
  const rest = text.length - most;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keyboard.
    <section class="scrolls" aria-label={label} tabIndex={0}>
      <pre>
        {text.slice(0, most)}
        {rest > 0 && `\n… and ${rest.toLocaleString('en')} characters more.`}
      </pre>
    </section>
  );
}

/** Names and values, the absent ones left out. */
export function Facts({
  facts,
}: {
  readonly facts: Readonly<Record<string, ComponentChildren>>;
}): VNode {
  return (
    <dl class="facts">
      {Object.entries(facts).map(([name, value]) =>
        value === undefined || value === null || value === false ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** What became of something that was asked for. */
export function Notice({ text }: { readonly text: string }): VNode {
  return (
    <p role="status" class="notice">
      {text}
    </p>
  );
}
