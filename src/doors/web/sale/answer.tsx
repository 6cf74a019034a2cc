import type { ComponentChildren } from "preact"
import { knownBuyers } from "../../../actions/campaigns/campaigns.ts"
import {
  type AnsweredOrder,
  acceptOrder,
  declineOrder,
  offerTerms,
  readOffer,
  type TypedAcceptance,
  type TypedBooking,
  type TypedOffer,
} from "../../../actions/sale/answer-order.ts"
import type { Company } from "../../../domain/campaign/buyer-choice.ts"
import type { TypedLine } from "../../../domain/campaign/line-fields.ts"
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
import { Form, type FormProps, FormSection, Live } from "../parts/form/form.tsx"
import { formatDate, formatNumber } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { money, moneyDifference, perUnit, SAME, sumText } from "../parts/terms.tsx"
import { done, goTo } from "../respond.ts"
import { forAdmin, withFound } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { movedBanner } from "./order.tsx"
import { tellRequester } from "./tell-requester.ts"
import { type FoundOrder, findOrder, ORDERS, ordersOf } from "./with-order.ts"

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
    `${
      name
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(" ") ?? ""
    } `
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

async function bookingFields(visit: OrganizationVisit, order: Order, typed: TypedBooking, title: string) {
  const { buyers, theirs, suggested } = await bookingOf(visit, order)
  const because =
    suggested === undefined ? "A new name is added as a buyer." : "Suggested. Type another name to add a new buyer."
  const choices = [
    ...theirs.map(({ slug, name }) => ({ value: slug, label: name, note: "One more line" })),
    { value: NEW, label: "New campaign", note: "With the dates of this line" },
  ]
  return (
    <FormSection title={title} hint={`They typed “${order.requester.organization}”.`}>
      <BuyerField buyers={buyers} hint={because} />
      <RadioCards name="campaign" label="Campaign" value={typed.campaign || NEW} choices={choices} />
      <div class="if-new">
        <Field name="campaign_name" label="Name of the new campaign" />
      </div>
    </FormSection>
  )
}

function lineAsked({ product, priced, asked }: Order): TypedLine {
  const { basis, currency } = priced
  const terms = { name: product.name, flightStart: asked.from, flightEnd: asked.to, currency, externalId: "" }
  // What no line can be priced by is asked.
  if (basis === null) return { ...terms, pricingBasis: "", rate: "", booked: "" }
  const booked = asked.quantity === null ? "" : typedQuantity(asked.quantity)
  return { ...terms, pricingBasis: basis, rate: asked.price, booked }
}

/** One of the answers to an order: its form, and what sending it does. */
interface Answer<Typed> {
  readonly name: string
  readonly title: string
  readonly said: string
  words(order: Order): Pick<FormProps, "submit" | "danger" | "live" | "saveNote"> & { readonly intro: string }
  first(visit: OrganizationVisit, order: Order): Promise<Typed>
  read(form: SentForm, order: Order): Typed
  values(typed: Typed): object
  fields(visit: OrganizationVisit, order: Order, typed: Typed, errors: Errors): Promise<ComponentChildren>
  send(visit: OrganizationVisit, found: FoundOrder, typed: Typed): Promise<AnsweredOrder>
}

const Message = ({ to }: { readonly to: string }) => (
  <FormSection title="Answer">
    <TextArea name="message" label={`Message to ${to}`} rows={2} prose />
  </FormSection>
)

const askedFor = ({ priced, asked }: Order) => money(amountOf(priced, asked), priced.currency)

const ACCEPT: Answer<TypedAcceptance> = {
  name: "accept",
  title: "Accept order",
  said: "Accepted. The line is booked.",
  words: (order) => ({
    intro: `Filled in from the order, which comes to ${askedFor(order)}. Check it, then accept.`,
    live: true,
    submit: `Accept for ${askedFor(order)}`,
    saveNote: `${order.requester.name} sees it on the order’s page at once. Changed terms are an offer, not an acceptance.`,
  }),
  first: async (visit, order) => ({
    ...(await bookingOf(visit, order)).first,
    ...{ line: lineAsked(order), message: "" },
  }),
  read: (form, order) => ({ ...typedBooking(form, order), line: typedLine(form), message: form.text("message") }),
  values: ({ line, ...typed }) => ({ ...lineValues(line), ...typed }),
  async fields(visit, order, typed, errors) {
    return (
      <>
        {await bookingFields(visit, order, typed, "Buyer and campaign")}
        <LineFields visit={visit} typed={typed.line} errors={errors} currencies={await currenciesOf(visit)} />
        <Message to={order.requester.name} />
      </>
    )
  },
  async send(visit, found, typed) {
    const accepted = await acceptOrder(visit.context, sellerOf(visit), found, typed, visit.actor)
    if (accepted.outcome !== "refused") return accepted
    return { ...accepted, errors: { ...accepted.errors, ...lineErrors(accepted.lineErrors ?? {}) } }
  },
}

