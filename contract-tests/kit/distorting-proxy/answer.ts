import { gzipSync } from 'node:zlib';

/** The response of a correct service, which a proxy can change. */
export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

export type Change = (answer: ProxiedAnswer) => ProxiedAnswer;

type Members = Record<string, unknown>;

export const JSON_TYPE = { 'content-type': 'application/json' };

/** Replaces the body with this text. */
export const saying =
  (text: string | Buffer, headers: ProxiedAnswer['headers'] = JSON_TYPE): Change =>
  (answer) => ({ ...answer, headers, body: Buffer.from(text) });

/** Changes the body as text. */
export const retold =
  (change: (text: string) => string): Change =>
  (answer) => ({ ...answer, body: Buffer.from(change(answer.body.toString())) });

/** Changes the body as JSON. */
export const remade = (change: (body: Members) => unknown): Change =>
  retold((text) => JSON.stringify(change(JSON.parse(text) as Members)));

/** Changes some fields of the body; undefined removes a field. */
export const withMembers = (change: (body: Members) => Members): Change =>
  remade((body) => ({ ...body, ...change(body) }));

export const withStatus =
  (status: number, headers: ProxiedAnswer['headers'] = {}): Change =>
  (answer) => ({ ...answer, status, headers: { ...answer.headers, ...headers } });

export const withHeaders = (headers: ProxiedAnswer['headers']): Change => {
  return (answer) => ({ ...answer, headers: { ...answer.headers, ...headers } });
};

export const gzipped: Change = (answer) => ({
  ...withHeaders({ 'content-encoding': 'gzip' })(answer),
  body: gzipSync(answer.body),
});

/** Changes the items of a list. */
export const withItems = (change: (items: readonly Members[]) => unknown): Change =>
  withMembers(({ items }) => ({ items: change(items as readonly Members[]) }));

/** Renames every field of a value, at any depth. */
export function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => renamed(inner, rename));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]),
  );
}
