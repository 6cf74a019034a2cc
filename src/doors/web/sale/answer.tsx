import type { ComponentChildren } from "preact"
import { knownBuyers } from "../../../actions/campaigns/campaigns.ts"
import {
  type AnsweredOrder,
  acceptOrder,
  declineOrder,
  offerTerms,
  readOffer,
  type TypedBooking,
} from "../../../actions/sale/answer-order.ts"
import type { Company } from "../../../domain/campaign/buyer-choice.ts"
import type { TypedLine } from "../../../domain/campaign/line-fields.ts"
import { compare, minus } from "../../../domain/sale/money.ts"
import { amountOf } from "../../../domain/sale/order.ts"
import { typedQuantity } from "../../../domain/sale/read-order.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { Order } from "../../../storage/port/store.ts"
import { BuyerField, sellerOf } from "../campaigns/campaign-form.tsx"
import { currenciesOf, LineFields, lineErrors, lineValues, typedLine } from "../campaigns/line-form.tsx"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm, type SentForm } from "../form.ts"
import { RadioCards } from "../parts/form/choices.tsx"
import { Field, TextArea } from "../parts/form/fields.tsx"
import { Form, FormSection, Live } from "../parts/form/form.tsx"
import { formatDate, formatNumber } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { money, perUnit, sumText } from "../parts/terms.tsx"
import { done, goTo } from "../respond.ts"
import { forAdmin, withFound } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { movedBanner } from "./order.tsx"
import { tellRequester } from "./tell-requester.ts"
import { type FoundOrder, findOrder, ORDERS, ordersOf } from "./with-order.ts"

interface Answering {
  readonly visit: OrganizationVisit
  readonly found: FoundOrder
  /** Why the form is shown again. */
  readonly errors?: Errors
  readonly above?: ComponentChildren
}

/** A page with one of the answers to an order. */
function answerPage(
  { visit, found: { order, href }, above }: Answering,
  title: string,
  intro: string,
  form: ComponentChildren,
) {
  return headedPage(visit, {
    title,
    trail: [
      { href: ordersOf(visit), label: "Orders" },
      { href, label: order.product.name },
    ],
    intro,
    body: (
      <>
        {above}
        {form}
      </>
    ),
  })
}

/** Where to go after an answer, or the form again. */
async function afterAnswer(
  answering: Answering,
  answered: AnsweredOrder,
  said: string,
  again: (more: Answering) => Promise<Response>,
) {
  const { visit, found } = answering
  if (answered.outcome === "not found") return pageNotFound(visit)
  if (answered.outcome === "done") {
    tellRequester(visit, answered.order, "answered")
    return goTo(visit, found.href, done(said))
  }
  if (answered.outcome === "refused") return again({ ...answering, errors: answered.errors })
  return again({ ...answering, above: await movedBanner(visit, answered.order, found.href) })
}

const NEW = "new"
const CAMPAIGNS_OFFERED = 5

function typedBooking(form: SentForm, { product }: Order): TypedBooking {
  const { buyer, campaign, campaign_name: campaignName } = form.texts("buyer", "campaign", "campaign_name")
  return { buyer, campaignName: campaignName || product.name, campaign: campaign === NEW ? "" : campaign }
}

/** The organization that the key acts for, or one whose name is how the typed one begins, or the other way round. */
async function suggestedBuyer(
  { context: { store } }: OrganizationVisit,
  { agentKeyId, requester }: Order,
  known: readonly Company[],
) {
  const key = agentKeyId === null ? undefined : (await store.agentKeys.list()).find(({ id }) => id === agentKeyId)
  if (key?.buyer != null)
    return known.find(({ slug }) => slug === key.buyer) ?? { slug: key.buyer, name: key.buyerName ?? "" }
  const words = (name: string) =>
    `${name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()} `
  const typed = words(requester.organization)
  return known.find(({ name }) => typed.startsWith(words(name)) || words(name).startsWith(typed))
}

async function bookingOf(visit: OrganizationVisit, order: Order) {
  const buyers = await knownBuyers(visit.context, sellerOf(visit))
  const suggested = await suggestedBuyer(visit, order, buyers)
  const all = suggested === undefined ? [] : await visit.context.store.campaigns.list(visit.organization.id)
  const theirs = all.filter(({ buyer }) => buyer.slug === suggested?.slug).slice(0, CAMPAIGNS_OFFERED)
  const first: TypedBooking = {
    buyer: suggested?.name ?? order.requester.organization,
    campaign: order.booking?.campaign ?? "",
    campaignName: order.booking?.campaignName ?? order.product.name,
  }
  return { buyers, theirs, suggested, first }
}

