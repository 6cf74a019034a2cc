import { runChecks } from "../../../actions/checks.ts"
import { openOrganization } from "../../../actions/organizations.ts"
import { buyersToBill } from "../../../actions/sale/statements.ts"
import { expiredAt } from "../../../domain/sale/order.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { allOrganizations, type Organization, organizationCounts, sellers } from "../../../storage/organizations.ts"
import { askedOrders } from "../../../storage/sales.ts"
import { goTo } from "../../flash.ts"
import type { FormOf } from "../../forms/form.ts"
import type { List } from "../../list.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Card, Empty, type Todo, TodoList } from "../../parts/blocks.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { formatCount, formatLongDate, formatNumber } from "../../parts/format.tsx"
import { ListView } from "../../parts/list.tsx"
import { SlugField, ZoneField } from "../../parts/people.tsx"
import { type Column, Name, Table } from "../../parts/table.tsx"
import { sellingNow } from "../../selling.ts"
import { homeOf, type SignedInVisit } from "../../visit.ts"

const SELLERS_MAX = 200
const ORGANIZATIONS_MAX = 100_000
const ORGANIZATIONS = "/app/operator/organizations"

/** A seller, and how much its Today lists. */
interface SellerToday {
  readonly organization: Organization
  readonly running: number
  readonly orders: number
  readonly behind: number
  readonly due: number
  readonly silent: number
  readonly toBill: number
  readonly toDo: number
}

/** Where the operator of several sellers begins: what needs attention at each of them. */
export async function sellersPage(visit: SignedInVisit): Promise<Response> {
  const { read, now, timeZone } = visit
  const found = await sellers(read, SELLERS_MAX + 1)
  const orders = await askedOrders(read, expiredAt(now))
  const rows: SellerToday[] = []
  for (const seller of found.slice(0, SELLERS_MAX)) rows.push(await todayOf(visit, seller, orders))
  const busy = rows.filter(({ toDo }) => toDo > 0)
  const idle = rows.filter(({ toDo }) => toDo === 0)
  const unowned = orders.filter(({ slug }) => slug === null)
  const todos = [...unownedTodo(unowned, found[0]), ...(await systemTodo(visit))]
  return page(visit, {
    title: "All sellers",
    intro: `${formatLongDate(dayOf(now, timeZone))}. ${busyText(busy.length, rows.length)}`,
    actions: <ButtonLink icon="plus" href={`${ORGANIZATIONS}#new-organization`} label="New organization" />,
    body: (
      <>
        {todos.length > 0 && (
          <Card title="Needs your attention" isFlush>
            <TodoList todos={todos} />
          </Card>
        )}
        {rows.length === 0 ? (
          <Empty title="No sellers yet" text="Organizations with lines, products or API keys are listed here." />
        ) : (
          <Card title="Sellers" count={formatNumber(rows.length)} isFlush>
            <Table caption="Sellers" columns={columnsFor(unowned.length > 0)} rows={[...busy, ...idle]} />
          </Card>
        )}
        {found.length > SELLERS_MAX && (
          <p class="hint">
            These are the first {formatNumber(SELLERS_MAX)}. <a href={ORGANIZATIONS}>Organizations</a> has all of them.
          </p>
        )}
      </>
    ),
  })
}

function busyText(busy: number, all: number): string {
  if (busy === 0) return "No seller has anything to do."
  return `${formatNumber(busy)} of ${formatCount(all, "seller")} ${busy === 1 ? "has" : "have"} something to do.`
}

async function todayOf(
  visit: SignedInVisit,
  organization: Organization,
  asked: Awaited<ReturnType<typeof askedOrders>>,
): Promise<SellerToday> {
  const { read, now } = visit
  const { running, pressing, due, silentKeys } = await sellingNow({ ...visit, organization, role: "admin" })
  const { buyers } = await buyersToBill(read, organization.id, dayOf(now, organization.timeZone))
  const orders = asked.filter(({ slug }) => slug === organization.slug).length
  // Due totals, orders and bills are one entry of Today each, however many there are.
  const entries = [due.length, orders, buyers.length].filter((count) => count > 0).length
  return {
    organization,
    running: running.length,
    orders,
    behind: pressing.filter(({ state }) => state === "behind").length,
    due: due.length,
    silent: silentKeys.length,
    toBill: buyers.length,
    toDo: silentKeys.length + pressing.length + entries,
  }
}

const columnsFor = (hasUnowned: boolean): Column<SellerToday>[] => [
  {
    title: "Seller",
    cell: (row) => (
      <>
        <Name href={homeOf(row)}>{row.organization.name}</Name>
        <small>{row.toDo === 0 ? "Nothing to do" : `${formatNumber(row.toDo)} to do`}</small>
      </>
    ),
  },
  // The operator's list of orders also has those without a seller, so the number may not be its length.
  counted("Orders to answer", ({ orders }) => orders, hasUnowned ? undefined : "/orders?state=asked"),
  counted("Lines behind", ({ behind }) => behind),
  counted("Totals due", ({ due }) => due, "/totals?only=due"),
  counted("Silent keys", ({ silent }) => silent),
  counted("Buyers to bill", ({ toBill }) => toBill),
  { title: "Running lines", cell: ({ running }) => formatNumber(running), isNumber: true, needsRoom: true },
]

