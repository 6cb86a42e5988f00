import { Button } from '../../forms.tsx';
import { Alert } from '../../parts.tsx';
import { numberText } from '../../wording.ts';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { QueryForm } from '../links.tsx';
import { type Chips, type List, MAX_LOOKED_AT, rowMatcher } from './list.ts';
import { misunderstood, parseSearch } from './search.ts';

/** The search field of a list, with a help text, and with what of the search is not understood. */
export function SearchBox<R extends object>({ list }: { readonly list: List<R> }) {
  const request = useRequest();
  const fields = Object.keys(list.fields);
  const problems = misunderstood(parseSearch(request.query('q')), fields);
  return (
    <search>
      <QueryForm page={list.section}>
        <div class="line">
          <input
            type="search"
            name="q"
            value={request.query('q')}
            title={request.query('q') || undefined}
            aria-label="Search"
            aria-invalid={problems.length > 0 || undefined}
            aria-describedby="search-hint"
          />
          <Button>Search</Button>
        </div>
        <details class="hint">
          <summary>How to search</summary>
          <p id="search-hint">
            Free words, or{' '}
            <code>{[...fields, 'before', 'after'].map((name) => `${name}:`).join(' ')}</code>
          </p>
          <p>
            <code>*</code> any text; <code>-</code> in front excludes; <code>&gt;=</code> and{' '}
            <code>&lt;</code> compare, <code>after:-7d</code> from seven days ago
          </p>
        </details>
      </QueryForm>
      {problems.length > 0 && <Alert text={problems.join(' ')} />}
    </search>
  );
}

/**
 * Links that add a common search or a kind of rows to the search, in place of others of their group, or take it away.
 * The first takes all chips away.
 */
export function ChipGroups({ groups, search, byQuery }: ChipCounts) {
  const { query } = useRequest();
  // Of a search that is not understood, no chip is chosen.
  const isUnderstood = search === query('q');
  const all = withoutChips(search, groups);
  const isAll = isUnderstood && groups.every((group) => chipOf(search, group) === '');
  return (
    <div class="chips">
      <ul>
        <ChipLink name="All" q={all} isChosen={isAll} count={byQuery.get(all)} />
      </ul>
      {groups.map((group, place) => (
        <ul key={place}>
          {Object.entries(group).map(([name, chip]) => {
            const isChosen = isUnderstood && chip === chipOf(search, group);
            const q = withChip(search, group, chip);
            const count = byQuery.get(q);
            const next = isChosen ? withChip(search, group, '') : q;
            if (count === 0 && !isChosen) return null;
            return <ChipLink key={name} name={name} q={next} isChosen={isChosen} count={count} />;
          })}
        </ul>
      ))}
    </div>
  );
}

interface ChipLinkProps {
  readonly name: string;
  /** The search that it leads to. */
  readonly q: string;
  readonly isChosen: boolean;
  readonly count: number | undefined;
}

function ChipLink({ name, q, isChosen, count }: ChipLinkProps) {
  const { here } = useRequest();
  return (
    <li>
      <a
        class="chip"
        href={here({ q, page: undefined })}
        aria-current={isChosen ? 'true' : undefined}
      >
        <bdi>{name}</bdi>
        {count !== undefined && <span class="muted">{numberText(count)}</span>}
      </a>
    </li>
  );
}

/** The chips of a list, in groups, with the counts beside them. */
export interface ChipCounts {
  readonly groups: readonly Chips[];
  /** The search that the chips extend. */
  readonly search: string;
  /** How many rows each search finds, as far as that is known. */
  readonly byQuery: ReadonlyMap<string, number>;
}

/** The term of a search that is a chip of a group; empty if there is none. */
const chipOf = (search: string, group: Chips): string =>
  parseSearch(search).terms.find(({ text }) => Object.values(group).includes(text))?.text ?? '';

/** A search without the terms that are chips of a group, and with another term. */
function withChip(search: string, group: Chips, chip: string): string {
  const inGroup = new Set(Object.values(group));
  const terms = parseSearch(search).terms.map(({ text }) => text);
  return [...terms.filter((text) => !inGroup.has(text)), chip].filter(Boolean).join(' ');
}

/** A search without the terms that are chips of any group. */
const withoutChips = (search: string, groups: readonly Chips[]): string =>
  groups.reduce((left, group) => withChip(left, group, ''), search);

/** Returns how many rows each chip finds beside the rest of the search. In a long list chips have no counts. */
export function countChips<R extends object>(
  list: List<R>,
  rows: readonly R[],
  request: InspectorRequest,
): ChipCounts {
  const { chips: groups = [], fields } = list;
  const q = request.query('q');
  const search = misunderstood(parseSearch(q), Object.keys(fields)).length > 0 ? '' : q;
  const byQuery = new Map([['', rows.length]]);
  if (rows.length > MAX_LOOKED_AT) return { groups, search, byQuery };
  const found = (among: readonly R[], text: string): readonly R[] =>
    among.filter(rowMatcher(list, parseSearch(text), request));
  const all = withoutChips(search, groups);
  byQuery.set(all, found(rows, all).length);
  for (const group of groups) {
    const others = found(rows, withChip(search, group, ''));
    for (const chip of Object.values(group))
      byQuery.set(withChip(search, group, chip), found(others, chip).length);
  }
  return { groups, search, byQuery };
}
