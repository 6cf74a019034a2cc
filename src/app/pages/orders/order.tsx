import { declineOrder } from "../../../actions/sale/answer-order.ts"
import { expiryOf, stateAt } from "../../../domain/sale/order.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { lineById } from "../../../storage/campaigns/lines.ts"
import { type Order, orderById } from "../../../storage/sales.ts"
import { lineAddress } from "../../find.ts"
import { goTo } from "../../flash.ts"
import type { FormOf } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { Banner, ButtonLink, Card, type Fact, Facts } from "../../parts/blocks.tsx"
import { TextArea } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { formatDate, formatTime } from "../../parts/format.tsx"
import { type MemberVisit, NotFound } from "../../visit.ts"
import { OrderBadge, termsFacts } from "./order-facts.tsx"
import { askedInWords, orderAddress, ordersAddress, readerOf } from "./orders.tsx"

/** The order in the path. */
export async function findOrder(visit: MemberVisit): Promise<Order> {
  const order = await orderById(visit.context.database.read, readerOf(visit), visit.params["order"] ?? "")
  if (order === null) throw new NotFound()
  return order
}

export const orderTrail = (visit: MemberVisit) => [{ href: ordersAddress(visit), label: "Orders" }]

export async function orderPage(visit: MemberVisit): Promise<Response> {
  const order = await findOrder(visit)
  const state = stateAt(order, visit.now)
  const isOpen = state === "asked" && visit.role === "admin"
  const address = orderAddress(visit, order)
  const expires = formatDate(dayOf(expiryOf(order), visit.timeZone))
  const { requester, terms } = order
  return page(visit, {
    title: order.product.name,
    trail: orderTrail(visit),
    badge: <OrderBadge state={state} />,
    intro:
      state === "asked" ? `${askedInWords(order, visit)}. Without an answer, it expires on ${expires}.` : undefined,
    hasTimes: true,
    actions: isOpen && (
      <>
        <ButtonLink href={`${address}/decline`} label="Decline" kind="quiet danger" />
        <ButtonLink href={`${address}/accept`} label="Accept" kind="primary" />
      </>
    ),
    body: (
      <>
        <Outcome visit={visit} order={order} line={await lineLink(visit, order)} />
        <div class="cols">
          <Card title="What they want">
            <Facts facts={termsFacts(terms)} />
            {requester.note !== "" && <p class="prose">“{requester.note}”</p>}
          </Card>
          <Card title="Who asks">
            <Facts facts={requesterFacts(order)} />
          </Card>
        </div>
      </>
    ),
  })
}

function requesterFacts({ requester }: Order): Fact[] {
  const { name, email, organization, creative } = requester
  return [
    { term: "Organization, as typed", value: organization },
    { term: "Person", value: name, note: <a href={`mailto:${email}`}>{email}</a> },
    ...(creative === ""
      ? []
      : [
          {
            term: "Creative",
            value: (
              <a href={creative} rel="noreferrer nofollow">
                {creative}
              </a>
            ),
          },
        ]),
  ]
}

/** The line of an accepted order, if this organization sells it. */
async function lineLink(visit: MemberVisit, { packageId }: Order): Promise<string | null> {
  if (packageId === null) return null
  const line = await lineById(visit.context.database.read, visit.organization.id, packageId)
  return line === null ? null : lineAddress(visit, line.campaign, line)
}

interface OutcomeProps {
  readonly visit: MemberVisit
  readonly order: Order
  readonly line: string | null
}

function Outcome({ visit, order, line }: OutcomeProps) {
  const at = formatTime(order.movedAt, visit)
  if (order.state === "accepted") {
    return (
      <Banner tone="good">
        Accepted {at}. {line !== null && <a href={line}>Open the line</a>}
      </Banner>
    )
  }
  if (order.state === "declined") {
    return (
      <Banner tone="info">
        Declined {at}: “{order.message}”
      </Banner>
    )
  }
  return order.state === "withdrawn" ? <Banner tone="info">The buyer withdrew this order {at}.</Banner> : null
}

export const declineForm: FormOf<MemberVisit, Order> = {
  find: findOrder,
  begin: () => ({ texts: {} }),
  view: (visit, order, form) =>
    page(visit, {
      title: `Decline ${order.product.name}?`,
      intro: `${order.requester.name} sees your answer on the order’s page.`,
      isCard: true,
      form,
      body: (
        <Form action={visit.url.pathname} submit="Decline" cancel={orderAddress(visit, order)} isDanger>
          <TextArea
            name="message"
            label="Your answer"
            hint="For example, what to order instead."
            maxlength={500}
            required
          />
        </Form>
      ),
    }),
  async save(visit, { id }, { message = "" }) {
    const declined = await declineOrder(visit.context, visit.actor, readerOf(visit), id, message)
    if (declined === "not found") throw new NotFound()
    if ("errors" in declined) return declined
    return goTo(visit, orderAddress(visit, { id }), "The order is declined.")
  },
}