/** A number, which leads to the pages of the seller that list as many. */
function counted(title: string, countOf: (row: SellerToday) => number, below?: string): Column<SellerToday> {
  const cell = (row: SellerToday) => {
    const count = formatNumber(countOf(row))
    if (count === "0") return <span class="soft">–</span>
    if (below === undefined) return count
    return (
      <a href={homeOf(row) + below} aria-label={`${title}, ${row.organization.name}: ${count}`}>
        {count}
      </a>
    )
  }
  return { title, isNumber: true, cell }
}

/** Orders for products without a seller. The operator can answer them on any seller's pages. */
function unownedTodo(orders: Awaited<ReturnType<typeof askedOrders>>, seller: Organization | undefined): Todo[] {
  if (orders.length === 0 || seller === undefined) return []
  return [
    {
      tone: "warn",
      icon: "list",
      subject: formatCount(orders.length, "order"),
      what: "to answer, for products without a seller",
      text: "Accept them as one of your sellers, or choose who sells the product on its page.",
      href: `${homeOf({ organization: seller })}/orders?state=asked`,
      action: "Answer",
    },
  ]
}

async function systemTodo({ context }: SignedInVisit): Promise<Todo[]> {
  const problems = (await runChecks(context, "system")).filter(({ ok }) => !ok)
  if (problems.length === 0) return []
  return [
    {
      tone: "warn",
      icon: "server",
      subject: "This server",
      what: `has ${formatCount(problems.length, "problem")}`,
      text: "The System page says what to do.",
      href: "/app/operator/system",
      action: "Open System",
    },
  ]
}

interface ListedOrganization extends Organization {
  readonly people: number
  readonly keys: number
  readonly sold: number
  readonly bought: number
  /** Archived campaigns as well. */
  readonly everBought: number
  readonly isSeller: boolean
}

/** Every organization, and a form that creates another one. */
export const organizationsForm: FormOf<SignedInVisit, readonly ListedOrganization[]> = {
  async find({ read }) {
    const counts = await organizationCounts(read)
    const selling = new Set((await sellers(read, ORGANIZATIONS_MAX)).map(({ id }) => id))
    const none = { people: 0, keys: 0, sold: 0, bought: 0, everBought: 0 }
    return (await allOrganizations(read)).map((each) => {
      return { ...none, ...counts.get(each.id), ...each, isSeller: selling.has(each.id) }
    })
  },
  begin: () => ({ texts: { timeZone: "UTC" } }),
  view: (visit, organizations) => ({
    title: "Organizations",
    intro: "Companies that sell or buy. Sellers report delivery, and buyers see it.",
    actions: <ButtonLink kind="primary" icon="plus" href="#new-organization" label="New organization" />,
    body: (
      <>
        <ListView list={ORGANIZATION_LIST} rows={organizations} url={visit.url} />
        <section class="card form-card" id="new-organization">
          <h2>New organization</h2>
          <Form submit="Create organization">
            <Field name="name" label="Name" required maxlength={200} />
            <ZoneField hint="For flights and reports." />
            <SlugField />
          </Form>
        </section>
      </>
    ),
  }),
  async save(visit, _, { name = "", timeZone = "", slug = "" }) {
    const opened = await openOrganization(visit.context, visit.actor, { name, timeZone, slug, address: "" })
    if ("errors" in opened) return opened
    return goTo(visit, `/app/o/${opened.slug}/people`, `${name} is created. Invite its people.`)
  },
}

const count = (title: string, of: (organization: ListedOrganization) => number) => ({
  title,
  cell: (organization: ListedOrganization) => formatNumber(of(organization)),
  sort: of,
  isNumber: true,
})

const ORGANIZATION_LIST: List<ListedOrganization> = {
  name: "organizations",
  searched: "names and slugs",
  textsOf: ({ name, slug }) => [name, slug],
  states: {
    sellers: { label: "Sellers", has: ({ isSeller }) => isSeller },
    buyers: { label: "Buyers", has: ({ everBought }) => everBought > 0 },
  },
  columns: [
    {
      title: "Name",
      cell: ({ slug, name }) => <Name href={`/app/o/${slug}/settings`}>{name}</Name>,
      sort: ({ name }) => name,
    },
    { title: "Slug", cell: ({ slug }) => <code>{slug}</code>, sort: ({ slug }) => slug },
    { title: "Time zone", cell: ({ timeZone }) => timeZone, sort: ({ timeZone }) => timeZone },
    count("People", ({ people }) => people),
    count("Keys", ({ keys }) => keys),
    count("Lines sold", ({ sold }) => sold),
    count("Campaigns bought", ({ bought }) => bought),
  ],
  empty: <Empty title="No organizations yet" text="Create the organization that sells here." />,
}
