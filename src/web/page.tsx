import type { ComponentChildren, VNode } from 'preact';
import { type AssetName, assetUrl } from './assets.ts';

export interface PageProps {
  /** What the page is, as the browser's tab shows it. */
  readonly title: string;
  /** How wide it may grow: a form, or a page of tables. */
  readonly width?: 'narrow' | 'wide';
  /** Stands beside the name at the top. */
  readonly navigation?: ComponentChildren;
  /** Own style sheets and scripts beside those of every page. */
  readonly styles?: readonly AssetName[];
  readonly scripts?: readonly AssetName[];
  readonly children: ComponentChildren;
}

/** The frame of every page: head, header, main part and what must be said at its foot. */
export function Page(props: PageProps): VNode {
  const { title, width = 'narrow', navigation, styles = [], scripts = [], children } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        {(['pico.css', 'style.css', ...styles] as const).map((name) => (
          <link key={name} rel="stylesheet" href={assetUrl(name)} />
        ))}
        {scripts.map((name) => (
          <script key={name} type="module" src={assetUrl(name)} />
        ))}
      </head>
      <body class={width}>
        <header class="container">
          <p class="brand">
            <strong>Billing emulator</strong> <span class="tag">Test mode</span>
          </p>
          {navigation}
        </header>
        <main class="container">{children}</main>
        <footer class="container">
          <small>
            This page is served by an emulator. No money moves; never enter a real card.
          </small>
        </footer>
      </body>
    </html>
  );
}
