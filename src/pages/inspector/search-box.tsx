import { Button } from '../forms.tsx';
import { Alert } from '../parts.tsx';
import { numberText } from '../wording.ts';
import { useRequest } from './inspector-request.ts';
import { QueryForm } from './links.tsx';
import { type ChipCounts, chipOf, withChip, withoutChips } from './search/chips.ts';
import type { List } from './search/list.ts';
import { misunderstood, parseSearch } from './search/search.ts';

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
