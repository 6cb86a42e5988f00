import { ContractFailure, HarnessError, isAssertion, SpecifiedBreak } from './outcome.ts';
import { registry } from './registry.ts';
import { withoutValues } from './target/redact.ts';
import { session } from './target/session.ts';
import { currentTrial } from './trial.ts';

/**
 * Runs `body`, which depends on an assumption about something that the specification leaves open, and records whether
 * the assumption is confirmed or refuted. A refuted assumption fails the check only if the plan insists on assumptions.
 * Returns the result of `body`, or undefined when the assumption is refuted.
 */
export async function assuming<T>(id: string, body: () => Promise<T>): Promise<T | undefined> {
  const { plan } = await session();
  const trial = currentTrial();
  if (!trial || !registry().assumptions.has(id))
    throw new HarnessError(`There is no decision ${id}`);
  try {
    const value = await body();
    trial.record.assumptions.push({ id, verdict: 'confirmed', detail: undefined });
    return value;
  } catch (error) {
    const isRefutation =
      isAssertion(error) ||
      (error instanceof ContractFailure && !(error instanceof SpecifiedBreak));
    if (!isRefutation) throw error;
    trial.record.assumptions.push({
      id,
      verdict: 'refuted',
      detail: await cleanLine((error as Error).message),
    });
    if (plan.insistOnAssumptions) throw error;
    return undefined;
  }
}

/** The first line of a message, with secrets redacted and, unless the plan shows values, without values. */
export async function cleanLine(message: string): Promise<string> {
  const { plan, redactor } = await session();
  return firstLine(redactor.text(plan.showsValues ? message : withoutValues(message)));
}

export const firstLine = (text: string): string => text.split('\n')[0] as string;
