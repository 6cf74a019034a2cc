import { type OpenedLink, openOrderLink } from "../../../actions/sale/order-links.ts"
import { placeOrder } from "../../../actions/sale/place-order.ts"
import { nameOfCountry } from "../../../domain/countries.ts"
import { hashToken } from "../../../domain/keys/api-key.ts"
import { EVERYWHERE } from "../../../domain/keys/opening.ts"
import { ORDER_BYTES_MAX } from "../../../domain/limits.ts"
import { amountOf, daysOf, type OrderPrice, type OrderTerms } from "../../../domain/sale/order.ts"
import {
  budgetLeads,
  minimumQuantity,
  ORDER_TEXTS,
  type OrderText,
  readOrder,
  readQuantity,
  type TypedOrder,
  typedQuantity,
} from "../../../domain/sale/read-order.ts"
import { capitalized } from "../../../domain/text/short-text.ts"
import { dayAfter } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { type Errors, readForm, type SentForm } from "../form.ts"
import { type OuterSeller, orderLinkEnded, sellerWithLogo, sellerWords } from "../outer.tsx"
import { Card, Facts, Letterhead, Submit } from "../parts/blocks.tsx"
import { CheckGroup, RadioCards } from "../parts/form/choices.tsx"
import { Field, TextArea } from "../parts/form/fields.tsx"
import { Form, FormSection, HiddenInputs, Live } from "../parts/form/form.tsx"
import { formatCount, formatDate, formatNumber } from "../parts/format.tsx"
import { PageHead } from "../parts/page.tsx"
import { money, perUnit, places, priceText, sumText } from "../parts/terms.tsx"
import { goTo, page } from "../respond.ts"
import { forAnyone } from "../route.ts"
import { tellRequester } from "../sale/with-order.ts"
import { param, type Visit } from "../visit.ts"

export interface OrderVisit {
  readonly visit: Visit
  readonly seller: OuterSeller | null
}

interface FormVisit extends OrderVisit {
  readonly opened: OpenedLink
  /** In the seller's zone. */
  readonly today: string
}

/** Answers with the product of a link, or as for a link that never was. */
const withProduct = (show: (place: FormVisit) => Promise<Response>) => async (visit: Visit) => {
  const opened = await openOrderLink(visit.context, param(visit, "token"))
  if (opened === null) return orderLinkEnded(visit)
  const seller = await sellerWithLogo(visit, opened.sellerId)
  return show({ visit, seller, opened, today: dayOf(visit.now, seller?.timeZone ?? "UTC") })
}

const NOTHING = { quantity: "", budget: "" } as const

function typedOrder(form: SentForm): TypedOrder {
  const was = { quantity: form.text("was_quantity"), budget: form.text("was_budget") }
  return { ...form.texts(...ORDER_TEXTS), territories: form.all("territories"), was }
}

function emptyOrder({ opened: { product }, today }: FormVisit): TypedOrder {
  const texts = Object.fromEntries(ORDER_TEXTS.map((name) => [name, ""])) as Record<OrderText, string>
  const { prices, territories } = product
  return { ...texts, price: prices[0]?.id ?? "", from: dayAfter(today), territories, was: NOTHING }
}

/** Quantity and budget follow each other: what was not typed is worked out, where both can be read. */
function workedOut(typed: TypedOrder, priced: OrderPrice): TypedOrder {
  const { quantity, errors, isBelow = false } = readQuantity(typed, priced)
  if (quantity === null || (Object.keys(errors).length > 0 && !isBelow)) return typed
  const amount = amountOf(priced, { quantity, price: priced.price })
  const followed = budgetLeads(typed) ? { ...typed, quantity: typedQuantity(quantity) } : { ...typed, budget: amount }
  return { ...followed, was: { quantity: followed.quantity, budget: followed.budget } }
}

