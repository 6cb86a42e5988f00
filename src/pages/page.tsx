import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Context } from '../resources/context.ts';
import { type AssetName, assetUrl } from './assets.ts';

interface DocumentProps {
  /** The title in the browser's tab. */
  readonly title: string;
  /** CSS classes of the body. */
  readonly frame: string;
  /** More style sheets and scripts than the common ones. */
  readonly styles?: readonly AssetName[];
  readonly scripts?: readonly AssetName[];
  readonly children: ComponentChildren;
}

/** The HTML document of every page: head, body and the skip link. */
export function HtmlPage({ title, frame, styles = [], scripts = [], children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="icon" type="image/svg+xml" href={assetUrl('favicon.svg')} />
        {(['tokens.css', 'base.css', 'parts.css', 'table.css', ...styles] as const).map((name) => (
          <link key={name} rel="stylesheet" href={assetUrl(name)} />
        ))}
        {scripts.map((name) => (
          <script key={name} type="module" src={assetUrl(name)} />
        ))}
      </head>
      <body class={frame}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {children}
      </body>
    </html>
  );
}

interface PageProps extends Omit<DocumentProps, 'frame' | 'styles'> {
  /** Where amounts find the labels of custom assets. */
  readonly context?: Context | undefined;
  /** Whether it is only as wide as a card. */
  readonly isNarrow?: boolean;
  /** Shown beside the name in the header. */
  readonly navigation?: ComponentChildren;
}

/** The layout of all pages outside the inspector: header, main part and footer with the warning. */
export function Page(props: PageProps) {
  const { context, isNarrow = false, navigation, children, ...rest } = props;
  const pageContext = context ? { contextOf: () => context } : {};
  return (
    <PageContext.Provider value={pageContext}>
      <HtmlPage {...rest} frame={isNarrow ? 'alone narrow' : 'alone'} styles={['hosted.css']}>
        <header>
          <p class="brand">
            <Mark /> billing-emulator <span class="badge bare">Test mode</span>
          </p>
          {navigation}
        </header>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <footer>
          This page is served by an emulator. No money moves; never enter a real card.
        </footer>
      </HtmlPage>
    </PageContext.Provider>
  );
}

interface CardPageProps extends Pick<PageProps, 'title' | 'context' | 'children'> {
  readonly testId?: string;
}

/** A page with one card under its title: a question, an outcome or an error. */
export function CardPage({ title, context, testId, children }: CardPageProps) {
  return (
    <Page title={title} isNarrow context={context}>
      <article data-testid={testId}>
        <h1>{title}</h1>
        {children}
      </article>
    </Page>
  );
}

/** The logo of the emulator: a zero and a point. */
export const Mark = () => <img src={assetUrl('favicon.svg')} width="22" height="22" alt="" />;

/** The context of a page that its components use. */
interface PageContextValue {
  /** Returns the URL of a record's page by its identifier; absent if identifiers are not links. */
  readonly recordLink?: (id: string) => string;
  /** Returns what to call a record in a sentence instead of its identifier. */
  readonly recordName?: (id: string) => string | undefined;
  /** Returns the service context of an owner of records; by default the owner of the page. */
  readonly contextOf?: (owner?: string) => Context;
}

export const PageContext = createContext<PageContextValue>({});

/** The service context of an owner of records; by default of the owner of the page. Use it only on pages with an owner. */
export const useServiceContext = (owner?: string): Context =>
  (useContext(PageContext).contextOf as (owner?: string) => Context)(owner);
