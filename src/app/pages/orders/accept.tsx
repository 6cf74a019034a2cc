import { acceptOrder } from "../../../actions/sale/answer-order.ts"
import { knownBuyerOf } from "../../../actions/sale/place-order.ts"
import { type Company, similarTo } from "../../../domain/campaign/campaign.ts"
import { type Campaign, campaignsOf } from "../../../storage/campaigns/campaigns.ts"
import type { Order } from "../../../storage/sales.ts"
import { knownBuyers, sellerOf } from "../../find.ts"
import { goTo } from "../../flash.ts"
import { confirmationsIn, type FormOf } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { Facts } from "../../parts/blocks.tsx"
import { BuyerField, NEW_BUYER, Radios, Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, FormSection } from "../../parts/form.tsx"
import { listInWords } from "../../parts/format.tsx"
import { BASES } from "../../parts/line.tsx"
import { type MemberVisit, NotFound } from "../../visit.ts"
import { findOrder, orderTrail } from "./order.tsx"
import { amountInWords, termsFacts } from "./order-facts.tsx"
import { orderAddress } from "./orders.tsx"

interface AcceptedOrder {
  readonly order: Order
  /** The buyer, if the key acts for the organization that was typed. Nothing else may choose a buyer. */
  readonly buyer: Company | null
  readonly buyers: readonly Company[]
  readonly campaigns: readonly Campaign[]
}

export const acceptForm: FormOf<MemberVisit, AcceptedOrder> = {
  async find(visit) {
    const { context, organization } = visit
    const { read } = context.database
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
  view(visit, target, form) {
    const { order } = target
    return page(visit, {
      title: `Accept ${order.product.name}`,
      trail: [...orderTrail(visit), { href: orderAddress(visit, order), label: order.product.name }],
      form,
      body: (
        <Form
          action={`${orderAddress(visit, order)}/accept`}
          submit={`Accept for ${amountInWords(order.terms)}`}
          cancel={orderAddress(visit, order)}
          note={`Creates one line and tells ${order.requester.name}.`}
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
            <CampaignFields campaigns={target.campaigns} />
            <Field name="lineName" label="Name of the line" maxlength={200} required />
          </FormSection>
          {order.terms.price.basis === null && <OpenTerms />}
        </Form>
      ),
    })
  },
  async save(visit, { order }, texts) {
    const { context, actor } = visit
    const accepted = await acceptOrder(context, actor, sellerOf(visit), order.id, texts, confirmationsIn(texts))
    if (accepted === "not found") throw new NotFound()
    if ("errors" in accepted || "questions" in accepted) return accepted
    return goTo(visit, orderAddress(visit, order), "The order is accepted, and its line is created.")
  },
}

function OrderBuyer({ order, buyers }: AcceptedOrder) {
  const typed = `They typed “${order.requester.organization}”.`
  const similar = similarTo(order.requester.organization, buyers).map(({ name }) => name)
  const hint = similar.length === 0 ? typed : `${typed} You know ${listInWords(similar)}.`
  return <BuyerField buyers={buyers} hint={hint} confirm={NEW_BUYER} />
}

const CampaignFields = ({ campaigns }: Pick<AcceptedOrder, "campaigns">) => (
  <>
    {campaigns.length > 0 && (
      <Select
        name="campaign"
        label="Campaign"
        choices={[
          { value: "", label: "A new campaign" },
          ...campaigns.map(({ slug, name, buyer }) => ({ value: slug, label: `${name} (${buyer})` })),
        ]}
      />
    )}
    <Field name="campaignName" label="Name of the new campaign" hint="Only if you choose a new one." maxlength={200} />
  </>
)

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