async function formPage(place: FormVisit, given: TypedOrder, errors: Errors = {}, status?: number): Promise<Response> {
  const { visit, seller, opened } = place
  const { product } = opened
  const priced = product.prices.find(({ id }) => id === given.price) ?? product.prices[0]
  if (priced === undefined) return orderLinkEnded(visit)
  const typed = workedOut(given, priced)
  const words = sellerWords(visit, seller)
  const [sum, due] = workedTexts(typed, place, priced)
  return page(visit, {
    title: `Order ${product.name}`,
    shape: "sheet",
    ...(status !== undefined && { status }),
    body: (
      <article class="stack">
        <Letterhead logo={seller?.logo ?? null} name={words} />
        <PageHead title={product.name} above={`Order from ${words}`}>
          <p class="sub">{product.description}</p>
        </PageHead>
        <Offered place={place} words={words} />
        <Form
          action={visit.url.pathname}
          live
          submit="Send order"
          saveNote={`${due}Nothing is booked until ${words} accepts. You pay by invoice, not here.`}
          values={typed}
          errors={errors}
        >
          <FormSection
            title="Your campaign"
            hint={priced.counted && "Change the quantity or the budget; the other follows."}
          >
            {product.prices.length > 1 && (
              <RadioCards name="price" label="Price" choices={product.prices.map(priceChoice)} />
            )}
            <div class="fields">
              <Field type="date" name="from" label="First day" required />
              <Field type="date" name="to" label="Last day" required />
            </div>
            {priced.counted && <HowMuch priced={priced} typed={typed} isBelow={errors["quantity"] !== undefined} />}
            <p class="sum" role="status">
              <Live id="sum">{sum}</Live>
            </p>
            <Submit kind="unscripted" name="look" value="yes" formnovalidate label="Work out the amount" />
            {!product.territories.includes(EVERYWHERE) && (
              <CheckGroup
                name="territories"
                label="Countries"
                choices={product.territories.map((code) => ({ value: code, label: nameOfCountry(code) }))}
                checked={typed.territories}
              />
            )}
          </FormSection>
          <FormSection title="Your ad" hint="Not ready yet? Send it later.">
            <Field name="creative" label="Link to the ad" maxlength={1_000} autocomplete="off" />
            <TextArea name="note" label="Note" rows={3} prose />
          </FormSection>
          <FormSection title="About you" hint={`Only ${words} sees this. You need no account.`}>
            <Field name="organization" label="Organization" required autocomplete="organization" />
            <div class="fields">
              <Field name="name" label="Your name" required autocomplete="name" />
              <Field name="email" label="Email" type="email" required autocomplete="email" />
            </div>
          </FormSection>
        </Form>
      </article>
    ),
  })
}

type HowMuchProps = Readonly<{ priced: OrderPrice; typed: TypedOrder; isBelow: boolean }>

/** The field that was typed in stays as it is; the other one, and what both were, follow. */
function HowMuch({ priced, typed, isBelow }: HowMuchProps) {
  const { counted, currency, minimum } = priced
  return (
    <>
      <div class="fields">
        <Live id="live-quantity">
          <Field
            name="quantity"
            label={capitalized(counted?.unit ?? "")}
            required
            inputmode="numeric"
            autocomplete="off"
          />
        </Live>
        <Live id="live-budget">
          <Field name="budget" label="Budget" inputmode="decimal" autocomplete="off" unit={currency} />
        </Live>
      </div>
      <Live id="was">
        <HiddenInputs values={{ was_quantity: typed.was.quantity, was_budget: typed.was.budget }} />
      </Live>
      {isBelow && minimum !== null && (
        <div class="actions">
          <Submit
            small
            name="fill"
            value="minimum"
            formnovalidate
            label={`Use the minimum, ${formatNumber(minimumQuantity(priced))}`}
          />
        </div>
      )}
    </>
  )
}

/** The terms as far as they can be read; null where they cannot. */
function termsSoFar(typed: TypedOrder, { opened: { product }, today }: FormVisit): OrderTerms | null {
  const person = { organization: "-", name: "-", email: "a@example.org", creative: "", note: "" }
  const read = readOrder({ ...typed, ...person, territories: product.territories }, product, today)
  return read.ok ? read.order.terms : null
}

