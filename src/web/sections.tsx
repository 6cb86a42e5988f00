import type { ComponentChildren, VNode } from 'preact';
import type { Instant } from '../domain/instant.ts';
import type { TopUpStatus } from '../state/records.ts';
import { momentText } from './wording.ts';

/** A part of the portal, which its own heading names. */
export function PageSection({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section aria-labelledby={id} data-testid={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A table that scrolls by itself where it is wider than the page, by keyboard too. */
export function DataTable({
  label,
  headings,
  children,
}: {
  readonly label: string;
  /** A `#` before one says that figures stand below it. */
  readonly headings: readonly string[];
  readonly children: ComponentChildren;
}): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keyboard.
    <section class="scrolls" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col" class={heading.startsWith('#') ? 'number' : undefined}>
                {heading.replace('#', '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

/** A moment, to the minute. */
export function Time({ at }: { readonly at: Instant }): VNode {
  return <time dateTime={at}>{momentText(at)}</time>;
}

/** Text of a customer, in its own direction. What is too long for its place is shown on pointing at it. */
export function Words({ text }: { readonly text: string | undefined }): VNode | null {
  if (text === undefined) return null;
  return (
    <bdi class="words" title={text.length > LONG_WORDS ? text : undefined}>
      {text}
    </bdi>
  );
}

const LONG_WORDS = 60;

export function Alert({ text }: { readonly text: string }): VNode {
  return (
    <p role="alert" class="alert" data-testid="alert">
      {text}
    </p>
  );
}

export const TOP_UP_STATUS_TEXTS: Readonly<Record<TopUpStatus, string>> = {
  initiated: 'Not paid yet',
  pending: 'On its way',
  succeeded: 'Paid',
  failed: 'Declined',
  expired: 'Expired',
};
