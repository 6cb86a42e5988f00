import type { ComponentChildren } from 'preact';
import { DEFAULT_KEY } from '../../config/access.ts';
import { linkTo } from '../inspector/inspector-request.ts';
import { Page } from '../page.tsx';
import { referencePath } from '../paths.ts';

/** What every page of the reference needs to know. */
export interface ReferenceProps {
  /** The key of the world that examples and forms are for. */
  readonly worldKey: string;
}

type Part = 'service' | 'control' | 'assumptions';

const PARTS: Readonly<Record<Part, string>> = {
  service: 'Service API',
  control: 'Control API',
  assumptions: 'Assumptions',
};

interface ReferencePageProps extends ReferenceProps {
  readonly page?: Part | undefined;
  /** By default, that of the part. */
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** The layout of a page of the reference: its parts, a filter, and the content. */
export function ReferencePage(props: ReferencePageProps) {
  const { worldKey, page, title = page && PARTS[page], children } = props;
  return (
    <Page
      title={`${title} · API reference`}
      scripts={['filter.js', 'copy.js']}
      navigation={<Navigation worldKey={worldKey} page={page} />}
    >
      <h1>{title}</h1>
      {page !== undefined && (
        <input
          type="search"
          class="filter scripted"
          aria-label="Filter"
          placeholder="Filter by words, such as create customer"
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
              href={withKey(referencePath(part as Part), worldKey)}
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

/** Adds the key of a world to an address of the reference. */
export const withKey = (address: string, key: string): string =>
  key === DEFAULT_KEY ? address : `${address}?key=${key}`;
