import type { Request } from 'express';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { DEFAULT_KEY } from '../../config/access.ts';
import { contextOf } from '../../control/context.ts';
import { type Finding, RuleViolation } from '../../domain/rules.ts';
import { BadRequest } from '../../http/input.ts';
import type { Context } from '../../resources/context.ts';
import { Rejection } from '../../resources/problems.ts';
import type { World } from '../../store/world.ts';
import { type PageAnswer, withStatus } from '../answer.tsx';
import { type FormBody, fieldText } from '../forms.tsx';
import { controlOf, type PageControl, type PagesOptions } from '../page-control.ts';
import { INSPECTOR_PATH, PAGE_PATHS, type PageName } from '../paths.ts';

/** Query parameters of a link. `id` is the record of the page, if it has one, and `#` the part to show. */
export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** A page by its name, or an action by its path. */
type Target = PageName | `/${string}`;

/** A request to a page of the inspector, with the world of its key. */
export interface InspectorRequest {
  readonly world: World;
  readonly key: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: FormBody;
  /** Why the submitted form was refused. */
  readonly formError?: string;
  /** The context for calls of the control API. */
  readonly control: PageControl;
  /** Returns the text of a query parameter; empty if it is absent or occurs more than once. */
  query(name: string): string;
  /** Returns the URL of a page or of an action in the same world. */
  link(target: Target, parameters?: Parameters): string;
  /** Returns the URL of the same page, or of the page that an action shows, with other parameters. */
  here(parameters: Parameters, page?: Target): string;
  /** Returns the service context of an owner of records; by default of the world's own account. */
  contextOf(owner?: string): Context;
}

export const CurrentRequest = createContext<InspectorRequest | undefined>(undefined);

export const useRequest = (): InspectorRequest => useContext(CurrentRequest) as InspectorRequest;

/** Returns the page, or performs an action and returns its response. */
export type PageStep = (request: InspectorRequest) => PageAnswer | Promise<PageAnswer>;

/** Opens the world of the request's key, and runs its due jobs. Undefined if the key is not valid. */
export function readInspectorRequest(
  options: PagesOptions,
  request: Request,
): InspectorRequest | undefined {
  const query = (name: string): string => fieldText(request.query, name);
  const key = query('key') || DEFAULT_KEY;
  const world = options.worlds.find(key);
  if (!world) return undefined;
  options.clocks.running.runDueJobs(world);
  const control = controlOf(options, request, world);
  return {
    world,
    key,
    parameters: request.params as Readonly<Record<string, string>>,
    body: request.body,
    control,
    query,
    link: (target, parameters) => linkTo(target, { key, ...parameters }),
    here: (parameters, page = request.path as Target) =>
      linkTo(page, {
        ...(request.query as Parameters),
        done: undefined,
        ...parameters,
      }),
    contextOf: (owner = world.accountId) => contextOf({ ...control, owner }),
  };
}

/** Returns the URL of a page or an action. Empty parameters, those with several values and the default key are left out. */
export function linkTo(target: Target, { '#': part, ...parameters }: Parameters): string {
  const pattern = target.startsWith('/') ? target : PAGE_PATHS[target as PageName];
  const { id, ...others } = parameters;
  const isOfRecord = pattern.includes(':id');
  const path = pattern.replace(':id', encodeURIComponent(id ?? '')).replace(/\/$/, '');
  const search = new URLSearchParams();
  for (const [name, value = ''] of Object.entries(isOfRecord ? others : parameters)) {
    const isPreset = name === 'key' && value === DEFAULT_KEY;
    if (value !== '' && typeof value !== 'object' && !isPreset) search.set(name, String(value));
  }
  const query = search.size > 0 ? `?${search}` : '';
  return `${INSPECTOR_PATH}${path}${query}${part === undefined ? '' : `#${part}`}`;
}

/** The page of a form. */
export interface FormPage {
  readonly page: PageName;
  readonly show: PageStep;
}

/** Runs an action. If it is refused, shows the page of its form again with the reason, and with links to that page. */
export async function orShowAgain(
  request: InspectorRequest,
  { page, show }: FormPage,
  work: () => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const formError = rejectionText(error);
    if (formError === undefined) throw error;
    const here: InspectorRequest['here'] = (parameters) =>
      request.here({ id: request.parameters['id'], ...parameters }, page);
    return withStatus(422, await show({ ...request, here, formError }));
  }
}

/** Returns why a form was refused, as text for the user; undefined for a defect. */
function rejectionText(error: unknown): string | undefined {
  if (error instanceof BadRequest) return error.message;
  if (error instanceof RuleViolation) return error.findings.map(formErrorOf).join(' ');
  if (!(error instanceof Rejection)) return undefined;
  return error.status === 404 ? 'It no longer exists.' : (error.detail ?? error.message);
}

/** Names the field only if it is nested, because a form has its own labels for the others. */
const formErrorOf = ({ field, message }: Finding): string =>
  /[.[]/.test(field) ? `${field}: ${message}` : message;
