import { spawn } from 'node:child_process';
import { currentCheckRun } from '../check-run.ts';
import { ContractFailure, NotObservable, NotSelected, Untestable } from '../outcome.ts';
import { NEEDS } from '../selection.ts';
import { currentSession, onlyOnOurs } from './session.ts';

type PageOutcome = 'paid' | 'declined';

/** How the form of the emulator's payment page is filled in, with its test cards. @assumes A-1103 */
const CARDS: Readonly<Record<PageOutcome, Answers>> = {
  paid: { number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123' },
  declined: { number: '4000 0000 0000 0002', expiry: '12/40', cvc: '123' },
};

/**
 * Completes a hosted payment as a customer does: by the command of `--payment-hook`, or on the page of an emulator that
 * this run started. Returns the URL that the page redirects to; undefined with a command.
 *
 * @throws NotSelected when neither is available
 * @throws Untestable when the payment cannot be completed that way
 */
export async function completePaymentPage(
  redirectUrl: string,
  outcome: PageOutcome,
): Promise<string | undefined> {
  const { plan, redactor } = currentSession();
  redactor.learn(redirectUrl);
  if (plan.paymentHook !== undefined) return runHook(plan.paymentHook, redirectUrl, outcome);
  if (plan.target.kind === 'ours') return (await openForm(redirectUrl, 'number'))(CARDS[outcome]);
  throw new NotSelected(NEEDS['payment.completable']);
}

/**
 * Completes a payment page and returns the URL that it leads to.
 *
 * @throws NotObservable when a command completes payments, which does not say that
 */
export async function leadsTo(redirectUrl: string, outcome: PageOutcome): Promise<string> {
  const location = await completePaymentPage(redirectUrl, outcome);
  if (location === undefined)
    throw new NotObservable('--payment-hook does not say where a payment page leads');
  return location;
}

/**
 * Opens the payment page of an emulator that this run started, as `completePaymentPage` does. Returns a function that
 * submits its form, at any later time.
 *
 * @throws NotSelected on other targets, because only the emulator's own page is known
 */
export async function openPaymentPage(
  redirectUrl: string,
): Promise<(outcome: PageOutcome) => Promise<string>> {
  currentSession().redactor.learn(redirectUrl);
  onlyOnOurs('only its payment page can stay open');
  const submit = await openForm(redirectUrl, 'number');
  return (outcome) => submit(CARDS[outcome]);
}

/**
 * Turns on automatic top-up as a customer does, in the portal of an emulator that this run started.
 *
 * @throws NotSelected on other targets, because only the emulator's own portal page is known
 */
export async function turnOnAutoTopUp(
  portalUrl: string,
  terms: { readonly threshold: string; readonly amount: string; readonly currency: string },
): Promise<void> {
  const { redactor } = currentSession();
  redactor.learn(portalUrl);
  onlyOnOurs('only its portal can be filled in');
  const submit = await openForm(portalUrl, 'threshold');
  await submit({ ...terms, on: 'on' });
}

/** Passes URL and outcome as whole arguments, never as text for a shell to interpret. */
function runHook(hook: string, redirectUrl: string, outcome: PageOutcome): Promise<undefined> {
  const [command = '', ...words] = hook
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.replace('{redirect_url}', redirectUrl).replace('{outcome}', outcome));
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: 'ignore', timeout: 120_000 });
    child.once('error', () => reject(new Untestable('The payment hook cannot be started')));
    child.once('close', (code) =>
      code === 0
        ? resolve(undefined)
        : reject(new Untestable(`The payment hook ended with ${code}`)),
    );
  });
}

/** The values of form fields by their names; other fields keep theirs. */
type Answers = Readonly<Record<string, string>>;

/**
 * Opens a hosted page as a browser does. Returns a function that submits the form with a field of this name, at any later
 * time, and returns the unchanged Location header without following it; empty when there is none.
 *
 * @throws Untestable when there is no such form, or the target rejects it
 * @throws ContractFailure when the target fails
 */
async function openForm(
  url: string,
  field: string,
): Promise<(answers: Answers) => Promise<string>> {
  const shown = await fetch(url, { headers: { Accept: 'text/html' } });
  const form = formOf(await shown.text(), field);
  const action = form && /\baction="([^"]*)"/.exec(form)?.[1];
  if (form === undefined || action === undefined)
    throw new Untestable(`The page has no form with ${field}`);
  const target = new URL(action, shown.url);
  return async (answers) => {
    currentCheckRun()?.agreement.changed();
    const answer = await fetch(target, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: target.origin },
      body: new URLSearchParams(filledIn(form, answers)),
    });
    await answer.arrayBuffer();
    if (answer.status >= 500)
      throw new ContractFailure(`The submitted page responded with ${answer.status}`);
    if (answer.status >= 400) throw new Untestable(`The page responded with ${answer.status}`);
    return answer.headers.get('location') ?? '';
  };
}

function formOf(page: string, field: string): string | undefined {
  const forms = [...page.matchAll(/<form[^>]*\bmethod="post"[^>]*>[\s\S]*?<\/form>/gi)];
  return forms.map(([form]) => form).find((form) => form.includes(`name="${field}"`));
}

/** The form's fields with their current values, overridden by the given ones. */
function filledIn(form: string, answers: Answers): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<(?:input|button|select)\b[^>]*>/g)) {
    const name = /\bname="([^"]*)"/.exec(input)?.[1];
    if (name === undefined) continue;
    const isUnchosen = /\btype="(radio|checkbox)"/.test(input) && !/\schecked\b/.test(input);
    if (answers[name] === undefined && isUnchosen) continue;
    fields[name] = answers[name] ?? /\bvalue="([^"]*)"/.exec(input)?.[1] ?? '';
  }
  return fields;
}

/** Return URLs for hosted pages. No server responds at these addresses. */
export const ADDRESSES = {
  return_url: 'https://contract.invalid/paid',
  failure_url: 'https://contract.invalid/failed',
};

/** Pairs of valid but unusual URLs. Any normalisation, appended parameter or removed part would change them. */
export const ODD_ADDRESSES = [
  {
    return_url: 'https://contract.invalid/paid/?a=1&b=%20x&c=%C3%BC%2F#part?x=1',
    failure_url:
      'https://contract.invalid/failed?next=https%3A%2F%2Fcontract.invalid%2F%3Fq%3D1#no',
  },
  {
    return_url: 'https://Contract.invalid:8443/#/billing?x=1',
    failure_url: 'http://contract.invalid:443/a/../%c3%bc/%7E+b//?#!/failed',
  },
  { return_url: 'HTTPS://contract.invalid:443', failure_url: 'https://contract.invalid#/failed/' },
] as const;
