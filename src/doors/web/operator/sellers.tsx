import { compareNames } from "../../../domain/lists/list-query.ts"
import type { Organization } from "../../../domain/people/organization.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { ORGANIZATIONS, SELLERS, SYSTEM } from "../frame/navigation.ts"
import { forOperator } from "../guards.ts"
import { sellingNow } from "../home/lines-in-flight.ts"
import { ButtonLink, Card, type Todo, TodoList } from "../parts/blocks.tsx"
import { formatCount, formatLongDate, formatNumber } from "../parts/format.tsx"
import { BareTable, type Column } from "../parts/table.tsx"
import { headedPage } from "../respond.tsx"
import { toSettle } from "../sale/to-settle.ts"
import type { PersonVisit } from "../visit.ts"
import { needTodo } from "./system-needs.ts"

// Where the operator of several sellers begins: all of them, and what waits there.

// More are looked up under Organizations.
const SELLERS_MAX = 200

interface SellerToday {
  readonly seller: Organization
  /** Lines that run today. */
  readonly running: number
  readonly orders: number
  readonly behind: number
  /** Lines without a total since yesterday. */
  readonly due: number
  readonly silent: number
  readonly toSettle: number
  /** All that Today of this seller lists. */
  readonly waiting: number
}

async function todayOf({ context, now }: PersonVisit, seller: Organization): Promise<SellerToday> {
  const selling = await sellingNow(context, seller, now)
  const orders = (await context.store.orders.countWaiting({ sellerId: seller.id, withUnowned: false }, now)) ?? 0
  const settling = (await toSettle(context.store, seller, now)).length
  return {
    seller,
    running: selling.running.length,
    orders,
    behind: selling.named.filter(({ state }) => state === "behind").length,
    due: selling.due,
    silent: selling.silentFeeds.length,
    toSettle: settling,
    waiting: selling.needing + (orders > 0 ? 1 : 0) + settling,
  }
}

const homeOf = ({ seller }: SellerToday) => `/app/o/${seller.slug}`

/** A number; it leads to the list `below` the seller's pages that has as many entries. Today of the seller lists the others. */
function counted(title: string, count: (row: SellerToday) => number, below?: string): Column<SellerToday> {
  const shown = (row: SellerToday) =>
    below === undefined ? (
      formatNumber(count(row))
    ) : (
      <a href={`${homeOf(row)}${below}`} aria-label={`${title}, ${row.seller.name}: ${formatNumber(count(row))}`}>
        {formatNumber(count(row))}
      </a>
    )
  return { title, numeric: true, cell: (row) => (count(row) === 0 ? <span class="soft">–</span> : shown(row)) }
}

const COLUMNS: readonly Column<SellerToday>[] = [
  { title: "Seller", value: ({ seller }) => seller.name, href: homeOf, note: (row) => waitingText(row) },
  counted("Orders to answer", ({ orders }) => orders),
  counted("Lines behind", ({ behind }) => behind),
  counted("Totals due", ({ due }) => due, "/totals?only=due"),
  counted("Silent feeds", ({ silent }) => silent),
  counted("Statements due", ({ toSettle: campaigns }) => campaigns),
  { title: "Running lines", numeric: true, narrow: "large", value: ({ running }) => running },
]

const waitingText = ({ waiting }: SellerToday) =>
  waiting === 0 ? "Nothing waits" : formatCount(waiting, "thing waits", "things wait")

async function show(visit: PersonVisit): Promise<Response> {
  const { context, now, zone, place } = visit
  const sellers = await context.store.organizations.sellers(SELLERS_MAX + 1)
  const all: SellerToday[] = []
  for (const seller of sellers.slice(0, SELLERS_MAX)) all.push(await todayOf(visit, seller))
  all.sort((a, b) => compareNames(a.seller.name, b.seller.name))
  const [busy, idle] = [all.filter(({ waiting }) => waiting > 0), all.filter(({ waiting }) => waiting === 0)]
  const rows = [...busy, ...idle]
  const said = busy.length === 0 ? "Nothing waits" : `Something waits at ${busy.length} of ${rows.length} sellers`
  const todos = [
    ...(await unownedTodo(visit, sellers[0])),
    ...(place?.systemNeeds ?? []).map((need) => ({ ...needTodo(need), href: SYSTEM, action: "Open System" })),
  ]
  return headedPage(visit, {
    title: "All sellers",
    intro: `${formatLongDate(dayOf(now, zone))}. ${said}.`,
    actions: <ButtonLink icon="plus" href={`${ORGANIZATIONS}/new`} label="New organization" />,
    body: [
      todos.length > 0 && (
        <Card flush title="Needs your attention">
          <TodoList todos={todos} />
        </Card>
      ),
      <Card flush title="Sellers" count={formatNumber(rows.length)}>
        <BareTable caption="Sellers, and what waits there" columns={COLUMNS} rows={rows} />
      </Card>,
      sellers.length > SELLERS_MAX && (
        <p class="hint">
          These are the first {formatNumber(SELLERS_MAX)}. <a href={ORGANIZATIONS}>Organizations</a> has all of them.
        </p>
      ),
    ],
  })
}

// No organization has it.
const NOBODY = 0

/** Orders of products that no seller has: the operator answers them on the page of any seller. */
async function unownedTodo({ context, now }: PersonVisit, seller: Organization | undefined): Promise<Todo[]> {
  const count = await context.store.orders.countWaiting({ sellerId: NOBODY, withUnowned: true }, now)
  if (!count || seller === undefined) return []
  return [
    {
      tone: "info",
      icon: "list",
      subject: formatCount(count, "order"),
      what: "to answer, of products without a seller",
      text: "Accept it as one of your sellers, or say on the product’s page who sells it.",
      href: `/app/o/${seller.slug}/orders?state=asked`,
      action: "Answer",
    },
  ]
}

export const sellersRoutes = [forOperator("GET", SELLERS, show)]
