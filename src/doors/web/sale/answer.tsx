import { answerOrder, buyersOfOrder, type TypedAnswer } from "../../../actions/sale/answer-order.ts"
import { buyerCalled, type Company, isSameCompany } from "../../../domain/campaign/buyer-choice.ts"
import { summariesOf } from "../../../domain/campaign/campaign-summary.ts"
import type { TypedLine } from "../../../domain/campaign/line-fields.ts"
import { typedMoney } from "../../../domain/sale/money.ts"
import { amountOf } from "../../../domain/sale/order.ts"
import { cutText } from "../../../domain/text/short-text.ts"
import { writeNumber } from "../../../domain/text/typed-number.ts"
import type { Order } from "../../../storage/port/store.ts"
import { BuyerField, sellerOf } from "../campaigns/campaign-form.tsx"
import { lineSections, lineValues, typedLine } from "../campaigns/line-form.tsx"
import { readForm, type SentForm } from "../form.ts"
import { forAdmin, withFound } from "../guards.ts"
import { RadioCards } from "../parts/form/choices.tsx"
import { Field, Form, FormSection, TextArea } from "../parts/form/form.tsx"
import { ALL_YEARS, formatCount, formatFlight } from "../parts/format.tsx"
import { money } from "../parts/terms.tsx"
import { type AskedAgain, headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { afterAnswer } from "./order.tsx"
import { type FoundOrder, findOrder, ORDERS, ordersTrail } from "./with-order.ts"

const NEW = "new"
const CAMPAIGNS_OFFERED = 5
const NAME_CHARACTERS_MAX = 60

/** An acceptance and an offer are one form, that of a campaign filled in. */
const WORDS = {
  accept: {
    title: "Accept order",
    intro: (name: string) => `Filled in from the order. Check it, then accept: ${name} sees it at once.`,
    submit: (amount: string) => `Accept for ${amount}`,
    note: "Changed terms are an offer, not an acceptance.",
    where: "Buyer and campaign",
    said: "Accepted. The line is booked.",
  },
  offer: {
    title: "Offer other terms",
    intro: (name: string) => `Filled in from the order. ${name} sees both versions; accepting yours books the line.`,
    submit: () => "Send offer",
    note: "Nothing is booked until it is accepted.",
    where: "If they accept, the line goes into",
    said: "The offer was sent.",
  },
}
type OrderAnswer = keyof typeof WORDS

/** Who buys, as the order says it: what was typed, and for whom the key acts. Only where both are the same company is it filled in. */
function saidBuyers(ofKey: string | null, typed: string) {
  if (ofKey === null) return { suggested: typed, hint: `They typed “${typed}”.` }
  if (isSameCompany(ofKey, typed))
    return { suggested: ofKey, hint: `They typed “${typed}”, and the order came by the key of ${ofKey}.` }
  return {
    suggested: "",
    hint: `They typed “${typed}”, but the order came by the key of ${ofKey}. Enter which of them buys: its people will see the figures.`,
  }
}

/** The form filled in: with the last offer, or with what was asked. What no line can be priced on is asked. */
function firstAnswer({ product, priced, asked, offered, booking, message, requester }: Order, buyer: string) {
  const { from, to, quantity, price } = offered ?? asked
  const isUnpriced = priced.basis === null && offered === null
  // Told apart from other orders of the same product, by the same buyer too.
  const days = formatFlight(asked.from, asked.to, ALL_YEARS).replaceAll(/\s/g, " ")
  const name = `${cutText(product.name, NAME_CHARACTERS_MAX)}, ${days}`
  const line: TypedLine = {
    name: booking?.line.name ?? name,
    pricingBasis: booking?.line.pricingBasis ?? priced.basis ?? "",
    rate: typedMoney(isUnpriced ? amountOf(priced, asked) : price),
    currency: priced.currency,
    booked: quantity === null || isUnpriced ? "" : writeNumber(quantity),
    flightStart: from,
    flightEnd: to,
    externalId: "",
  }
  return {
    buyer: booking?.buyerName ?? buyer,
    newBuyer: "",
    campaign: booking?.campaign ?? "",
    campaignName: booking?.campaignName ?? `${cutText(requester.organization, NAME_CHARACTERS_MAX)}: ${name}`,
    message: offered === null ? "" : message,
    line,
  }
}

function readAnswer(form: SentForm, { product }: Order): TypedAnswer {
  const { buyer, campaign, campaign_name: name, message } = form.texts("buyer", "campaign", "campaign_name", "message")
  const where = { buyer, campaign: campaign === NEW ? "" : campaign, campaignName: name || product.name }
  return { ...where, newBuyer: form.text("new_buyer"), message, line: typedLine(form) }
}

async function answerPage(
  visit: OrganizationVisit,
  kind: OrderAnswer,
  { order, href }: FoundOrder,
  again?: TypedAnswer,
  { errors = {}, instead }: AskedAgain = {},
): Promise<Response> {
  const { requester, priced, asked, product } = order
  const { buyers, ofKey } = await buyersOfOrder(visit.context, sellerOf(visit), order)
  const { suggested, hint } = saidBuyers(ofKey?.name ?? null, requester.organization)
  const typed = again ?? firstAnswer(order, suggested)
  const campaigns = await campaignsFor(visit, buyerCalled(typed.buyer, buyers))
  const words = WORDS[kind]
  return headedPage(visit, {
    title: words.title,
    trail: [...ordersTrail(visit), { href, label: product.name }],
    intro: words.intro(requester.name),
    body: (
      <Form
        action={`${href}/${kind}`}
        cancel={href}
        values={{ ...lineValues(typed.line), ...typed }}
        errors={errors}
        instead={instead}
        live
        submit={words.submit(money(amountOf(priced, asked), priced.currency))}
        saveNote={words.note}
      >
        <FormSection title={words.where} hint={hint}>
          <BuyerField {...{ buyers, typed, errors }} hint="A new name is added as a buyer." />
          <RadioCards name="campaign" label="Campaign" value={typed.campaign || NEW} choices={campaigns} />
          <div class="if-new">
            <Field name="campaign_name" label="Name of the new campaign" />
          </div>
        </FormSection>
        {await lineSections(visit, typed.line, errors)}
        <FormSection title="Answer">
          <TextArea name="message" label={`Message to ${requester.name}`} rows={2} prose />
        </FormSection>
      </Form>
    ),
  })
}

/** A few of the buyer's with their dates, and a new one. */
async function campaignsFor(visit: OrganizationVisit, buyer: Company | undefined) {
  const { context, organization, now } = visit
  const all = buyer === undefined ? [] : await context.store.campaigns.list(organization.id)
  const theirs = all.filter((campaign) => campaign.buyer.slug === buyer?.slug).slice(0, CAMPAIGNS_OFFERED)
  const lines = theirs.length === 0 ? [] : await context.store.campaigns.listedLines(organization.id)
  const summary = summariesOf(lines, now)
  const choices = theirs.map(({ id, slug, name }) => {
    const { from, to, lines: count } = summary(id)
    const dates = from === null ? "No lines yet" : `${formatFlight(from, to, ALL_YEARS)}, ${formatCount(count, "line")}`
    return { value: slug, label: name, note: dates }
  })
  return [...choices, { value: NEW, label: "New campaign", note: "With the dates of this line" }]
}

async function sendAnswer(visit: OrganizationVisit, kind: OrderAnswer, found: FoundOrder): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = readAnswer(form, found.order)
  if (form.has("look")) return answerPage(visit, kind, found, typed)
  const answered = await answerOrder(visit.context, sellerOf(visit), found, [kind, typed], visit.actor)
  const again = (refused: AskedAgain) => answerPage(visit, kind, found, typed, refused)
  return afterAnswer(visit, answered, again, WORDS[kind].said)
}

export const answerRoutes = (["accept", "offer"] as const).flatMap((kind) => {
  const show = withFound(findOrder, (visit: OrganizationVisit, found) => answerPage(visit, kind, found))
  const send = withFound(findOrder, (visit: OrganizationVisit, found) => sendAnswer(visit, kind, found))
  const path = `${ORDERS}/:order/${kind}`
  return [forAdmin("GET", path, show), forAdmin("POST", path, send)]
})
