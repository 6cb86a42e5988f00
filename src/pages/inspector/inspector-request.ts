import type { Request } from 'express';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { DEFAULT_KEY } from '../../config/access.ts';
import { type ControlContext, contextOf } from '../../control/context.ts';
import { baseUrlOf } from '../../http/base-url.ts';
import type { Context } from '../../resources/context.ts';
import type { World } from '../../store/world.ts';
import { keyOf } from '../../store/worlds.ts';
import type { PageAnswer } from '../answer.ts';
import { type FormBody, fieldText } from '../forms.tsx';
import type { PagesOptions } from '../pages.ts';
import { INSPECTOR_PATH } from '../paths.ts';
import { machineZone, readZone } from '../time.tsx';

type Parameters = Readonly<Record<string, string | number | undefined>>;

/** A request to a page of the inspector, with the world of its key. */
export interface InspectorRequest {
  readonly world: World;
  readonly key: string;
  readonly isReadOnly: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: FormBody;
  /** Why the submitted form was refused. */
  readonly formError?: string;
  /** The context for calls of the control interface. */
  readonly control: ControlContext & PagesOptions;
  /** The time zone of the times on the page. */
  readonly zone: string;
  /** Returns the text of a query parameter; empty if it is absent or occurs more than once. */
  query(name: string): string;
  /** Returns the URL of a page of the inspector in the same world. */
  link(path: string, parameters?: Parameters): string;
  /** Returns the URL of the same page with other parameters. */
  here(parameters: Parameters): string;
  /** Returns the service context of an owner of records; by default of the world's own account. */
  contextOf(owner?: string): Context;
}

export const CurrentRequest = createContext<InspectorRequest | undefined>(undefined);

export const useRequest = (): InspectorRequest => useContext(CurrentRequest) as InspectorRequest;

/** Returns the page, or performs an action and returns its response. */
export type PageStep = (request: InspectorRequest) => PageAnswer | Promise<PageAnswer>;

/** The pattern of a key, for HTML inputs. */
export const KEY_PATTERN = 'key_(test|live)_[a-z0-9][a-z0-9\\-]{0,62}';

/** Opens the world of the request's key, or of `otherKey`, and runs its due jobs. Undefined if the key is not valid. */
export function readInspectorRequest(
  options: PagesOptions,
  request: Request,
  otherKey?: string,
): InspectorRequest | undefined {
  const query = (name: string): string => fieldText(request.query, name);
  const key = otherKey ?? (query('key') || DEFAULT_KEY);
  const world = options.worlds.find(key);
  if (!world) return undefined;
  options.clocks.running.runDueJobs(world);
  const { settings } = options;
  const baseUrl = baseUrlOf(settings, request.headers.host);
  const owner = world.accountId;
  return {
    world,
    key,
    isReadOnly: settings.ui !== 'on',
    parameters: request.params as Readonly<Record<string, string>>,
    body: request.body,
    control: { ...options, world, owner, baseUrl, prefersText: false },
    query,
    zone: query('zone') === 'local' ? machineZone() : readZone(query('zone')),
    link: (path, parameters) => linkTo(path, { key, zone: query('zone'), ...parameters }),
    here: (parameters) =>
      linkTo(request.path.replace(/\/$/, ''), { ...(request.query as Parameters), ...parameters }),
    contextOf: (account = owner) => contextOf({ world, owner: account, settings, baseUrl }),
  };
}

/** Returns the URL of a page. Empty parameters, parameters with several values and the default key are left out. */
export function linkTo(path: string, parameters: Parameters): string {
  const search = new URLSearchParams();
  for (const [name, value = ''] of Object.entries(parameters)) {
    const isPreset = name === 'key' && value === DEFAULT_KEY;
    if (value !== '' && typeof value !== 'object' && !isPreset) search.set(name, String(value));
  }
  return `${INSPECTOR_PATH}${path}${search.size > 0 ? `?${search}` : ''}`;
}
