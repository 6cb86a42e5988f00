import type { ComponentChildren } from 'preact';
import { DEFAULT_KEY } from '../../config/access.ts';
import { versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import type {
  CustomerRow,
  EventRow,
  FeePaymentRow,
  GrantRow,
  ProductRow,
  SubscribedProduct,
  SubscriptionRow,
  TopUpRow,
  TransactionRow,
  WalletAccountRow,
  WarningRow,
} from '../../store/records.ts';
import type { TableName, Tables } from '../../store/schema.ts';
import { accountText } from '../hosted/portal.ts';
import { Id } from '../id.tsx';
import { useServiceContext } from '../page.tsx';
import { Words } from '../parts.tsx';
import type { PageName } from '../paths.ts';
import { capitalized, fieldWord, money } from '../wording.ts';
import { type Linkable, recordAddress } from './find/records.ts';
import { type InspectorRequest, linkTo, useRequest } from './inspector-request.ts';

export interface CustomerProps {
  readonly customer: CustomerRow;
}

interface OwnerProps {
  readonly id: string | undefined;
}

/** A link to the customer of a record, by name; nothing if the record has no customer. */
export function CustomerLink({ id }: OwnerProps) {
  const { world } = useRequest();
  if (id === undefined) return null;
  const name = world.tables.customers.get(id)?.name ?? id;
  return <RecordLink table="customers" row={{ id }} text={name} />;
}

interface RecordLinkProps {
  readonly table: TableName;
  readonly row: Titled;
  /** What it is called, by default. */
  readonly text?: string | undefined;
}

export function RecordLink({ table, row, text }: RecordLinkProps) {
  const request = useRequest();
  return (
    <a href={recordAddress(request, table, row)}>
      <Words text={text ?? recordTitle(request.world.tables, table, row)} />
    </a>
  );
}

type ProductVersion = Pick<SubscribedProduct, 'id' | 'code' | 'version'>;

/** A link to a product by the name of its version, such as `Chat v1`. */
export function ProductLink({ product }: { readonly product: ProductVersion }) {
  const { world, link } = useRequest();
  const [version] = versionsOf(world, [product]);
  return (
    <a href={link('product', { id: product.id })}>
      <Words text={`${version?.name ?? product.code} v${product.version}`} />
    </a>
  );
}

/** Products by the names of their versions, such as `Chat, Voice`. */
export const namesOf = (tables: Tables, { products }: Pick<SubscriptionRow, 'products'>): string =>
  versionsOf({ tables }, products)
    .map(({ name }) => name)
    .join(', ');

interface Titled extends Linkable {
  readonly name?: string;
  readonly code?: string;
  readonly url?: string;
  readonly topic?: string;
}

/** What a record of these tables is called; others have a name of their own. */
const TITLES: Readonly<Record<string, (row: never, tables: Tables) => string>> = {
  events: ({ event_type }: EventRow) => event_type,
  fee_payments: ({ amount, currency }: FeePaymentRow) => `Fee of ${money(amount, currency)}`,
  grants: ({ purpose }: GrantRow) => `${capitalized(purpose)} credit`,
  products: ({ id, code, default_version, newest_version }: ProductRow, tables) =>
    namesOf(tables, { products: [{ id, code, version: default_version ?? newest_version }] }),
  subscriptions: (row: SubscriptionRow, tables) => namesOf(tables, row),
  top_ups: ({ amount, currency }: TopUpRow) => `Top-up of ${money(amount, currency)}`,
  transactions: ({ source }: TransactionRow) => fieldWord(source),
  wallet_accounts: ({ name, asset }: WalletAccountRow) =>
    name === 'default' ? asset : `${asset} (${name})`,
  warnings: ({ kind }: WarningRow) => fieldWord(kind),
};

/** What a record is called on pages, in words. */
export function recordTitle(tables: Tables, table: string, row: Titled): string {
  const title = Object.hasOwn(TITLES, table) ? TITLES[table] : undefined;
  const { id, name, code, url, topic, subject } = row;
  return title?.(row as never, tables) ?? name ?? code ?? url ?? topic ?? subject ?? id;
}

interface AccountNameProps {
  /** Name and asset, such as `default:USD`. */
  readonly id: string;
  readonly asset: string;
}

/** A wallet account in words: its asset, and its name unless that is `default`. */
export function AccountName({ id, asset }: AccountNameProps) {
  const name = id.slice(0, -asset.length - 1);
  return <Words text={accountText(useServiceContext(), { name, asset })} />;
}

/** The connected account of a record; nothing for the platform's own records. */
export function OfAccount({ id }: OwnerProps) {
  const { world } = useRequest();
  if (id === undefined || id === world.accountId) return null;
  return (
    <span>
      of <Id id={id} />
    </span>
  );
}

interface SendLinkProps {
  /** The operation of the form, and values that it starts with. */
  readonly to?: Parameters<InspectorRequest['link']>[1];
  /** Whether it does not look like a button. */
  readonly isPlain?: boolean;
  readonly children: ComponentChildren;
}

/** A link to the form of a request, which acts for the owner of the page. */
export function SendLink({ to, isPlain = false, children }: SendLinkProps) {
  const { link, world } = useRequest();
  const { owner } = useServiceContext();
  const actsFor = owner === world.accountId ? {} : { owner };
  return (
    <a class={isPlain ? undefined : 'button secondary'} href={link('send', { ...actsFor, ...to })}>
      {children}
    </a>
  );
}

interface QueryFormProps {
  readonly page: PageName;
  readonly layout?: 'line';
  readonly children: ComponentChildren;
}

/** A form that leads to a page in the same world. */
export function QueryForm({ page, layout, children }: QueryFormProps) {
  const { key } = useRequest();
  return (
    <form method="get" action={linkTo(page, {})} class={layout}>
      {key !== DEFAULT_KEY && <input type="hidden" name="key" value={key} />}
      {children}
    </form>
  );
}

interface ActionFormProps {
  /** Path of the action; absent if each button has its own. */
  readonly action?: `/${string}`;
  readonly parameters?: Parameters<InspectorRequest['link']>[1];
  /** How to lay out the fields or the buttons. */
  readonly layout?: 'line' | 'buttons' | 'small buttons' | 'request-form';
  readonly hasFile?: boolean;
  readonly children: ComponentChildren;
}

/** A form that changes the world. */
export function ActionForm(props: ActionFormProps) {
  const { action, parameters, layout, hasFile, children } = props;
  const { link } = useRequest();
  return (
    <form
      method="post"
      action={action && link(action, parameters)}
      class={layout}
      encType={hasFile ? 'multipart/form-data' : undefined}
    >
      {children}
    </form>
  );
}
