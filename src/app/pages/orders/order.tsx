import { acceptOrder, declineOrder, knownBuyerOf } from "../../../actions/sale/orders.ts"
import { type Company, similarTo } from "../../../domain/campaign/campaign.ts"
import { expiryOf, stateAt } from "../../../domain/sale/order.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { type Campaign, campaignsOf } from "../../../storage/campaigns/campaigns.ts"
import { lineById } from "../../../storage/campaigns/lines.ts"
import { type Order, orderById } from "../../../storage/sales.ts"
import { knownBuyers, lineAddress, sellerOf } from "../../find.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import { confirmationsIn, type FormOf } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { Banner, ButtonLink, Card, type Fact, Facts } from "../../parts/blocks.tsx"
import { BuyerField, NEW_BUYER, Radios, Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, FormSection } from "../../parts/form.tsx"
import { formatDate, formatTime, listInWords } from "../../parts/format.tsx"
import { BASES } from "../../parts/line.tsx"
import { type MemberVisit, orNotFound } from "../../visit.ts"
import { amountInWords, OrderBadge, termsFacts } from "./order-facts.tsx"
import { orderAddress, ordersAddress, readerOf } from "./orders.tsx"

/** The order in the path. */
async function findOrder(visit: MemberVisit): Promise<Order> {
  return orNotFound(await orderById(visit.read, readerOf(visit), visit.params["order"] ?? ""))
}

const orderTrail = (visit: MemberVisit) => [{ href: ordersAddress(visit), label: "Orders" }]

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
      state === "asked"
        ? `Asked ${formatTime(order.askedAt, visit)}. Without an answer, it expires on ${expires}.`
        : undefined,
    hasTimes: true,
    actions: isOpen && (
      <>
        <ButtonLink href={`${address}/decline`} label="Decline" kind="quiet danger" isAsked />
        <ButtonLink href={`${address}/accept`} label="Accept" kind="primary" />
      </>
    ),
    body: (
      <>
        {await outcomeOf(visit, order)}
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

function requesterFacts({ requester }: Order): (Fact | false)[] {
  const { name, email, organization, creative } = requester
  return [
    { term: "Organization, as typed", value: organization },
    { term: "Person", value: name, note: <a href={`mailto:${email}`}>{email}</a> },
    creative !== "" && {
      term: "Creative",
      value: (
        <a href={creative} rel="noreferrer nofollow">
          {creative}
        </a>
      ),
    },
  ]
}

/** What became of the order. An accepted one leads to its line, if this organization sells it. */
async function outcomeOf(visit: MemberVisit, { state, packageId, message, movedAt }: Order) {
  const at = formatTime(movedAt, visit)
  const line = packageId === null ? null : await lineById(visit.read, visit.organization.id, packageId)
  if (state === "accepted") {
    return (
      <Banner tone="good">
        Accepted {at}. {line !== null && <a href={lineAddress(visit, line.campaign, line)}>Open the line</a>}
      </Banner>
    )
  }
  if (state === "asked") return null
  const outcome = state === "declined" ? `Declined ${at}: “${message}”` : `The buyer withdrew this order ${at}.`
  return <Banner tone="info">{outcome}</Banner>
}

export const declineForm = askFirst({
  find: findOrder,
  ask: (visit, order) => ({
    title: `Decline ${order.product.name}?`,
    text: `${order.requester.name} sees your reason on the order’s page.`,
    submit: "Decline",
    cancel: orderAddress(visit, order),
    reason: "For example, what to order instead.",
  }),
  async act(visit, order, reason) {
    const { context, actor } = visit
    const declined = orNotFound(await declineOrder(context, actor, readerOf(visit), order.id, reason))
    if ("errors" in declined) return declined
    return goTo(visit, orderAddress(visit, order), "The order is declined.")
  },
})

interface AcceptedOrder {
  readonly order: Order
  /** The buyer, if the key acts for the organization that was typed. Nothing else may choose a buyer. */
  readonly buyer: Company | null
  readonly buyers: readonly Company[]
  readonly campaigns: readonly Campaign[]
}

export const acceptForm: FormOf<MemberVisit, AcceptedOrder> = {
  async find(visit) {
    const { read, organization } = visit
    const order = await findOrder(visit)
    return {
      order,
      buyer: await knownBuyerOf(read, order),
      buyers: await knownBuyers(visit),
      campaigns: (await campaignsOf(read, organization.id)).filter(({ buyerId }) => buyerId !== organization.id),
    }
  },
  begin: (_, { order, buyer }) => ({
    texts: { buyer: buyer?.name ?? "", campaignName: order.product.name, lineName: order.product.name },
  }),
  view(visit, target) {
    const { order, campaigns } = target
    return {
      title: `Accept ${order.product.name}`,
      trail: [...orderTrail(visit), { href: orderAddress(visit, order), label: order.product.name }],
      body: (
        <Form
          submit={`Accept for ${amountInWords(order.terms)}`}
          cancel={orderAddress(visit, order)}
          note={`Creates one line. ${order.requester.name} sees your answer on the order’s page.`}
          isLong
        >
          <FormSection
            title="Terms"
            hint="These are the terms that the buyer asked for. To sell on other terms, decline and say which terms to ask for."
          >
            <Facts facts={termsFacts(order.terms)} />
          </FormSection>
          <FormSection title="Where it goes">
            <OrderBuyer {...target} />
            {campaigns.length > 0 && <Select name="campaign" label="Campaign" choices={campaignChoices(campaigns)} />}
            <Field
              name="campaignName"
              label="Name of the new campaign"
              hint="Only if you choose a new one."
              maxlength={200}
            />
            <Field name="lineName" label="Name of the line" maxlength={200} required />
          </FormSection>
          {order.terms.price.basis === null && <OpenTerms />}
        </Form>
      ),
    }
  },
  async save(visit, { order }, texts) {
    const { context, actor } = visit
    const accepted = orNotFound(
      await acceptOrder(context, actor, sellerOf(visit), order.id, texts, confirmationsIn(texts)),
    )
    if ("errors" in accepted || "questions" in accepted) return accepted
    return goTo(visit, orderAddress(visit, order), "The order is accepted, and its line is created.")
  },
}

function OrderBuyer({ order, buyers }: AcceptedOrder) {
  const typed = `They typed “${order.requester.organization}”.`
  const similar = similarTo(order.requester.organization, buyers).map(({ name }) => name)
  const hint = similar.length === 0 ? typed : `${typed} You already have ${listInWords(similar)}.`
  return <BuyerField buyers={buyers} hint={hint} confirm={NEW_BUYER} />
}

const campaignChoices = (campaigns: readonly Campaign[]) => [
  { value: "", label: "A new campaign" },
  ...campaigns.map(({ slug, name, buyer }) => ({ value: slug, label: `${name} (${buyer})` })),
]

/** The pricing model of the product fits no line, so the seller says what the line is priced on. */
const OpenTerms = () => (
  <FormSection
    title="Price of the line"
    hint="Lines can’t use this product’s pricing model, so choose what the line is priced on."
  >
    <Radios
      name="pricingBasis"
      label="Priced on"
      choices={Object.entries(BASES).map(([value, { label }]) => ({ value, label }))}
    />
    <Field name="booked" label="Booked" inputmode="numeric" hint="Leave empty for a flat rate." />
    <Field name="rate" label="Rate" inputmode="decimal" hint="Per 1,000, or the flat rate." required />
  </FormSection>
)
