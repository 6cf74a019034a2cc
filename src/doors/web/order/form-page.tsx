import { openOrderLink } from "../../../actions/sale/order-links.ts"
import { placeOrder } from "../../../actions/sale/place-order.ts"
import { nameOfCountry } from "../../../domain/countries.ts"
import { hashToken } from "../../../domain/keys/api-key.ts"
import { EVERYWHERE } from "../../../domain/keys/opening.ts"
import { ORDER_BYTES_MAX } from "../../../domain/limits.ts"
import { compareNames } from "../../../domain/lists/list-query.ts"
import { amountOf, daysOf, type OrderedProduct, type OrderPrice } from "../../../domain/sale/order.ts"
import type { AskedTerms, TypedOrder } from "../../../domain/sale/read-order.ts"
import { minimumQuantity, ORDER_TEXTS, readTerms, typedQuantity, workedOut } from "../../../domain/sale/read-order.ts"
import { capitalized } from "../../../domain/text/short-text.ts"
import { dayAfter } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { type Errors, readForm } from "../form.ts"
import { forAnyone, withFound } from "../guards.ts"
import { paperOf, paperPage } from "../outside/paper.tsx"
import { logoOf } from "../outside/seller-logo.ts"
import { orderLinkEnded } from "../outside/stranger-pages.tsx"
import { Card, Facts, factsOf, Submit } from "../parts/blocks.tsx"
import { CheckGroup, RadioCards } from "../parts/form/choices.tsx"
import { Field, Form, FormSection, HiddenInputs, Live, TextArea } from "../parts/form/form.tsx"
import { formatCount, formatDate, formatNumber } from "../parts/format.tsx"
import { PageHead } from "../parts/page.tsx"
import { countriesInWords, money, perUnit, priceText, sumText } from "../parts/terms.tsx"
import { goTo, type Refused } from "../respond.tsx"
import { param, type Visit } from "../visit.ts"
import { tellRequester } from "./tell-requester.ts"

type OpenOrderForm = NonNullable<Awaited<ReturnType<typeof findForm>>>

/** What the link opens. `today` is the seller's. */
async function findForm(visit: Visit) {
  const opened = await openOrderLink(visit.context, param(visit, "token"))
  if (opened === null || opened.product.prices.length === 0) return null
  const paper = await paperOf(visit, opened.sellerId, `/order/${param(visit, "token")}`)
  return { opened, paper, today: dayOf(visit.now, paper.zone) }
}

function emptyOrder({ opened: { product }, today }: OpenOrderForm): TypedOrder {
  const texts = Object.fromEntries(ORDER_TEXTS.map((name) => [name, ""])) as Record<keyof TypedOrder, string>
  return { ...texts, price: product.prices[0]?.id ?? "", from: dayAfter(today), territories: product.territories }
}

const FOLLOWS = "Change the quantity or the budget; the other follows."

type Tried = Partial<Refused>

function formPage(
  visit: Visit,
  open: OpenOrderForm,
  given: TypedOrder,
  { errors = {}, ...answer }: Tried = {},
): Response {
  const { paper, opened, today } = open
  const { product } = opened
  const read = readTerms(given, product, today)
  if (read === null) throw new Error("the product has no price")
  const { priced } = read
  const typed = workedOut(given, read)
  const countries = product.territories.map(countryChoice).toSorted((a, b) => compareNames(a.label, b.label))
  return paperPage(visit, {
    ...answer,
    title: `Order ${product.name}`,
    paper,
    children: [
      <PageHead title={product.name} above={`Order from ${paper.name}`}>
        {product.description}
      </PageHead>,
      <Offered product={product} seller={paper.name} />,
      <Form
        action={visit.url.pathname}
        live
        submit="Send order"
        saveNote={`${dueText(read)}Nothing is booked until ${paper.name} accepts. You pay by invoice, not here.`}
        values={typed}
        errors={errors}
      >
        <FormSection title="Your campaign" hint={priced.counted && FOLLOWS}>
          {product.prices.length > 1 && (
            <RadioCards name="price" label="Price" choices={product.prices.map(priceChoice)} />
          )}
          <div class="fields">
            <Field type="date" name="from" label="First day" required />
            <Field type="date" name="to" label="Last day" required />
          </div>
          {priced.counted && howMuch(priced, typed, errors["quantity"] !== undefined)}
          <p class="sum" role="status">
            <Live id="sum">{sumSoFar(typed, read, errors)}</Live>
          </p>
          <Submit kind="unscripted" name="look" value="yes" formnovalidate label="Work out the amount" />
          {!product.territories.includes(EVERYWHERE) && (
            <CheckGroup name="territories" label="Countries" choices={countries} checked={typed.territories} />
          )}
        </FormSection>
        <FormSection title="Your ad" hint="Not ready yet? Send it later.">
          <Field name="creative" label="Link to the ad" maxlength={1_000} autocomplete="off" />
          <TextArea name="note" label="Note" rows={3} prose />
        </FormSection>
        <FormSection title="About you" hint={`Only ${paper.name} sees this. You need no account.`}>
          <Field name="organization" label="Organization" required autocomplete="organization" />
          <div class="fields">
            <Field name="name" label="Your name" required autocomplete="name" />
            <Field name="email" label="Email" type="email" required autocomplete="email" />
          </div>
        </FormSection>
      </Form>,
    ],
  })
}