type BookingProps = Readonly<{
  of: Awaited<ReturnType<typeof bookingOf>>
  order: Order
  typed: TypedBooking
  title: string
}>

function BookingFields({ of: { buyers, theirs, suggested }, order, typed, title }: BookingProps) {
  const because =
    suggested === undefined ? "A new name is added as a buyer." : "Suggested. Type another name to add a new buyer."
  return (
    <FormSection title={title} hint={`They typed “${order.requester.organization}”.`}>
      <BuyerField buyers={buyers} hint={because} />
      <RadioCards
        name="campaign"
        label="Campaign"
        value={typed.campaign === "" ? NEW : typed.campaign}
        choices={[
          ...theirs.map(({ slug, name }) => ({ value: slug, label: name, note: "One more line" })),
          { value: NEW, label: "New campaign", note: "With the dates of this line" },
        ]}
      />
      <div class="if-new">
        <Field name="campaign_name" label="Name of the new campaign" />
      </div>
    </FormSection>
  )
}

const bookingValues = ({ buyer, campaignName }: TypedBooking) => ({ buyer, campaignName })

function lineAsked({ product, priced, asked }: Order): TypedLine {
  const { basis, currency } = priced
  const terms = { name: product.name, flightStart: asked.from, flightEnd: asked.to, currency, externalId: "" }
  // What no line can be priced by is asked.
  if (basis === null) return { ...terms, pricingBasis: "", rate: "", booked: "" }
  const booked = asked.quantity === null ? "" : typedQuantity(asked.quantity)
  return { ...terms, pricingBasis: basis, rate: asked.price, booked }
}

interface Acceptance extends TypedBooking {
  readonly line: TypedLine
  readonly message: string
}

async function acceptForm(answering: Answering, tried?: Acceptance): Promise<Response> {
  const { visit, found, errors = {} } = answering
  const { order, href } = found
  const of = await bookingOf(visit, order)
  const typed = tried ?? { ...of.first, line: lineAsked(order), message: "" }
  const amount = money(amountOf(order.priced, order.asked), order.priced.currency)
  return answerPage(
    answering,
    "Accept order",
    `Filled in from the order, which comes to ${amount}. Check it, then accept.`,
    <Form
      action={`${href}/accept`}
      live
      submit={`Accept for ${amount}`}
      cancel={href}
      saveNote={`${order.requester.name} sees it on the order’s page at once. Changed terms are an offer, not an acceptance.`}
      values={{ ...lineValues(typed.line), ...bookingValues(typed), message: typed.message }}
      errors={errors}
    >
      <BookingFields of={of} order={order} typed={typed} title="Buyer and campaign" />
      <LineFields visit={visit} typed={typed.line} errors={errors} currencies={await currenciesOf(visit)} />
      <FormSection title="Answer">
        <TextArea name="message" label={`Message to ${order.requester.name}`} rows={2} prose />
      </FormSection>
    </Form>,
  )
}

async function accept(visit: OrganizationVisit, found: FoundOrder): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { ...typedBooking(form, found.order), line: typedLine(form), message: form.text("message") }
  const answering = { visit, found }
  if (form.has("look")) return acceptForm(answering, typed)
  const accepted = await acceptOrder(visit.context, sellerOf(visit), found, typed, visit.actor)
  const answered =
    accepted.outcome === "refused"
      ? { ...accepted, errors: { ...accepted.errors, ...lineErrors(accepted.lineErrors ?? {}) } }
      : accepted
  return afterAnswer(answering, answered, "Accepted. The line is booked.", (again) => acceptForm(again, typed))
}

interface Offer extends TypedBooking {
  readonly from: string
  readonly to: string
  readonly quantity: string
  readonly price: string
  readonly message: string
}

function offerText({ visit, found: { order } }: Answering, typed: Offer): string {
  const { terms, errors } = readOffer(order, typed, dayOf(visit.now, visit.organization.timeZone))
  if (Object.keys(errors).length > 0) return ""
  const { priced, asked } = order
  const [now, before] = [amountOf(priced, terms), amountOf(priced, asked)]
  const by = compare(now, before)
  const difference = money(
    by < 0 ? minus(before, now, priced.currency) : minus(now, before, priced.currency),
    priced.currency,
  )
  return `${sumText({ priced, terms })}${by === 0 ? "" : ` ${difference} ${by < 0 ? "less" : "more"} than asked.`}`
}

