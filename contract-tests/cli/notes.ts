/** What the help says after the flags. */
export const RUN_NOTES = `
Effect classes, of which --effects names the highest allowed:
  E0  reads
  E1  must be rejected, or computes without storing
  E2  can be undone: webhook destinations, unpublished products
  E3  permanent but inert: customers, assets, usage events, adjustments
  E4  money-like, or reaches other people: charges, top-ups, portal sessions
By default E4 on a fresh emulator or a test account on this machine, E2 on other test accounts, E0 on live ones.

Exit codes:
  0         everything that ran passed; the last line says what did not run
  1         a check failed
  2, 3      wrong usage; a file, variable or address that is not usable
  10        not allowed on this account, or a budget is used up
  12        nothing was proved
  13        the target is unreachable, stopped answering or rejected the key
  14        something was not removed
  15        less was checked than selected
  70        the suite itself failed
  124, 130  the deadline passed; the run was interrupted

Examples:
  billing-emulator contract
  billing-emulator contract --base-url https://billing.example --key-env BILLING_KEY --effects E0
  billing-emulator contract --base-url http://127.0.0.1:24100 --key-env KEY --report junit=contract.xml
  billing-emulator contract --only 'WAL-*,events'
  billing-emulator contract doctor --base-url https://billing.example --key-env BILLING_KEY`;
