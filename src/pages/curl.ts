/** A request to write as a command. */
interface Command {
  readonly method: string;
  readonly url: string;
  readonly key: string;
  readonly headers?: readonly string[];
  /** Empty if it has none. */
  readonly body?: string;
  readonly type?: string | undefined;
}

/** Returns a curl command that sends a request. */
export function curlText(command: Command): string {
  const { method, url, key, headers = [], body = '', type = 'application/json' } = command;
  const sent = [`Authorization: Bearer ${key}`, ...headers];
  if (body !== '') sent.push(`Content-Type: ${type}`);
  return [
    `curl -i -X ${quoted(method)} ${quoted(url)}`,
    ...sent.map((header) => `-H ${quoted(header)}`),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** Quotes a text for the shell. */
const quoted = (text: string): string =>
  /^[\w/:.=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
