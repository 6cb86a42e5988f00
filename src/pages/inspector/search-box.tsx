import { Button } from '../forms.tsx';
import { Alert } from '../parts.tsx';
import { numberText } from '../wording.ts';
import { useRequest } from './inspector-request.ts';
import { QueryForm } from './links.tsx';
import type { Chips, SearchCounts } from './search/counts.ts';
import { misunderstood, parseSearch, type Search, understood } from './search/search.ts';
import type { InspectorSection } from './sections.tsx';

interface SearchBoxProps {
  /** The page with the list. */
  readonly path: InspectorSection;
  readonly fields: readonly string[];
}

/** The search field, with a help text, and with what of the search is not understood. */
export function SearchBox({ path, fields }: SearchBoxProps) {
  const request = useRequest();
  const search = parseSearch(request.query('q'));
  const problems = misunderstood(search, fields);
  return (
    <search>
      <QueryForm page={path}>
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
          <Button isSecondary>Search</Button>
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
      {problems.length > 0 && (
        <>
          <Alert text={problems.join(' ')} />
          <Understood search={search} fields={fields} />
        </>
      )}
    </search>
  );
}

interface UnderstoodProps extends Pick<SearchBoxProps, 'fields'> {
  readonly search: Search;
}

/** The terms that are understood, in words, and a link that keeps only them. */
function Understood({ search, fields }: UnderstoodProps) {
  const { here, world } = useRequest();
  const terms = understood(search, fields, world.now);
  if (terms.length === 0) return null;
  return (
    <p data-testid="understood">
      Understood: {terms.map(({ meaning }) => meaning).join('; ')}.{' '}
      <a href={here({ q: terms.map(({ text }) => text).join(' '), page: undefined })}>
        Search for {terms.length === 1 ? 'this' : 'these'} alone
      </a>
    </p>
  );
}

interface ChipGroupsProps {
  /** The number of rows without a search. */
  readonly total: number;
  readonly chips: readonly Chips[];
  readonly counts: SearchCounts;
}

/** Links for common searches and for the kinds of rows, after one to the full list. */
export function ChipGroups({ total, chips: [first, ...others], counts }: ChipGroupsProps) {
  const groups = [{ All: '', ...first }, ...others, counts.kinds ?? {}];
  const byQuery = new Map([...counts.byQuery, ['', total]]);
  return (
    <div class="chips">
      {groups.map((group, place) => (
        <ChipGroup key={place} chips={group} counts={byQuery} />
      ))}
    </div>
  );
}

interface ChipGroupProps {
  readonly chips: Chips;
  /** How many rows each search finds, if that is known. A chip that finds none is left out. */
  readonly counts: ReadonlyMap<string, number>;
}

function ChipGroup({ chips, counts }: ChipGroupProps) {
  const { here, query } = useRequest();
  const shown = Object.entries(chips)
    .map(([name, q]) => ({ name, q, count: counts.get(q) }))
    .filter(({ q, count }) => q === query('q') || count !== 0);
  if (shown.length === 0) return null;
  return (
    <ul>
      {shown.map(({ name, q, count }) => (
        <li key={name}>
          <a
            class="chip"
            href={here({ q, page: undefined })}
            aria-current={q === query('q') ? 'true' : undefined}
          >
            <bdi>{name}</bdi>
            {count !== undefined && <span class="muted">{numberText(count)}</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Shown if a search has no results. */
export function NothingFits() {
  const { here } = useRequest();
  return (
    <>
      No results. <a href={here({ q: undefined, page: undefined })}>Show all</a>
    </>
  );
}
