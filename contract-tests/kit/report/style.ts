import { html } from './markup.ts';

/** The style sheet of the page, for light and dark mode. */
export const STYLE = html`
:root { color-scheme: light dark; --paper: #fff; --sheet: #f6f7f9; --ink: #1f2937; --good: #166534; --good-bg: #dcfce7;
  --bad: #b91c1c; --bad-bg: #fee2e2; --faint: #595f69; --line: #d7dbe0;
  --edge: #7d838c; }
@media (prefers-color-scheme: dark) { :root { --paper: #12161c; --sheet: #1b2129; --ink: #e5e7eb; --good: #86efac;
  --good-bg: #14301f; --bad: #fca5a5; --bad-bg: #3b1a1a; --faint: #a3abb6; --line: #39414d; --edge: #7a838f; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; background: var(--paper); color: var(--ink); }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; margin: 1rem 0 .5rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
.claim { font-size: 1.15rem; font-weight: 600; padding: .75rem 1rem; border-radius: .5rem; margin: .5rem 0; }
.claim.good { background: var(--good-bg); } .claim.bad { background: var(--bad-bg); }
.good { color: var(--good); } .bad { color: var(--bad); } .faint { color: var(--faint); }
a { color: inherit; } td a { display: inline-block; padding: .2rem 0; } :target { outline: 2px solid var(--good); outline-offset: -2px; }
[hidden] { display: none !important; }
#filter { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; margin: 1.5rem 0; padding: .75rem 1rem;
  background: var(--sheet); border-radius: .5rem; }
#filter label { display: grid; gap: .2rem; font-size: .85rem; color: var(--faint); max-width: 100%; }
#filter select, #filter input, #filter button { font: inherit; font-size: 15px; color: var(--ink); background: var(--paper);
  border: 1px solid var(--edge); border-radius: .35rem; padding: .3rem .5rem; min-height: 2.25rem; max-width: 100%;
  box-sizing: border-box; }
#filter select { width: 16rem; }
.wide { overflow-x: auto; position: relative; }
table { border-collapse: collapse; width: 100%; } .list { min-width: 42rem; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
thead th { color: var(--faint); font-size: .85rem; font-weight: 600; }
tbody th { font-weight: 400; white-space: nowrap; font-family: ui-monospace, monospace; font-size: .85rem; }
td { overflow-wrap: break-word; } td:first-child { white-space: nowrap; }
.matrix { width: auto; } .matrix th, .matrix td { padding: .15rem .6rem; } .matrix thead th { text-align: center; }
.matrix thead th:first-child { text-align: left; }
.cell { text-align: center; } .cell.asserted { color: var(--good); background: var(--good-bg); }
.cell.touched, .cell.untouched { background: var(--bad-bg); color: var(--bad); } .cell.exempt { background: var(--sheet); }
.mark { white-space: nowrap; font-weight: 600; }
.fail, .untestable, .broken, .harness_error, .stale, .unstable, .refuted { color: var(--bad); }
.pass, .met, .confirmed { color: var(--good); }
summary { cursor: pointer; padding: .25rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12px; margin: .25rem 0; padding: .5rem .75rem;
  background: var(--sheet); border-radius: .35rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; } dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 42rem) {
  .list, .list tbody { display: block; min-width: 0; } .list thead { display: none; }
  .list tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .list td { display: block; border: 0; padding: .1rem 0; } .list .first br { display: none; }
  .list .first .mark { margin-right: .75rem; }
  .list td { overflow-wrap: anywhere; }
  .matrix, .matrix tbody { display: block; } .matrix thead, .matrix td:empty { display: none; }
  .matrix tr { display: flex; flex-wrap: wrap; gap: .35rem; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  .matrix th, .matrix td { border: 0; padding: .1rem .5rem; border-radius: .35rem; }
  .matrix tbody th { flex: 0 0 100%; padding: 0; white-space: normal; overflow-wrap: anywhere; }
  .cell::before { content: attr(data-of) ' '; }
  #filter label, #filter select, #filter input { width: 100%; }
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; }
}
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
