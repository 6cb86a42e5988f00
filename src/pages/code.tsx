import type { ComponentChildren } from 'preact';
import { serialiseForReading } from '../text/exact-json.ts';
import { Copy } from './id.tsx';
import { ScrollArea } from './parts.tsx';
import { numberText } from './wording.ts';

interface CodeProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Code, with a button that copies it. */
export function Code({ label, children }: CodeProps) {
  return (
    <div class="code">
      <ScrollArea label={label}>
        <pre>{children}</pre>
      </ScrollArea>
      <Copy name={label} />
    </div>
  );
}

/** A sentence with code between backticks. */
export function Coded({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split('`')
        .map((piece, place) => (place % 2 ? <code key={place}>{piece}</code> : piece))}
    </>
  );
}

/** The maximum number of characters to show. Browsers become slow with millions. */
export const MAX_CHARACTERS = 200_000;

/** Longer JSON has no colours: browsers become slow with thousands of elements. */
const MAX_COLOURED = 20_000;

interface JsonViewProps {
  readonly label: string;
  readonly value: unknown;
}

/** A value as JSON. Numbers keep all of their digits. */
export function JsonView({ label, value }: JsonViewProps) {
  const text = serialiseForReading(value);
  const rest = text.length - MAX_CHARACTERS;
  return (
    <Code label={label}>
      {text.length > MAX_COLOURED ? text.slice(0, MAX_CHARACTERS) : <ColouredJson json={text} />}
      {rest > 0 && `\n… and ${numberText(rest)} more characters.`}
    </Code>
  );
}

/** A key with its colon, a text, a number or a literal. */
const TOKEN = /("(?:[^"\\]|\\.)*":?|-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b)/;

/** JSON in which keys, texts and other values have different colours. */
function ColouredJson({ json }: { readonly json: string }) {
  return (
    <>
      {json.split(TOKEN).map((token, place) => {
        if (place % 2 === 0) return token;
        const kind = token.endsWith(':') ? 'key' : token.startsWith('"') ? 'text' : 'value';
        return (
          <span key={place} class={kind}>
            {token}
          </span>
        );
      })}
    </>
  );
}
