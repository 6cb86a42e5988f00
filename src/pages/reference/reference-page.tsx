import type { ComponentChildren } from 'preact';
import { groupBy } from '../../domain/collections.ts';
import { type Assumption, readAssumptions } from '../../spec/assumptions.ts';
import { plural } from '../../text/wording.ts';
import { Coded } from '../code.tsx';
import { linkTo } from '../inspector/inspector-request.ts';
import { Page } from '../page.tsx';
import { referencePath } from '../paths.ts';
import { fieldWord } from '../wording.ts';

/** What every page of the reference needs to know. */
export interface ReferenceProps {
  /** The key of the world that examples and forms are for. */
  readonly worldKey: string;
}

const PARTS = {
  openapi: 'Service API',
  control: 'Control API',
  assumptions: 'Assumptions',
} as const;

type Part = keyof typeof PARTS;

interface ReferencePageProps extends ReferenceProps {
  readonly page?: Part | undefined;
  /** By default, that of the part. */
  readonly title?: string;
  /** What the page lists. */
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The layout of a page of the reference: its parts, a filter, and the content. */
export function ReferencePage(props: ReferencePageProps) {
  const { worldKey, page, title = page && PARTS[page], lead, children } = props;
  return (
    <Page
      title={`${title} · API reference`}
      scripts={['copy.js', 'filter.js']}
      navigation={<Navigation worldKey={worldKey} page={page} />}
    >
      <h1>{title}</h1>
      {lead && <p class="lead">{lead}</p>}
      {page !== undefined && (
        <input
          type="search"
          class="filter scripted"
          aria-label="Filter"
          placeholder="Filter by words"
          data-filters
        />
      )}
      {children}
      <p class="muted" role="status" data-none hidden>
        Nothing here has all of these words.
      </p>
    </Page>
  );
}

function Navigation({ worldKey, page }: Pick<ReferencePageProps, 'worldKey' | 'page'>) {
  return (
    <nav aria-label="API reference">
      <ul>
        {Object.entries(PARTS).map(([part, name]) => (
          <li key={part}>
            <a
              href={referencePath(part as Part, { key: worldKey })}
              aria-current={part === page ? 'page' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
        <li>
          <a href={linkTo('overview', { key: worldKey })}>Inspector</a>
        </li>
      </ul>
    </nav>
  );
}

let register: readonly Assumption[] | undefined;

const assumptions = (): readonly Assumption[] => {
  register ??= readAssumptions();
  return register;
};

/** The address of an assumption. */
export const assumptionLink = (id: string, key: string): string =>
  `${referencePath('assumptions', { key })}#${id}`;

interface AssumptionLinksProps extends ReferenceProps {
  readonly ids: readonly string[];
}

/** Links to the assumptions that something depends on, with their titles; nothing if there are none. */
export function AssumptionLinks({ ids, worldKey }: AssumptionLinksProps) {
  if (ids.length === 0) return null;
  // In the order of the register: ids sorted as texts have A-1103 before A-201.
  const listed = assumptions().filter(({ id }) => ids.includes(id));
  return (
    <details>
      <summary>
        Depends on {plural(ids.length, 'assumption')} where the specification is silent
      </summary>
      <ul>
        {listed.map(({ id, title }) => (
          <li key={id}>
            <a href={assumptionLink(id, worldKey)}>{id}</a> <Coded text={title} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** All assumptions by area: decisions where the service's specification is silent. */
export function AssumptionsPage(props: ReferenceProps) {
  const areas = groupBy(assumptions(), ({ area }) => area);
  return (
    <ReferencePage
      {...props}
      page="assumptions"
      lead={`${assumptions().length} decisions where the specification of the service is silent.`}
    >
      {[...areas].map(([area, members]) => (
        <section key={area} class="prose" aria-label={area} data-group>
          <h2>{fieldWord(area)}</h2>
          {members.map((each) => (
            <Entry key={each.id} assumption={each} />
          ))}
        </section>
      ))}
    </ReferencePage>
  );
}

function Entry({ assumption }: { readonly assumption: Assumption }) {
  const { id, title, area, kind, weight, evidence, settings = [], ...texts } = assumption;
  const about = [kind, weight, evidence, ...settings.map((name) => `set by ${name}`)];
  return (
    <details data-filter={area}>
      <summary>
        <b>{id}</b> <Coded text={title} />
      </summary>
      {/* A link to what is inside opens it. */}
      <div id={id}>
        <p>
          <Coded text={texts.decision} />
        </p>
        <p class="muted">
          Open: <Coded text={texts.gap} />
        </p>
        <p class="muted">
          Because: <Coded text={texts.reason} />
        </p>
        <small class="muted">{about.join(' · ')}</small>
      </div>
    </details>
  );
}
