import { html } from './markup.ts';

/** Looks of the page, in light and in dark. */
export const STYLE = html`
:root { color-scheme: light dark; --good: #166534; --bad: #b91c1c; --faint: #6b7280; --line: #d1d5db; }
@media (prefers-color-scheme: dark) { :root { --good: #86efac; --bad: #fca5a5; --faint: #9ca3af; --line: #374151; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
.claim { font-size: 1.25rem; font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); } .faint { color: var(--faint); }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
.wide { overflow-x: auto; }
.cell { text-align: center; } .asserted { color: var(--good); } .touched, .untouched { color: var(--faint); }
.mark { white-space: nowrap; font-weight: 600; }
.fail, .untestable, .broken, .harness_error, .stale, .flaky, .refuted { color: var(--bad); }
.pass, .met, .confirmed { color: var(--good); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; } dd { margin: 0; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
