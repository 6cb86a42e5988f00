import type { ComponentChildren } from 'preact';
import { Copy } from '../id.tsx';
import { MAX_CHARACTERS, ScrollArea } from '../parts.tsx';

interface CopyableProps {
  readonly title: string;
  readonly text: string;
  /** Shown above the text. */
  readonly children?: ComponentChildren;
}

/** A section with a text and a button that copies it; nothing if the text is very long. */
export function Copyable({ title, text, children }: CopyableProps) {
  if (text.length > MAX_CHARACTERS) return null;
  return (
    <section>
      <div class="section-head">
        <h2>{title}</h2>
        <Copy text={text} name={title.toLowerCase()} label="Copy" />
      </div>
      {children}
      <ScrollArea label={title}>
        <pre>{text}</pre>
      </ScrollArea>
    </section>
  );
}
