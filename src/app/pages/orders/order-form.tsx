import { type OrderLink, openOrderLink, placeOrder } from "../../../actions/sale/orders.ts"
import { territoriesInWords } from "../../../domain/adcp/catalogue/territory.ts"
import { type OrderedProduct, type OrderPrice, shownVersion } from "../../../domain/sale/order.ts"
import { minimumQuantity, otherMeasure, priceIn } from "../../../domain/sale/read-order.ts"
import { logoOf } from "../../../storage/organizations.ts"
import { goTo } from "../../flash.ts"
import type { FormOf, FormState, Texts } from "../../forms/form.ts"
import { Card, Facts } from "../../parts/blocks.tsx"
import { Radios } from "../../parts/choices.tsx"
import { Field, TextArea } from "../../parts/fields.tsx"
import { Form, FormSection, Hidden, Preview } from "../../parts/form.tsx"
import { capitalized, formatMoney, formatNumber, formatQuantity, listInWords } from "../../parts/format.tsx"
import { LinkGone, type Visit } from "../../visit.ts"
import { orderPriceInWords, productFacts } from "./order-facts.tsx"

const tokenOf = ({ params }: Visit) => params["token"] ?? ""

/** The page that an order link opens. It needs no account. */
export const orderForm: FormOf<Visit, OrderLink> = {
  async find(visit) {
    const link = await openOrderLink(visit.context, tokenOf(visit))
    if (link === null || link.product.prices.length === 0) throw new LinkGone()
    return link
  },
  begin: (_, { product }) => ({
    texts: { price: product.prices[0]?.id ?? "", measure: "quantity", territories: "" },
  }),
  async view(visit, link, sent) {
    const { product, seller } = link
    // People only order the product that they saw, at the price that they saw.
    const form = { ...sent, texts: { ...typed(sent.texts), seen: shownVersion(product) } }
    const name = seller?.name ?? "the seller"
    const logo = seller && (await logoOf(visit.read, seller.id))
    return {
      title: product.name,
      sheet: { seller: seller?.name ?? "Order", logo: logo && `/order/${tokenOf(visit)}/logo` },
      intro: product.description,
      form,
      body: (
        <>
          <Card label="Product">
            <Facts facts={productFacts(product, seller?.name ?? null)} />
          </Card>
          <Form
            submit="Send order"
            note={`Nothing is booked until ${name} accepts. You pay by invoice, not here.`}
            isLong
            hasPreview
          >
            <Hidden name="seen" />
            {campaignFields(product, form)}
            <FormSection title="Your ad" hint="Not ready yet? Send it later.">
              <Field name="creative" label="Link to the ad" type="url" />
              <TextArea name="note" label="Note" maxlength={500} />
            </FormSection>
            <FormSection title="About you" hint={`Only ${name} sees this. You need no account.`}>
              <Field name="organization" label="Organization" autocomplete="organization" maxlength={200} required />
              <Field name="name" label="Your name" autocomplete="name" maxlength={200} required />
              <Field name="email" label="Email" type="email" autocomplete="email" required />
            </FormSection>
          </Form>
        </>
      ),
    }
  },
  async save(visit, link, texts) {
    // The button only fills the minimum in.
    if (texts["useMinimum"] !== undefined) return {}
    if (texts["seen"] !== shownVersion(link.product)) return { errors: { "": CHANGED } }
    const token = tokenOf(visit)
    const placed = await placeOrder(visit.context, token, link, texts)
    return "errors" in placed ? placed : goTo(visit, `/order/${token}/${placed.code}`)
  },
  preview: async (_, { product }, texts) => ({ notes: { amount: measureNote(otherMeasure(typed(texts), product)) } }),
}

const CHANGED = "This product has changed. Check it, then send your order again."

function campaignFields(product: OrderedProduct, form: FormState) {
  const { prices } = product
  const chosen = priceIn(form.texts, product)
  const minimum = chosen === undefined ? 0 : minimumQuantity(chosen)
  const units = [...new Set(prices.flatMap(({ counted }) => counted?.unit ?? []))]
  const currencies = new Set(prices.map(({ currency }) => currency))
  const hasFlatRate = prices.some(isFlat)
  return (
    <FormSection title="Your campaign">
      {prices.length > 1 ? (
        <Radios
          name="price"
          label="Price"
          choices={prices.map((price) => ({ value: price.id, label: orderPriceInWords(price) }))}
        />
      ) : (
        <Hidden name="price" />
      )}
      <Field name="from" label="First day" type="date" required />
      <Field name="to" label="Last day" type="date" required />
      {units.length > 0 && (
        <>
          <Radios
            name="measure"
            label="Order by"
            choices={[
              { value: "quantity", label: capitalized(listInWords(units, units.length, "or")) },
              { value: "money", label: currencies.size > 1 ? "Budget" : `Budget in ${[...currencies].join()}` },
            ]}
          />
          <Field
            name="amount"
            label="How much"
            inputmode="decimal"
            hint={amountHint(product)}
            required={!hasFlatRate}
          />
          <p class="note">
            <Preview id="amount-note">
              {form.notes["amount"] ?? measureNote(otherMeasure(typed(form.texts), product))}
            </Preview>
          </p>
          {form.errors["amount"] !== undefined && minimum > 0 && (
            <button class="button small" type="submit" name="useMinimum" value={String(minimum)}>
              Use the minimum, {formatNumber(minimum)}
            </button>
          )}
        </>
      )}
      <Field
        name="territories"
        label="Countries"
        hint={`Available: ${territoriesInWords(product.territories)}. Leave empty for all of them.`}
      />
    </FormSection>
  )
}

const isFlat = ({ counted }: OrderPrice): boolean => counted === null

/** Each price has a minimum of its own. */
function amountHint({ prices }: OrderedProduct): string | undefined {
  const [only, ...others] = prices
  if (prices.some(isFlat)) return "Leave empty for the flat rate."
  if (only?.counted == null || only.minimum === 0 || others.length > 0) return undefined
  return `The minimum is ${formatQuantity(minimumQuantity(only), only.counted.unit)}.`
}

/** The button that takes the minimum sends it beside what was typed. */
function typed({ useMinimum, ...texts }: Texts): Texts {
  return useMinimum === undefined ? texts : { ...texts, measure: "quantity", amount: useMinimum }
}

/** "€2,900.00 buys 200,000 impressions, 4,082 a day." */
function measureNote(measure: ReturnType<typeof otherMeasure>): string {
  if (measure === null) return "Enter an amount to see what it comes to."
  const { coins, currency, quantity, unit, perDay } = measure
  const daily = perDay === null ? "" : `, ${formatNumber(perDay)} a day`
  return `${formatMoney(coins, currency)} buys ${formatQuantity(quantity, unit)}${daily}.`
}
