import type { ComponentChildren, VNode } from 'preact';
import type { Tone } from '../../badge.tsx';

/** Something that a request caused, with what that caused in turn. */
export interface TraceNode {
  /** What kind of thing it is. */
  readonly kind: string;
  readonly what: ComponentChildren;
  readonly href?: string;
  /** Further lines about it. */
  readonly more?: readonly ComponentChildren[];
  /** Why it came about, folded. */
  readonly why?: readonly string[];
  readonly tone?: Tone;
  readonly effects: readonly TraceNode[];
}

/** So many effects of one cause are drawn. */
const MOST_EFFECTS = 8;

/** Causes with their effects to the right of them; on a narrow page below. */
export function Trace({ nodes }: { readonly nodes: readonly TraceNode[] }): VNode {
  const rest = nodes.length - MOST_EFFECTS;
  return (
    <ul>
      {nodes.slice(0, MOST_EFFECTS).map((node, place) => (
        <li key={place}>
          <Box node={node} />
          {node.effects.length > 0 && <Trace nodes={node.effects} />}
        </li>
      ))}
      {rest > 0 && (
        <li>
          <div class="node">and {rest.toLocaleString('en')} more</div>
        </li>
      )}
    </ul>
  );
}

function Box({ node }: { readonly node: TraceNode }): VNode {
  const { kind, what, href, more = [], why, tone = 'none' } = node;
  return (
    <div class={`node ${tone}`}>
      <small class="muted">{kind}</small>
      <strong>{href === undefined ? what : <a href={href}>{what}</a>}</strong>
      {more.map((line, place) => (
        <span key={place}>{line}</span>
      ))}
      {why !== undefined && (
        <details>
          <summary>Why</summary>
          {why.map((line) => (
            <p key={line}>
              <bdi>{line}</bdi>
            </p>
          ))}
        </details>
      )}
    </div>
  );
}
