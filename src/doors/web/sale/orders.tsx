import { takesOrders } from "../../../actions/sale/order-links.ts"
import type { ListRules } from "../../../domain/lists/list-query.ts"
import { amountNow, stateAt, termsNow } from "../../../domain/sale/order.ts"
import { sumsOf } from "../../../domain/sale/statement.ts"
import { daysBefore } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { Order } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { AGENT_SALES, PRODUCTS } from "../frame/navigation.ts"
import { forMember } from "../guards.ts"
import { listing } from "../lists.tsx"
import { ButtonLink, Empty, LookBadge } from "../parts/blocks.tsx"
import { ALL_YEARS, formatCount, formatFlight } from "../parts/format.tsx"
import { agoColumn, type Column } from "../parts/table.tsx"
import { money, sumsInWords } from "../parts/terms.tsx"
import { headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { LOOKS, ORDERS, ordersOf, scopeOf, waysOf } from "./with-order.ts"

type OrderRow = Order & { readonly way: string }

const quantityNow = (order: Order) => termsNow(order).quantity

const RULES: ListRules<OrderRow> = {
  searched: ({ product, requester, way }) => [product.name, requester.organization, requester.name, way].join("\n"),
  states: {
    asked: ({ state }) => state === "asked",
    offered: ({ state }) => state === "offered",
    accepted: ({ state }) => state === "accepted",
    closed: ({ state }) => state === "declined" || state === "withdrawn" || state === "ended",
  },
  sorts: {
    asked: ({ askedAt }) => askedAt,
    product: ({ product }) => product.name,
    from: ({ requester }) => requester.organization,
    start: (order) => termsNow(order).from,
  },
  largestFirst: ["asked"],
}

function columns(visit: OrganizationVisit): Column<OrderRow>[] {
  // So near, nobody asks which year.
  const soon = daysBefore(dayOf(visit.now, visit.organization.timeZone), -300)
  return [
    {
      title: "Product",
      sortBy: "product",
      value: ({ product }) => product.name,
      href: ({ id }) => `${ordersOf(visit)}/${id}`,
    },
    { title: "From", sortBy: "from", value: ({ requester }) => requester.organization },
    {
      title: "State",
      narrow: "corner",
      value: ({ state }) => state,
      cell: ({ state }) => <LookBadge look={LOOKS[state]} />,
    },
    {
      title: "Dates",
      sortBy: "start",
      nowrap: true,
      cell: (order) => {
        const { from, to } = termsNow(order)
        return formatFlight(from, to, to < soon && from > daysBefore(soon, 600) ? "" : ALL_YEARS)
      },
    },
    { title: "Quantity", numeric: true, value: quantityNow, cell: (order) => quantityNow(order) ?? "–" },
    {
      title: "Amount",
      numeric: true,
      value: amountNow,
      cell: (order) => money(amountNow(order), order.priced.currency),
    },
    { title: "Came by", narrow: "large", value: ({ way }) => way },
    { ...agoColumn("Asked", ({ askedAt }) => askedAt), sortBy: "asked", nowrap: true },
  ]
}

const IN_FILE: readonly Column<OrderRow>[] = [
  { title: "Currency", value: ({ priced }) => priced.currency },
  { title: "First day", value: (order) => termsNow(order).from },
  { title: "Last day", value: (order) => termsNow(order).to },
  { title: "Name", value: ({ requester }) => requester.name },
  { title: "Email", value: ({ requester }) => requester.email },
  { title: "Line ID for the API", value: ({ packageId }) => packageId },
]

async function rows(visit: OrganizationVisit): Promise<OrderRow[]> {
  const { store } = visit.context
  const wayOf = await waysOf(store)
  const orders = await store.orders.list(await scopeOf(visit))
  return orders.map((order) => ({ ...order, state: stateAt(order, visit.now), way: wayOf(order) }))
}

const list = listing<OrganizationVisit, OrderRow>({
  rules: RULES,
  rows,
  columns,
  what: "orders",
  searched: "orders",
  states: { asked: "To answer", offered: "Offered", accepted: "Accepted", closed: "Closed" },
  file: ({ organization }) => `${organization.slug}-orders`,
  inFile: IN_FILE,
})

async function ordersPage(visit: OrganizationVisit): Promise<Response> {
  if (visit.place?.onlyBuys === true) return pageNotFound(visit)
  const orders = await rows(visit)
  const waiting = orders.filter(({ state }) => state === "asked").length
  const wait = waiting === 0 ? "" : ` ${formatCount(waiting, "waits", "wait")} for your answer.`
  return headedPage(visit, {
    title: "Orders",
    intro: `What buyers ask to book.${wait}`,
    actions: visit.person.isOperator && <ButtonLink icon="tag" href={PRODUCTS} label="Order links" />,
    body:
      orders.length === 0
        ? noOrders(visit, await takesOrders(visit.context.store))
        : [await list.view(visit), <p class="hint">{sumsText(orders)}</p>],
  })
}

/** 14 orders. What is accepted comes to €20,570.00. */
function sumsText(orders: readonly Order[]): string {
  const accepted = orders.filter(({ state }) => state === "accepted")
  const sums = sumsOf(accepted.map((order) => ({ currency: order.priced.currency, amount: amountNow(order) })))
  const all = `${formatCount(orders.length, "order")}. Closed means declined, withdrawn or ended.`
  return sums.length === 0 ? all : `${all} What is accepted comes to ${sumsInWords(sums)}.`
}

const TAKING =
  "Each product that a buyer’s agent finds comes with a link to its order form. You can also make a link and send it yourself."

const noOrders = (visit: OrganizationVisit, isOn: boolean) => (
  <Empty title="No orders yet" text={isOn ? TAKING : "No orders are taken. Switch “Take orders” on in Agent sales."}>
    {visit.person.isOperator && [
      <ButtonLink kind="primary" href={PRODUCTS} label="Make an order link" />,
      <ButtonLink kind="quiet" href={AGENT_SALES} label="Agent sales" />,
    ]}
  </Empty>
)

export const ordersRoutes = [forMember("GET", ORDERS, ordersPage), forMember("GET", `${ORDERS}.csv`, list.csv)]