async function offerForm(answering: Answering, tried?: Offer): Promise<Response> {
  const { visit, found, errors = {} } = answering
  const { order, href } = found
  const { priced, asked } = order
  const of = await bookingOf(visit, order)
  const { from, to, quantity, price } = order.offered ?? asked
  const first = { from, to, price, quantity: quantity === null ? "" : typedQuantity(quantity) }
  const typed = tried ?? { ...of.first, ...first, message: order.offered === null ? "" : order.message }
  return answerPage(
    answering,
    "Offer other terms",
    `${order.requester.name} sees both versions. Accepting yours books the line.`,
    <Form
      action={`${href}/offer`}
      live
      submit="Send offer"
      cancel={href}
      saveNote={priced.basis === null ? "The line is booked at its amount, as a flat rate." : ""}
      values={{ ...typed, ...bookingValues(typed) }}
      errors={errors}
    >
      <FormSection title="Terms" hint={`Both days included, in ${visit.organization.timeZone}.`}>
        <div class="fields">
          <Field type="date" name="from" label="First day" required hint={`Asked: ${formatDate(asked.from)}`} />
          <Field type="date" name="to" label="Last day" required hint={`Asked: ${formatDate(asked.to)}`} />
        </div>
        <div class="fields">
          {priced.counted && (
            <Field
              name="quantity"
              label="Quantity"
              required
              inputmode="numeric"
              unit={priced.counted.unit}
              hint={`Asked: ${formatNumber(asked.quantity ?? 0)}`}
            />
          )}
          <Field
            name="price"
            label="Price"
            required
            inputmode="decimal"
            unit={`${priced.currency} ${perUnit(priced)}`}
            hint={`Asked: ${money(asked.price, priced.currency)}`}
          />
        </div>
        <p class="sum" role="status">
          <Live id="sum">{offerText(answering, typed)}</Live>
        </p>
      </FormSection>
      <BookingFields of={of} order={order} typed={typed} title="If they accept, the line goes into" />
      <FormSection title="Answer">
        <TextArea name="message" label={`Message to ${order.requester.name}`} rows={2} prose />
      </FormSection>
    </Form>,
  )
}

async function offer(visit: OrganizationVisit, found: FoundOrder): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { ...typedBooking(form, found.order), ...form.texts("from", "to", "quantity", "price", "message") }
  const answering = { visit, found }
  if (form.has("look")) return offerForm(answering, typed)
  const offered = await offerTerms(visit.context, sellerOf(visit), found, typed, visit.actor)
  return afterAnswer(answering, offered, "The offer was sent.", (again) => offerForm(again, typed))
}

async function declineForm(answering: Answering, message = ""): Promise<Response> {
  const { found, errors = {} } = answering
  const { requester } = found.order
  return answerPage(
    answering,
    "Decline order",
    `${requester.name} reads your reason on the order’s page.`,
    <section class="card narrow">
      <Form
        action={`${found.href}/decline`}
        submit="Decline order"
        danger
        cancel={found.href}
        values={{ message }}
        errors={errors}
      >
        <TextArea name="message" label="Reason" rows={3} prose required />
      </Form>
    </section>,
  )
}

async function decline(visit: OrganizationVisit, found: FoundOrder): Promise<Response> {
  const message = (await readForm(visit.request)).text("message")
  const declined = await declineOrder(visit.context, found.scope, found.order.id, message, visit.actor)
  return afterAnswer({ visit, found }, declined, "The order is declined.", (again) => declineForm(again, message))
}

const answerRoutesOf = (
  name: string,
  form: (answering: Answering) => Promise<Response>,
  send: (visit: OrganizationVisit, found: FoundOrder) => Promise<Response>,
) => [
  forAdmin(
    "GET",
    `${ORDERS}/:order/${name}`,
    withFound(findOrder, (visit, found) => form({ visit, found })),
  ),
  forAdmin("POST", `${ORDERS}/:order/${name}`, withFound(findOrder, send)),
]

export const answerRoutes = [
  ...answerRoutesOf("accept", acceptForm, accept),
  ...answerRoutesOf("offer", offerForm, offer),
  ...answerRoutesOf("decline", declineForm, decline),
]
