import type { OperationSpec } from '../spec/document.ts';
import type { Check, Validators } from '../spec/validators.ts';
import { isKeptPage, type Serialised } from '../text/exact-json.ts';

/** The check that a page item passed. Stored items never change, so they are checked only once. */
const passed = new WeakMap<object, Check>();

/** Returns how a response breaks the document, or undefined if it does not. */
export function findDefect(
  validators: Validators,
  operation: OperationSpec,
  { status, body }: { readonly status: number; readonly body?: unknown },
  serialised: Serialised,
): string | undefined {
  const check = validators.reply(operation, status);
  if (!check) return `status ${status} is not declared`;
  const items = isKeptPage(body) ? body.items : [];
  const isKnown = items.length > 0 && items.every((item) => passed.get(item) === check);
  const errors = isKnown
    ? check({ ...(body as object), items: [] })
    : check(serialised.hasLongNumbers ? JSON.parse(serialised.text) : body);
  if (errors.length > 0) return `${status} answer: ${JSON.stringify(errors.slice(0, 5))}`;
  for (const item of items) passed.set(item, check);
  return undefined;
}
