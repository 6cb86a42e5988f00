import type { ComponentChildren } from 'preact';
import { type AssetName, assetUrl } from './assets.ts';

interface DocumentProps {
  /** What the page is, as the browser's tab shows it. */
  readonly title: string;
  /** Classes of its body. */
  readonly frame: string;
  /** Own style sheets and scripts beside those of every page. */
  readonly styles?: readonly AssetName[];
  readonly scripts?: readonly AssetName[];
  readonly children: ComponentChildren;
}

/** What every page is within: head and body, and the way past the navigation. */
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

interface PageProps extends Omit<DocumentProps, 'frame'> {
  /** How wide it may grow: a form, or a page of tables. */
  readonly width?: 'narrow' | 'wide';
  /** Stands beside the name at the top. */
  readonly navigation?: ComponentChildren;
}

/** The frame of every page that stands alone: header, main part and what must be said at its foot. */
export function Page(props: PageProps) {
  const { width = 'narrow', navigation, styles = [], children, ...rest } = props;
  return (
    <HtmlPage {...rest} frame={`alone ${width}`} styles={['hosted.css', ...styles]}>
      <header>
        <p class="brand">
          <Mark /> Billing emulator <span class="badge bare">Test mode</span>
        </p>
        {navigation}
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer>
        <small>This page is served by an emulator. No money moves; never enter a real card.</small>
      </footer>
    </HtmlPage>
  );
}

/** The sign of the emulator: a nought and a point. */
export function Mark() {
  return (
    <svg viewBox="0 0 22 22" aria-hidden="true">
      <rect width="22" height="22" rx="5" />
      <path d="M8 6.5c-4.5 0-4.5 9 0 9s4.5-9 0-9zM16 15.8v.01" />
    </svg>
  );
}
