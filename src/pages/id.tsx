import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { findCurrency } from '../domain/currencies.ts';
import { Amount } from './amount.tsx';
import { PageContext } from './page.tsx';
import { Time } from './time.tsx';

interface IdProps {
  readonly id: string;
  readonly canCopy?: boolean;
  /** The link; the page of the record by default. */
  readonly href?: string;
}

const HEAD = 8;
const TAIL = 4;
/** A shorter identifier is shown in full. */
const LONG = 20;

/** An identifier that links to the page of its record. The middle of a long one is hidden. */
export function Id({ id, canCopy = false, href }: IdProps) {
  const { recordLink } = useContext(PageContext);
  const address = href ?? recordLink?.(id);
  const text = <Shortened text={id} />;
  return (
    <span class="id">
      {address === undefined ? text : <a href={address}>{text}</a>}
      {canCopy && <Copy text={id} name={id} />}
    </span>
  );
}

/** A text whose middle is hidden, if it is long: it is still found, selected and read aloud. */
export function Shortened({ text }: TextProps) {
  if (text.length <= LONG) return <>{text}</>;
  return (
    <>
      {text.slice(0, HEAD)}
      <span class="middle">{text.slice(HEAD, -TAIL)}</span>
      {text.slice(-TAIL)}
    </>
  );
}

interface TextProps {
  readonly text: string;
}

const RECORD = String.raw`(?<!\\)\b[a-z]{3,4}_[0-9a-z]{20,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b`;
const MOMENT = String.raw`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC)`;
const MONEY = String.raw`-?\b\d[\d,]*(?:\.\d+)? [A-Z]{3}\b`;
const SPECIAL = new RegExp(`(${RECORD}|${MOMENT}|${MONEY})`);

/** A sentence of ours, in which ids are links, and times and amounts of money look like others on the page. */
export function Sentence({ text }: TextProps) {
  const parts = text.split(SPECIAL);
  return (
    <bdi dir="ltr">
      {parts.map((part, place) => (place % 2 === 0 ? part : <Special key={place} text={part} />))}
    </bdi>
  );
}

/** An id, a moment or an amount of money in a sentence. */
function Special({ text }: TextProps): ComponentChildren {
  if (/(Z| UTC)$/.test(text)) return <Time at={text.replace(' ', 'T').replace(' UTC', 'Z')} />;
  const [amount = '', code = ''] = text.split(' ');
  if (code === '') return <Named id={text} />;
  if (findCurrency(code)) return <Amount amount={amount.replaceAll(',', '')} asset={code} />;
  return text;
}

/** A record by its name, if it has one to be called by; else by its id. */
function Named({ id }: { readonly id: string }) {
  const { recordLink, recordName } = useContext(PageContext);
  const name = recordName?.(id);
  return name && recordLink ? <a href={recordLink(id)}>{name}</a> : <Id id={id} />;
}

interface NoticeProps extends TextProps {
  readonly tone?: 'ok' | 'warn';
}

/** A message about the result of an action, or a warning. */
export function Notice({ text, tone = 'ok' }: NoticeProps) {
  return (
    <p role="status" class={`notice ${tone}`} data-testid="notice">
      <Sentence text={text} />
    </p>
  );
}

interface CopyProps {
  /** By default, the code beside the button. */
  readonly text?: string;
  /** What the text is. The accessible name of the button is "Copy" and this name. */
  readonly name: string;
  /** Shown instead of the icon. */
  readonly label?: string;
}

/** A button that copies a text. Without JavaScript it is hidden. */
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
