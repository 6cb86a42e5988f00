import { type Json, loadDocument, type OperationSpec, redactText } from 'billing-emulator/spec';
import { findOperation } from '../../kit/operations.ts';
import { validateShape } from '../../kit/shape.ts';
import { type ReadBody, readBody } from '../body.ts';
import { declaredInDocument } from '../declared-names.ts';
import type { Traffic } from '../traffic.ts';

/** A contract violation in recorded traffic. It contains names and rules, never a value that was sent. */
interface TrafficFinding {
  /** `refuted` when it breaks only an assumption on something that the specification leaves open. */
  readonly kind: 'violation' | 'refuted';
  readonly where: 'request' | 'response';
  readonly operation: string | null;
  /** Method and path, with the names of its parameters in place of their values. */
  readonly request: string;
  readonly status: number;
  /** The place, such as `body.items.*.id`. */
  readonly at: string;
  /** The broken rule. */
  readonly what: string;
  readonly expected: string;
  readonly assumptions?: readonly string[];
}

interface TrafficVerdict {
  readonly findings: readonly TrafficFinding[];
  /** Why a part of the exchange could not be validated. */
  readonly unvalidated: string | undefined;
}

/** The parts of an exchange that are validated. */
type Exchanged = Omit<Traffic, 'arrived' | 'ended' | 'rawRequestHeaders'>;

export type TrafficValidator = Awaited<ReturnType<typeof createTrafficValidator>>;

type Diagnostic = Awaited<ReturnType<typeof diagnose>>['input'][number];

/**
 * Validates traffic against the interface document, as Prism's validating proxy does. Responses may have fields that the
 * document does not declare.
 */
export async function createTrafficValidator() {
  const document = loadDocument('openapi');
  const prism = await loadPrism(document.json);

  return {
    async validate(traffic: Exchanged): Promise<TrafficVerdict> {
      const path = traffic.target.split('?')[0] as string;
      const operation = findOperation(document, traffic.method, path)?.operation;
      if (traffic.method === 'OPTIONS') return { findings: [], unvalidated: undefined };
      if (!operation)
        return { findings: [unknownOperation(traffic, path)], unvalidated: undefined };
      const sent = readBody(traffic.requestBody, traffic.requestHeaders['content-encoding']);
      const isBodyless = traffic.method === 'HEAD';
      const got = readBody(traffic.responseBody, traffic.responseHeaders['content-encoding']);
      const found = await diagnose(prism, operation, traffic, sent, got);
      const input = sent ? found.input : found.input.filter(({ path: at }) => at?.[0] !== 'body');
      const output = isBodyless ? [] : got ? found.output : found.output.filter(isAboutStatus);
      const findings = [
        ...input.map((one) => findingOf(one, 'request', operation, traffic)),
        ...output
          .filter(({ code }) => code !== 'additionalProperties')
          .map((one) => weigh(findingOf(one, 'response', operation, traffic), operation, got)),
        ...(isBodyless || !got ? [] : bodilessness(operation, traffic, got)),
      ];
      const whose = sent ? 'a response' : 'a request';
      const unvalidated = `the body of ${whose} is too long, or its compression is unknown`;
      return {
        findings: distinct(findings),
        unvalidated: sent && (got || isBodyless) ? undefined : unvalidated,
      };
    },
  };
}

async function diagnose(
  { createInstance, operations }: LoadedPrism,
  { id, path: template, method }: OperationSpec,
  traffic: Exchanged,
  sent: ReadBody | undefined,
  got: ReadBody | undefined,
) {
  const { status, requestHeaders, responseHeaders, target } = traffic;
  const [path = '/', search = ''] = target.split(/\?(.*)/s);
  const answer = { statusCode: status, headers: plain(responseHeaders), body: got?.value };
  const prism = createInstance(CONFIG, {
    logger: SILENT_LOGGER,
    forward: () => () => () => Promise.resolve({ _tag: 'Right', right: answer }),
  });
  const request = {
    method: method.toLowerCase() as 'get',
    url: { path, query: queryOf(search) },
    headers: { ...plain(requestHeaders), 'content-length': String(sent?.length ?? 0) },
    body: sent?.value,
  };
  const operation = operations.filter(({ iid }) => iid === id);
  const outcome = await prism.request(request, operation)();
  if (outcome._tag === 'Left') throw new Error(`${template}: ${outcome.left.message}`);
  return outcome.right.validations;
}

/** Configures Prism as a proxy that validates both directions; it receives the finished response. */
const CONFIG = {
  isProxy: true,
  upstream: new URL('http://upstream.invalid'),
  upstreamProxy: undefined,
  validateRequest: true,
  validateResponse: true,
  // The specification does not state where the key is sent.
  checkSecurity: false,
  errors: false,
  mock: { dynamic: false },
} as const;

