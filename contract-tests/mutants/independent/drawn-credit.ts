import { after, asking, each, type Loose, type Mutant, mutant, showing } from '../mutant.ts';
import { bugs, remembering, sending } from './bug.ts';

/** Bugs in wallets, subscriptions and links: one for each randomly drawn sentence of the specification. */

const accountOf = ({ account_name, asset }: Loose): string =>
  `${account_name ?? 'default'}:${asset}`;

/** A different id that depends only on the given id and the account. */
function idBeside(id: string, account: string): string {
  const sum = [...account].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return id.slice(0, -4) + sum.toString(16).padStart(4, '0').slice(-4);
}

/** `expires_at` of grants as sent, by world and grant. */
const ends = remembering<string>();

export const drawnCreditBugs: readonly Mutant[] = [
  ...bugs({
    getWallet: {
      'shows at each account what all of its asset hold': showing(({ accounts }) => ({
        accounts: accounts.map((account: Loose) => {
          const same = accounts.filter(({ asset }: Loose) => asset === account.asset);
          const sum = same.reduce((total: number, { available }: Loose) => total + available, 0);
          return { ...account, available: Number(sum.toFixed(10)) };
        }),
      })),
    },
    chargeWallet: {
      'charges the default account where the one named is not there yet': asking(
        ({ body, path }, { tables }) => {
          if (!tables.wallet_accounts.get(`${path.customerId}\n${accountOf(body)}`))
            delete body.account_name;
        },
      ),
      'takes an id that was used in another account for free': (call, { tables }, run) => {
        const { transaction_id } = call.body;
        const account = accountOf(call.body);
        const place = `${call.path.customerId}\n${transaction_id.toLowerCase()}`;
        const earlier = tables.transactions.get(place);
        if (!earlier || earlier.account_id === account) return run();
        const other = idBeside(transaction_id, account);
        return run({ ...call, body: { ...call.body, transaction_id: other } });
      },
    },
    updateSubscription: {
      'goes on renewing where renews_at is null': sending((body) => {
        if (body.renews_at === null) delete body.renews_at;
      }),
    },
    createPortalSession: {
      'gives the link that is open still, whatever addresses are asked for': (
        call,
        { tables, now, baseUrl },
        run,
      ) => {
        const open = [...tables.portal_sessions.values()].find(
          ({ customer_id, expires_at }) =>
            customer_id === call.body.customer_id && expires_at > now,
        );
        if (!open) return run();
        const redirect_url = `${baseUrl}/hosted/portal/${open.token}`;
        return { status: 200, body: { redirect_url, expires_at: open.expires_at } };
      },
    },
  }),
  mutant(
    'listGrants: shows ends in the zone in which they were given',
    'Shows the end of credit in the zone in which it was given',
    [],
    {
      adjustWallet: after(({ body: { transaction_id, expires_at } }, context) => {
        const grants: Loose[] = [...context.tables.grants.values()];
        const given = grants.find((grant) => grant.transaction_id === transaction_id);
        if (given && expires_at) ends(context).set(given.id, expires_at);
      }),
      listGrants: each('items', ({ id, expires_at }, _, context) => ({
        expires_at: ends(context).get(id) ?? expires_at,
      })),
    },
  ),
];