/** The field that was typed in stays as it is; the other one, and what both were, follow. */
function howMuch(priced: OrderPrice, { was_quantity, was_budget }: TypedOrder, isWrong: boolean) {
  const { counted, currency, minimum } = priced
  const unit = capitalized(counted?.unit ?? "")
  const least = `Use the minimum, ${formatNumber(minimumQuantity(priced))}`
  return [
    <div class="fields">
      <Live id="live-quantity">
        <Field name="quantity" label={unit} required autocomplete="off" inputmode="numeric" />
      </Live>
      <Live id="live-budget">
        <Field name="budget" label="Budget" autocomplete="off" inputmode="decimal" unit={currency} />
      </Live>
    </div>,
    <Live id="was">
      <HiddenInputs values={{ was_quantity, was_budget }} />
    </Live>,
    isWrong && minimum !== null && (
      <div class="actions">
        <Submit small name="fill" value="minimum" formnovalidate label={least} />
      </div>
    ),
  ]
}

/** Whether the price of it is known: where it runs does not change it. */
const isWorkedOut = ({ errors: { territories: _, ...errors } }: AskedTerms) => Object.keys(errors).length === 0

/** What it comes to, or what is wrong with what was typed. */
function sumSoFar({ quantity, budget }: TypedOrder, read: AskedTerms, said: Errors): string {
  const { priced, errors } = read
  if (isWorkedOut(read)) return sumText(read)
  const isSaid = said["quantity"] !== undefined || said["budget"] !== undefined
  const wrong = !isSaid && (quantity !== "" || budget !== "") && (errors.quantity ?? errors.budget)
  return wrong || `${priceText(priced)}${atLeast(priced)}.`
}

/** Beside the button what is sent: €2,900.00 for 200,000 impressions in 49 days. */
function dueText(read: AskedTerms): string {
  const { priced, terms } = read
  if (!isWorkedOut(read)) return ""
  const counted = priced.counted ? ` for ${formatNumber(terms.quantity ?? 0)} ${priced.counted.unit}` : ""
  return `${money(amountOf(priced, terms), priced.currency)}${counted} in ${formatCount(daysOf(terms), "day")}. `
}

const countryChoice = (code: string) => ({ value: code, label: nameOfCountry(code) })

const priceChoice = (priced: OrderPrice) => ({
  value: priced.id,
  label: priceText(priced),
  note: priced.minimum === null ? "No minimum" : `At least ${money(priced.minimum, priced.currency)}`,
})

const atLeast = ({ minimum, currency }: OrderPrice) =>
  minimum === null ? "" : `, at least ${money(minimum, currency)}`

/** The product as a visitor with the link sees it. */
function Offered({ product, seller }: { readonly product: OrderedProduct; readonly seller: string }) {
  const { prices, territories, formats, isGuaranteed, until } = product
  const only = prices.length === 1 ? prices[0] : undefined
  return (
    <Card label="What you are ordering">
      <dl class="stats">
        {factsOf([
          ...prices.map((priced) => ({
            term: only ? "Price" : `Price in ${priced.currency}`,
            value: `${priced.isFloor ? "from " : ""}${money(priced.price, priced.currency)}`,
            note: `${perUnit(priced)}${only ? "" : atLeast(priced)}`,
          })),
          only?.minimum != null && {
            term: "Minimum spend",
            value: money(only.minimum, only.currency),
            note: "per order",
          },
          { term: "Available", value: until === null ? "From today" : `Until ${formatDate(until)}` },
        ])}
      </dl>
      <hr />
      <Facts
        facts={[
          { term: "Countries", value: countriesInWords(territories) },
          formats.length > 0 && {
            term: "Formats",
            value: formats.map(({ name, sizes }) => (
              <span class="error-line">
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
          { term: "Sold by", value: seller },
        ]}
      />
    </Card>
  )
}

const TOO_MANY: Refused = {
  status: 429,
  errors: {
    "": "Too many orders came by this link lately. Nothing was lost: try again in an hour, or write to the seller.",
  },
  headers: { "Retry-After": "3600" },
}

async function sendOrder(visit: Visit, open: OpenOrderForm): Promise<Response> {
  const { opened, today } = open
  const form = await readForm(visit.request, ORDER_BYTES_MAX)
  const typed = { ...form.texts(...ORDER_TEXTS), territories: form.all("territories") }
  const read = readTerms(typed, opened.product, today)
  if (form.has("fill") && read !== null)
    return formPage(visit, open, { ...typed, quantity: typedQuantity(minimumQuantity(read.priced)), budget: "" })
  if (form.has("look")) return formPage(visit, open, typed)
  const placed = await placeOrder(visit.context, param(visit, "token"), typed, today)
  if (placed.outcome === "not found") return orderLinkEnded(visit)
  if (placed.outcome === "too many") return formPage(visit, open, typed, TOO_MANY)
  if (placed.outcome === "refused") return formPage(visit, open, typed, { errors: placed.errors })
  const order = await visit.context.store.orders.findByCode(opened.linkHash, hashToken(placed.code))
  if (order !== null) tellRequester(visit, order, "received")
  return goTo(visit, `${visit.url.pathname.replace(/\/$/, "")}/${placed.code}`)
}

const PAGE = "/order/:token"
const show = (visit: Visit, open: OpenOrderForm) => formPage(visit, open, emptyOrder(open))

export const orderFormRoutes = [
  forAnyone("GET", `${PAGE}/logo`, withFound(findForm, logoOf, orderLinkEnded)),
  forAnyone("GET", PAGE, withFound(findForm, show, orderLinkEnded)),
  forAnyone("POST", PAGE, withFound(findForm, sendOrder, orderLinkEnded)),
]