function plain(headers: Exchanged['requestHeaders']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

function queryOf(search: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(search))
    found[name] = name in found ? [found[name] as string, value].flat() : value;
  return found;
}

function findingOf(
  { path = [], code, message }: Diagnostic,
  where: TrafficFinding['where'],
  { id, method, path: template }: OperationSpec,
  { status }: Exchanged,
): TrafficFinding {
  const base = {
    kind: 'violation',
    where,
    operation: id,
    request: `${method} ${template}`,
  } as const;
  const type = /media type|(no )?supported content types/i.exec(message);
  if (type) {
    const expected = type[1] ? 'no body' : 'application/json';
    return { ...base, status, at: 'body', what: 'mediaType', expected };
  }
  const declared = /defined in the document: (.*)/.exec(message)?.[1];
  if (declared !== undefined)
    return { ...base, status, at: 'status', what: 'status', expected: `one of ${declared}` };
  return {
    ...base,
    status,
    at: path.length > 0 ? generalised(path) : 'body',
    what: String(code ?? 'schema'),
    expected: rule(message),
  };
}

/** Keeps names from the document and hides other names, which can contain anything. */
function generalised([place = 'body', ...steps]: readonly string[]): string {
  const names = steps.map((step) => {
    if (/^\d+$/.test(step)) return '*';
    return declaredInDocument().names.has(step) ? step : '…';
  });
  return [place, ...names].join('.');
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

/** The rule in a message, without the place before it. */
function rule(message: string): string {
  const [, expected = message] = /\b((?:must|is|has|no|not)\b.*)$/is.exec(message) ?? [];
  return redactText(expected).replaceAll(/found '(.*)'$/gs, (_, name: string) =>
    NAME.test(name) ? `found '${name}'` : 'found one',
  );
}

/** Turns a violation into a refuted assumption when the response breaks nothing in the specification itself. */
function weigh(
  finding: TrafficFinding,
  operation: OperationSpec,
  got: ReadBody | undefined,
): TrafficFinding {
  if (!got || finding.at === 'status' || finding.what === 'mediaType') return finding;
  const found = validateShape(operation, finding.status, got.value ?? null);
  const refuted = found.filter(({ kind }) => kind === 'refuted');
  if (refuted.length === 0) return finding;
  const assumptions = [...new Set(refuted.flatMap((one) => one.assumptions))].sort();
  return { ...finding, kind: 'refuted', assumptions };
}

/** Reports a body with a status that has none in the document; Prism ignores such bodies. */
function bodilessness(
  operation: OperationSpec,
  traffic: Exchanged,
  { length }: ReadBody,
): readonly TrafficFinding[] {
  if (operation.replies.get(traffic.status) !== null || length === 0) return [];
  const base = { message: 'must be absent', code: 'bodiless', path: ['body'], severity: 0 };
  return [findingOf(base, 'response', operation, traffic)];
}

function unknownOperation({ method, status }: Exchanged, path: string): TrafficFinding {
  return {
    kind: 'violation',
    where: 'request',
    operation: null,
    // Any segment of an unknown path can be a secret.
    request: `${method} ${path.split('/').slice(0, 2).map(nameOrNot).join('/')}${path.split('/').length > 2 ? '/…' : ''}`,
    status,
    at: 'path',
    what: 'operation',
    expected: 'an operation of the document',
  };
}

const nameOrNot = (step: string): string => (step === '' || NAME.test(step) ? step : '…');

const isAboutStatus = ({ message }: Diagnostic): boolean =>
  message.includes('defined in the document');

const distinct = (findings: readonly TrafficFinding[]): readonly TrafficFinding[] => [
  ...new Map(findings.map((one) => [JSON.stringify(one), one])).values(),
];

type Prism = typeof import('@stoplight/prism-http');

type LoadedPrism = Awaited<ReturnType<typeof loadPrism>>;

/** Discards Prism's log output; each caller reports its own findings. */
const SILENT_LOGGER = new Proxy({} as Parameters<Prism['createInstance']>[1]['logger'], {
  get: (_, name) => (name === 'child' ? () => SILENT_LOGGER : () => undefined),
});

/**
 * Loads Prism and converts a document to Prism's operations. Prism is loaded only when needed, because that takes
 * several times as long as starting the emulator.
 */
async function loadPrism(document: Json) {
  const { createInstance, getHttpOperationsFromSpec } = await import('@stoplight/prism-http');
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  return { createInstance, operations };
}
