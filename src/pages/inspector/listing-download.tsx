import { isValidElement } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { serialiseForReading } from '../../text/exact-json.ts';
import { redact } from '../../text/redaction.ts';
import type { PageAnswer } from '../answer.ts';
import type { Columns } from '../data-table.tsx';
import { InspectorSurroundings } from './frame.tsx';
import { type InspectorRequest, useRequest } from './inspector-request.ts';
import type { Listing } from './list.ts';

/** Returns the requested file: the shown rows as JSON or as CSV, or all results in a format of the list. */
export function fileOf<R extends object>(
  { list, found, shown }: Listing<R>,
  request: InspectorRequest,
): PageAnswer | Promise<PageAnswer> | undefined {
  const { files = {}, kept = (row) => row } = list;
  const format = request.query('format');
  if (format === 'json')
    return { type: 'json', text: serialiseForReading(shown.map((row) => redact(kept(row)))) };
  if (format === 'csv') return { type: 'csv', text: csvOf(list.columns(request), shown, request) };
  const file = Object.hasOwn(files, format) ? files[format] : undefined;
  return found.length > 0 ? file?.write(found, request) : undefined;
}

function csvOf<R>(columns: Columns<R>, rows: readonly R[], request: InspectorRequest): string {
  const names = Object.keys(columns).map((name) => name.replace(/^[#^]+/, ''));
  const lines = rows.map((row, place) =>
    Object.values(columns).map((cell) => textOf(cell(row, place), request)),
  );
  return [names, ...lines].map(csvLine).join('');
}

interface DownloadsProps {
  /** More file formats, by their name in the URL. */
  readonly files: Readonly<Record<string, { readonly label: string }>>;
}

export function Downloads({ files }: DownloadsProps) {
  const { here } = useRequest();
  return (
    <p>
      <small>
        This page as <a href={here({ format: 'csv' })}>CSV</a> or{' '}
        <a href={here({ format: 'json' })}>JSON</a>
        {Object.entries(files).map(([name, { label }]) => (
          <>
            {' · '}
            <a href={here({ format: name, page: undefined })}>{label}</a>
          </>
        ))}
      </small>
    </p>
  );
}

const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/**
 * Where spreadsheets may read a formula: at the start of a cell, or after what separates cells in some locale, even
 * inside quotes. A sign alone is that of an amount or a telephone number.
 */
const FORMULA = /(?<=^|[;\t\r\n] *)(?=[=@]|[+-][^;\t\r\n]*[(|!])/g;

/** Escapes a cell for spreadsheets of every locale. An apostrophe keeps them from reading a formula. */
function csvCell(text: string): string {
  const safe = text.replaceAll(FORMULA, "'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A tag. Its attributes, such as the tooltip of a long name, can contain `>`. */
const TAG = /<(?:[^">]|"[^"]*")*>/g;
/** The entities that the renderer writes. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&quot;': '"',
};

/** Returns the text of a cell, with times in UTC for every reader. */
function textOf(cell: unknown, request: InspectorRequest): string {
  if (Array.isArray(cell))
    return cell
      .map((each) => textOf(each, request))
      .filter(Boolean)
      .join(' ');
  if (isValidElement(cell))
    return renderToString(
      <InspectorSurroundings request={{ ...request, zone: 'UTC' }}>{cell}</InspectorSurroundings>,
    )
      .replaceAll(TAG, '')
      .replaceAll(/&(?:amp|lt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : '';
}
