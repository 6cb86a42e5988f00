import type { VNode } from 'preact';

interface CopyProps {
  /** What is copied. */
  readonly text: string;
  /** What it is called: the button is named "Copy" with it. */
  readonly name: string;
  /** A word in place of the symbol. */
  readonly label?: string;
}

/** A button that copies a text; not there without script. */
export function Copy({ text, name, label }: CopyProps): VNode {
  return (
    <button
      type="button"
      class={label === undefined ? 'copy plain scripted' : 'copy secondary scripted'}
      data-copy={text}
      aria-label={`Copy ${name}`}
    >
      {label ?? (
        <svg viewBox="0 0 14 14" aria-hidden="true">
          <path d="M4.5 4.5h7v8h-7zM9.5 4.5v-3h-7v8h2" />
        </svg>
      )}
    </button>
  );
}
