import { useContext } from 'preact/hooks';
import { SurroundingsContext } from './surroundings.ts';
import { Time } from './time.tsx';

interface IdProps {
  readonly id: string;
  /** Whether a button copies it. */
  readonly canCopy?: boolean;
  /** Where it leads, where that is not the page of the record that it names. */
  readonly href?: string;
}

const HEAD = 8;
const TAIL = 4;
/** One that is shorter is shown whole. */
const LONG = 20;

/** An identifier, which leads to the page of its record. The middle of a long one is drawn as dots. */
export function Id({ id, canCopy = false, href }: IdProps) {
  const { recordLink } = useContext(SurroundingsContext);
  const address = href ?? recordLink?.(id);
  const text = id.length > LONG ? <Shortened id={id} /> : id;
  return (
    <span class="id">
      {address === undefined ? text : <a href={address}>{text}</a>}
      {canCopy && <Copy text={id} name={id} />}
    </span>
  );
}

function Shortened({ id }: { readonly id: string }) {
  return (
    <>
      {id.slice(0, HEAD)}
      <span class="middle">{id.slice(HEAD, -TAIL)}</span>
      {id.slice(-TAIL)}
    </>
  );
}

const RECORD = String.raw`(?<!\\)\b[a-z]{3,4}_[0-9a-z]{20,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b`;
const RECORDS = new RegExp(`(${RECORD})`);
const RECORDS_AND_TIMES = new RegExp(String.raw`(${RECORD}|\b\d{4}-\d\d-\d\dT[\d:.]+Z)`);

interface TextProps {
  readonly text: string;
}

/** A sentence whose ids lead to their records, and whose times read as all others do. */
export function Sentence({ text }: TextProps) {
  const parts = text.split(RECORDS_AND_TIMES);
  return (
    <bdi>
      {parts.map((part, place) => {
        if (place % 2 === 0) return part;
        return part.endsWith('Z') ? <Time key={place} at={part} /> : <Id key={place} id={part} />;
      })}
    </bdi>
  );
}

/** A text as it is, whose ids lead to their records. */
export function WithIds({ text }: TextProps) {
  const { recordLink } = useContext(SurroundingsContext);
  if (recordLink === undefined || text.length > MOST_LINKED) return <>{text}</>;
  const linked = (id: string) => <a href={recordLink(id)}>{id}</a>;
  return <>{text.split(RECORDS).map((part, place) => (place % 2 ? linked(part) : part))}</>;
}

/** Browsers become slow with thousands of links. */
const MOST_LINKED = 20_000;

interface CopyProps {
  /** What is copied. */
  readonly text: string;
  /** What it is called: the button is named "Copy" with it. */
  readonly name: string;
  /** A word in place of the symbol. */
  readonly label?: string;
}

/** A button that copies a text; not there without script. */
export function Copy({ text, name, label }: CopyProps) {
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
