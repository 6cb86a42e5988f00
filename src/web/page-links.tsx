import type { VNode } from 'preact';

interface PageLinksProps {
  readonly label: string;
  /** Counted from 1, which is the newest. */
  readonly page: number;
  readonly pages: number;
  /** The address of a page. */
  readonly to: (page: number) => string;
}

/** Leads to the pages beside one of a list. */
export function PageLinks({ label, page, pages, to }: PageLinksProps): VNode | null {
  if (pages === 1) return null;
  return (
    <nav class="pages" aria-label={label}>
      {page > 1 && (
        <a href={to(page - 1)} rel="prev">
          Newer
        </a>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a href={to(page + 1)} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
