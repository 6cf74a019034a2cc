import { withdrawOrder } from "../../../actions/sale/orders.ts"
import { hashToken } from "../../../domain/people/session.ts"
import { expiryOf, stateAt } from "../../../domain/sale/order.ts"
import { dayOf, type TimeZone } from "../../../domain/time/time-zone.ts"
import { lineById, type StoredLine } from "../../../storage/campaigns/lines.ts"
import { organizationById } from "../../../storage/organizations.ts"
import { type Order, orderByCode } from "../../../storage/sales.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import { page } from "../../page.tsx"
import { AskLink, Banner, Card, Facts, PrintButton } from "../../parts/blocks.tsx"
import { formatDate, formatNumber, formatTime } from "../../parts/format.tsx"
import { LineBadge } from "../../parts/line.tsx"
import { LinkGone, type Visit } from "../../visit.ts"
import { OrderBadge, termsFacts } from "./order-facts.tsx"

interface OwnOrder {
  readonly order: Order
  readonly seller: string
  /** The seller's. If the product has no seller: the visitor's, or UTC for a visitor who isn't signed in. */
  readonly timeZone: TimeZone
  /** Its line, once it was accepted. */
  readonly line: StoredLine | null
}

/** The order behind the link and the code in the path. Only the buyer has both. */
async function findOwn({ read, params, timeZone }: Visit): Promise<OwnOrder> {
  const order = await orderByCode(read, hashToken(params["token"] ?? ""), hashToken(params["code"] ?? ""))
  if (order === null) throw new LinkGone()
  const { sellerId, packageId } = order
  const seller = sellerId === null ? null : await organizationById(read, sellerId)
  const line = sellerId === null || packageId === null ? null : await lineById(read, sellerId, packageId)
  return { order, seller: seller?.name ?? "The seller", timeZone: seller?.timeZone ?? timeZone, line }
}

/** The order's own page: what was asked, the answer, and what is delivered. */
export async function ownOrderPage(opened: Visit): Promise<Response> {
  const { order, seller, timeZone, line } = await findOwn(opened)
  const visit = { ...opened, timeZone }
  const state = stateAt(order, visit.now)
  return page(visit, {
    title: `Order: ${order.product.name}`,
    sheet: { seller, logo: null, heading: order.product.name, buttons: <PrintButton /> },
    badge: <OrderBadge state={state} isBuyer />,
    intro: nextStep(order, seller, visit),
    actions: state === "asked" && (
      <AskLink href={`${visit.url.pathname}/withdraw`} label="Withdraw" about="Withdraw the order" />
    ),
    hasTimes: true,
    body: (
      <>
        {line !== null && deliveryCard(visit, line)}
        <Card title="What you asked for">
          <Facts facts={termsFacts(order.terms)} />
        </Card>
        <p class="hint">Keep the address of this page, because it’s the only way back to your order.</p>
      </>
    ),
  })
}

function nextStep(order: Order, seller: string, visit: Visit): string {
  const state = stateAt(order, visit.now)
  const expires = formatDate(dayOf(expiryOf(order), visit.timeZone))
  if (state === "asked")
    return `${seller} will accept or decline. The answer appears here. Without one, it expires on ${expires}.`
  if (state === "accepted")
    return `${seller} accepted ${formatTime(order.movedAt, visit)}. You’ll be billed by invoice.`
  if (state === "declined") return `${seller} declined: “${order.message}”`
  return state === "withdrawn"
    ? "You withdrew this order. Nothing is booked."
    : "The seller didn’t answer in time. Nothing is booked."
}

function deliveryCard(visit: Visit, line: StoredLine) {
  const { total, booked, pricingBasis } = line
  return (
    <Card title="Delivered so far" actions={<LineBadge line={line} />}>
      {total === null ? (
        <Banner tone="info">Nothing has been reported yet.</Banner>
      ) : (
        <Facts
          facts={[
            {
              term: "Delivered",
              value: pricingBasis === "flat_rate" ? "Yes" : formatNumber(total.quantity),
              note: booked === null ? undefined : `of ${formatNumber(booked)} booked`,
            },
            { term: "Measured", value: formatTime(total.asOf, visit) },
          ]}
        />
      )}
    </Card>
  )
}

export const withdrawOrderForm = askFirst({
  find: findOwn,
  ask: (visit, { order, seller }) => ({
    title: `Withdraw your order for ${order.product.name}?`,
    text: `Nothing will be booked, and ${seller} can’t accept it later.`,
    submit: "Withdraw order",
    cancel: ownAddress(visit),
  }),
  async act(visit) {
    const { context, params } = visit
    const isWithdrawn = await withdrawOrder(context, hashToken(params["token"] ?? ""), hashToken(params["code"] ?? ""))
    if (isWithdrawn === null) throw new LinkGone()
    if (!isWithdrawn) return { errors: { "": "The seller has answered meanwhile. Go back to see the answer." } }
    return goTo(visit, ownAddress(visit))
  },
})

const ownAddress = ({ params }: Visit) => `/order/${params["token"]}/${params["code"]}`