function offerText({ now, organization }: OrganizationVisit, order: Order, typed: TypedOffer): string {
  const { terms, errors } = readOffer(order, typed, dayOf(now, organization.timeZone))
  if (Object.keys(errors).length > 0) return ""
  const { priced, asked } = order
  const difference = moneyDifference(amountOf(priced, asked), amountOf(priced, terms), priced.currency)
  return `${sumText({ priced, terms })}${difference === SAME ? "" : ` ${difference} than asked.`}`
}

const OFFER: Answer<TypedOffer> = {
  name: "offer",
  title: "Offer other terms",
  said: "The offer was sent.",
  words: ({ requester, priced }) => ({
    intro: `${requester.name} sees both versions. Accepting yours books the line.`,
    live: true,
    submit: "Send offer",
    saveNote: priced.basis === null ? "The line is booked at its amount, as a flat rate." : "",
  }),
  async first(visit, order) {
    const { offered, asked, message } = order
    const { first: booking } = await bookingOf(visit, order)
    const { from, to, quantity, price } = offered ?? asked
    const terms = { from, to, price, quantity: quantity === null ? "" : typedQuantity(quantity) }
    return { ...booking, ...terms, message: offered === null ? "" : message }
  },
  read: (form, order) => ({
    ...typedBooking(form, order),
    ...form.texts("from", "to", "quantity", "price", "message"),
  }),
  values: (typed) => typed,
  async fields(visit, order, typed) {
    const { counted, currency } = order.priced
    const { from, to, quantity, price } = order.asked
    const unit = `${currency} ${perUnit(order.priced)}`
    return (
      <>
        <FormSection title="Terms" hint={`Both days included, in ${visit.organization.timeZone}.`}>
          <div class="fields">
            <Field type="date" name="from" label="First day" required hint={`Asked: ${formatDate(from)}`} />
            <Field type="date" name="to" label="Last day" required hint={`Asked: ${formatDate(to)}`} />
          </div>
          <div class="fields">
            {counted && (
              <Field
                {...{ name: "quantity", label: "Quantity", required: true, inputmode: "numeric", unit: counted.unit }}
                hint={`Asked: ${formatNumber(quantity ?? 0)}`}
              />
            )}
            <Field
              {...{ name: "price", label: "Price", required: true, inputmode: "decimal", unit }}
              hint={`Asked: ${money(price, currency)}`}
            />
          </div>
          <p class="sum" role="status">
            <Live id="sum">{offerText(visit, order, typed)}</Live>
          </p>
        </FormSection>
        {await bookingFields(visit, order, typed, "If they accept, the line goes into")}
        <Message to={order.requester.name} />
      </>
    )
  },
  send: (visit, found, typed) => offerTerms(visit.context, sellerOf(visit), found, typed, visit.actor),
}

const DECLINE: Answer<{ readonly message: string }> = {
  name: "decline",
  title: "Decline order",
  said: "The order is declined.",
  words: ({ requester }) => ({
    intro: `${requester.name} reads your reason on the order’s page.`,
    submit: "Decline order",
    danger: true,
  }),
  first: async () => ({ message: "" }),
  read: (form) => form.texts("message"),
  values: (typed) => typed,
  fields: async () => <TextArea name="message" label="Reason" rows={3} prose required />,
  send: ({ context, actor }, { scope, order }, { message }) => declineOrder(context, scope, order.id, message, actor),
}

function routesOf<Typed>(answer: Answer<Typed>) {
  const path = `${ORDERS}/:order/${answer.name}`
  type Again = Readonly<{ typed?: Typed; errors?: Errors; above?: ComponentChildren }>
  async function show(visit: OrganizationVisit, { order, href }: FoundOrder, { errors = {}, above, ...again }: Again) {
    const typed = again.typed ?? (await answer.first(visit, order))
    const { intro, ...words } = answer.words(order)
    const sent = { action: `${href}/${answer.name}`, cancel: href, values: answer.values(typed), errors, ...words }
    const form = <Form {...sent}>{await answer.fields(visit, order, typed, errors)}</Form>
    return headedPage(visit, {
      title: answer.title,
      trail: [
        { href: ordersOf(visit), label: "Orders" },
        { href, label: order.product.name },
      ],
      intro,
      body: (
        <>
          {above}
          {words.live ? form : <section class="card narrow">{form}</section>}
        </>
      ),
    })
  }
  async function send(visit: OrganizationVisit, found: FoundOrder): Promise<Response> {
    const form = await readForm(visit.request)
    const typed = answer.read(form, found.order)
    if (form.has("look")) return show(visit, found, { typed })
    const answered = await answer.send(visit, found, typed)
    if (answered.outcome === "not found") return pageNotFound(visit)
    if (answered.outcome === "refused") return show(visit, found, { typed, errors: answered.errors })
    if (answered.outcome === "moved")
      return show(visit, found, { typed, above: await movedBanner(visit, answered.order, found.href) })
    tellRequester(visit, answered.order, "answered")
    return goTo(visit, found.href, done(answer.said))
  }
  const first = withFound(findOrder, (visit: OrganizationVisit, found: FoundOrder) => show(visit, found, {}))
  return [forAdmin("GET", path, first), forAdmin("POST", path, withFound(findOrder, send))]
}

export const answerRoutes = [...routesOf(ACCEPT), ...routesOf(OFFER), ...routesOf(DECLINE)]