/** What it comes to, and beside the button what is sent: €2,900.00 for 200,000 impressions in 49 days. */
function workedTexts(typed: TypedOrder, place: FormVisit, priced: OrderPrice): readonly [sum: string, due: string] {
  const terms = termsSoFar(typed, place)
  if (terms === null) {
    const { errors, isBelow } = readQuantity(typed, priced)
    return [isBelow ? Object.values(errors).join(" ") : `${priceText(priced)}${atLeast(priced)}.`, ""]
  }
  const counted = priced.counted && ` for ${formatNumber(terms.quantity ?? 0)} ${priced.counted.unit}`
  const amount = money(amountOf(priced, terms), priced.currency)
  return [sumText({ priced, terms }), `${amount}${counted ?? ""} in ${formatCount(daysOf(terms), "day")}. `]
}

const priceChoice = (priced: OrderPrice) => ({
  value: priced.id,
  label: priceText(priced),
  note: priced.minimum === null ? "No minimum" : `At least ${money(priced.minimum, priced.currency)}`,
})

const atLeast = ({ minimum, currency }: OrderPrice) =>
  minimum === null ? "" : `, at least ${money(minimum, currency)}`

/** The product as whoever has the link sees it. */
function Offered({ place: { opened }, words }: { readonly place: FormVisit; readonly words: string }) {
  const { prices, territories, formats, isGuaranteed, until } = opened.product
  return (
    <Card label="What you are ordering">
      <Facts
        facts={[
          ...prices.map((priced) => ({
            term: prices.length > 1 ? `Price in ${priced.currency}` : "Price",
            value: `${priced.isFloor ? "from " : ""}${money(priced.price, priced.currency)}`,
            note: `${perUnit(priced)}${atLeast(priced)}`,
          })),
          { term: "Available", value: until === null ? "From today" : `Until ${formatDate(until)}` },
          { term: "Countries", value: places(territories) },
          formats.length > 0 && {
            term: "Formats",
            value: formats.map(({ name, sizes }) => (
              <span key={name} class="error-line">
                {name}
                {sizes.length > 0 && <small>{sizes.join(" or ")}</small>}
              </span>
            )),
          },
          {
            term: "Delivery",
            value: isGuaranteed ? "Guaranteed" : "Not guaranteed",
            note: isGuaranteed ? undefined : "As much as there is room for",
          },
          { term: "Sold by", value: words },
        ]}
      />
    </Card>
  )
}

const TOO_MANY =
  "Too many orders came by this link lately. Nothing was lost: try again in an hour, or write to the seller."

async function sendOrder(place: FormVisit): Promise<Response> {
  const { visit, opened, today } = place
  const form = await readForm(visit.request, ORDER_BYTES_MAX)
  const typed = typedOrder(form)
  const priced = opened.product.prices.find(({ id }) => id === typed.price) ?? opened.product.prices[0]
  if (form.has("fill") && priced !== undefined)
    return formPage(place, { ...typed, quantity: typedQuantity(minimumQuantity(priced)), budget: "", was: NOTHING })
  if (form.has("look")) return formPage(place, typed)
  const placed = await placeOrder(visit.context, param(visit, "token"), typed, today)
  if (placed.outcome === "not found") return orderLinkEnded(visit)
  if (placed.outcome === "too many") return formPage(place, typed, { "": TOO_MANY }, 429)
  if (placed.outcome === "refused") return formPage(place, typed, placed.errors)
  const order = await visit.context.store.orders.findByCode(opened.linkHash, hashToken(placed.code))
  if (order !== null) tellRequester(visit, order, "received")
  return goTo(visit, `${visit.url.pathname.replace(/\/$/, "")}/${placed.code}`)
}

export const ORDER_PAGE = "/order/:token"

export const orderFormRoutes = [
  forAnyone(
    "GET",
    ORDER_PAGE,
    withProduct((place) => formPage(place, emptyOrder(place))),
  ),
  forAnyone("POST", ORDER_PAGE, withProduct(sendOrder)),
]
