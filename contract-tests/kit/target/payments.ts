import { spawn } from 'node:child_process';
import { onlyOnOurs } from '../about-target.ts';
import { NotObservable, NotSelected, Untestable } from '../outcome.ts';
import { NEEDS } from '../selection.ts';
import { openForm, submitForm } from './forms.ts';
import { currentSession } from './session.ts';

export type PageOutcome = 'paid' | 'declined';

/** Test cards of the emulator's payment page. @assumes A-1103 */
const CARDS: Readonly<Record<PageOutcome, string>> = {
  paid: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
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
  if (plan.target.kind === 'ours')
    return submitForm(redirectUrl, (name) => answerTo(name, CARDS[outcome]));
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
  const submit = await openForm(redirectUrl);
  return (outcome) => submit((name) => answerTo(name, CARDS[outcome]));
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
  const answers: Readonly<Record<string, string>> = { ...terms, on: 'on' };
  await submitForm(portalUrl, (name) => answers[name], 'threshold');
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

function answerTo(name: string, card: string): string | undefined {
  if (/number/.test(name)) return card;
  if (/expir|expiry|date/.test(name)) return '12/40';
  return /cvc|cvv/.test(name) ? '123' : undefined;
}
