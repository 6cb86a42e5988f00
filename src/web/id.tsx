import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Copy } from './copy.tsx';
import { SurroundingsContext } from './surroundings.ts';

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
export function Id({ id, canCopy = false, href }: IdProps): VNode {
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

function Shortened({ id }: { readonly id: string }): VNode {
  return (
    <>
      {id.slice(0, HEAD)}
      <span class="middle">{id.slice(HEAD, -TAIL)}</span>
      {id.slice(-TAIL)}
    </>
  );
}

const RECORD = /\b([a-z]{3,4}_[0-9a-z]{20,})\b/;

/** A sentence whose ids lead to their records. */
export function WithIds({ text }: { readonly text: string }): VNode {
  const parts = text.split(RECORD);
  return <bdi>{parts.map((part, place) => (place % 2 ? <Id key={place} id={part} /> : part))}</bdi>;
}
