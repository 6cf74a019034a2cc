import {
  changeOpenings,
  changeProduct,
  deleteProduct,
  openingsVersion,
  productIdOf,
  productVersion,
} from "../../../../actions/catalogue/products.ts"
import { withOperatorFormats } from "../../../../domain/adcp/catalogue/built-in.ts"
import { readTerritories, territoriesInWords } from "../../../../domain/adcp/catalogue/territory.ts"
import {
  FORM_MODELS,
  NEW_PRODUCT,
  priceRows,
  productErrors,
  productTexts,
  readProduct,
} from "../../../../domain/adcp/forms/product.ts"
import { Channel } from "../../../../domain/adcp/schema/vocabulary.ts"
import { hasErrors } from "../../../../domain/errors.ts"
import {
  type KeyOpening,
  openingsOfProduct,
  productById,
  type StoredProduct,
  storedFormats,
} from "../../../../storage/catalogue/catalogue.ts"
import { type BuyerKey, buyerKeys } from "../../../../storage/keys.ts"
import { allOrganizations, type Organization } from "../../../../storage/organizations.ts"
import { goTo } from "../../../flash.ts"
import { askFirst } from "../../../forms/ask.tsx"
import { type FormOf, formOf, type Texts } from "../../../forms/form.ts"
import { ButtonLink, Empty } from "../../../parts/blocks.tsx"
import { CheckList, type Choice, Radios, Select } from "../../../parts/choices.tsx"
import { Field, TextArea } from "../../../parts/fields.tsx"
import { Form, FormSection, Hidden, useForm } from "../../../parts/form.tsx"
import { organizationChoices } from "../../../parts/people.tsx"
import { orNotFound, type SignedInVisit } from "../../../visit.ts"
import { BUYER_KEYS, channelName, PRODUCTS, productAddress, productName } from "./words.ts"

interface EditedProduct {
  /** Null for a new product. */
  readonly stored: StoredProduct | null
  readonly sellers: readonly Organization[]
  readonly formats: readonly Choice[]
}

const CHANNELS: readonly Choice[] = (Channel["enum"] as readonly string[]).map((value) => ({
  value,
  label: channelName(value),
}))

/** The product in the path. */
async function findStored({ read, params }: SignedInVisit): Promise<StoredProduct> {
  return orNotFound(await productById(read, params["product"] ?? ""))
}

const TRAIL = [{ href: PRODUCTS, label: "Products" }]

/** A new product, or one to change. */
export const productForm: FormOf<SignedInVisit, EditedProduct> = {
  async find(visit) {
    const { read } = visit
    const formats = withOperatorFormats(await storedFormats(read))
    return {
      stored: visit.params["product"] === undefined ? null : await findStored(visit),
      sellers: await allOrganizations(read),
      formats: [...formats.values()].map(({ format_id, name }) => ({ value: format_id.id, label: name })),
    }
  },
  begin(_, { stored, sellers }) {
    if (stored === null) {
      const [first, ...others] = sellers
      return { texts: { ...NEW_PRODUCT, seller: others.length > 0 ? "" : (first?.slug ?? "") } }
    }
    const seller = sellers.find(({ id }) => id === stored.sellerId)?.slug ?? ""
    return { texts: productTexts(stored.product, seller), version: productVersion(stored) }
  },
  view: (_, target) => ({
    title: target.stored === null ? "New product" : productName(target.stored),
    trail: TRAIL,
    actions: target.stored && <ProductActions {...target.stored} />,
    body: (
      <Form
        submit={target.stored === null ? "Create product" : "Save product"}
        cancel={PRODUCTS}
        note={target.stored === null ? "Then choose who sees it." : "Agents see changes at once."}
        isLong
      >
        <ProductFields {...target} />
      </Form>
    ),
  }),
  async save(visit, { stored, sellers }, texts, version) {
    const seller = sellers.find(({ slug }) => slug === texts["seller"])
    const before = stored && { ...stored.product, product_id: stored.id }
    const read = readProduct(texts, before, seller?.timeZone ?? "UTC")
    if ("errors" in read) return read
    const edit = { product: read.product, sellerId: seller?.id ?? null }
    const saved = orNotFound(await changeProduct(visit.context, visit.actor, edit, stored === null ? null : version))
    if (saved === "changed") return saved
    if ("problems" in saved) return { errors: productErrors(saved.problems) }
    if (stored !== null) return goTo(visit, productAddress(stored.id), "Saved.")
    const address = `${productAddress(productIdOf(read.product))}/openings`
    return goTo(visit, address, "The product is created. Show it to a buyer key now.")
  },
}

const ProductActions = ({ id }: StoredProduct) => (
  <>
    <ButtonLink href={`${productAddress(id)}/delete`} label="Delete" kind="quiet danger" />
    <ButtonLink href={`${productAddress(id)}/openings`} label="Who sees it" />
  </>
)

const ProductFields = ({ stored, sellers, formats }: EditedProduct) => (
  <>
    <FormSection title="What it is" hint="Agents search the name and the description.">
      <Field name="name" label="Name" maxlength={200} required />
      {stored === null && (
        <Field name="productId" label="Product ID" hint="Leave empty to make one from the name. It can’t be changed." />
      )}
      <TextArea name="description" label="Description" hint="Say who it reaches, where, and how." required />
      <CheckList name="channels" label="Channels" choices={CHANNELS} find="a channel" />
    </FormSection>
    <FormSection title="Formats" hint="What a buyer may deliver.">
      <CheckList name="formats" label="Formats it takes" choices={formats} find="a format" />
    </FormSection>
    <FormSection title="Prices" hint="Agents see all of them. Clear a price to remove it.">
      <PriceFields />
    </FormSection>
    <FormSection title="Where it runs">
      <TextArea name="domains" label="Publisher domains" hint="One per line, such as example.com." required />
      <Field name="until" label="Last day" type="date" hint="After this day (UTC), agents no longer see the product." />
    </FormSection>
    <FormSection title="Delivery">
      <Radios
        name="delivery"
        label="Is delivery guaranteed?"
        choices={[
          { value: "guaranteed", label: "Guaranteed", note: "The booked quantity is delivered or made good." },
          { value: "non_guaranteed", label: "Not guaranteed", note: "Delivery depends on available space." },
        ]}
      />
      <Field name="delay" label="Totals arrive within" inputmode="decimal" unit="hours" required />
      <Select name="seller" label="Sold by" choices={organizationChoices(sellers, "No seller yet")} />
    </FormSection>
  </>
)

const PRICE_KINDS: readonly Choice[] = [
  { value: "fixed", label: "a fixed price" },
  { value: "floor", label: "the lowest bid" },
]

function PriceFields() {
  const { texts } = useForm()
  const rows = priceRows(texts)
  return Array.from({ length: rows }, (_, i) => {
    const model = texts[`model.${i}`] ?? "cpm"
    const models = Object.entries<string>(FORM_MODELS).map(([value, label]) => ({ value, label }))
    const known = models.some(({ value }) => value === model)
    return (
      <fieldset>
        <legend>{i === rows - 1 && i > 0 ? "Another price" : `Price ${i + 1}`}</legend>
        <Hidden name={`option.${i}`} />
        <div class="stack">
          <div class="fields">
            <Field name={`price.${i}`} label="Amount" inputmode="decimal" />
            <Field name={`currency.${i}`} label="Currency" maxlength={3} placeholder="EUR" />
            <Field name={`minimum.${i}`} label="Minimum spend" inputmode="decimal" />
          </div>
          <div class="cols">
            <Select
              name={`model.${i}`}
              label="For"
              choices={known ? models : [...models, { value: model, label: model.toUpperCase() }]}
              required
            />
            <Select name={`kind.${i}`} label="The amount is" choices={PRICE_KINDS} required />
          </div>
        </div>
      </fieldset>
    )
  })
}

export const deleteProductForm = askFirst({
  find: findStored,
  ask: (_, stored) => ({
    title: `Delete ${productName(stored)}?`,
    text: "Agents no longer see it, and its order links stop working. Orders that were placed stay.",
    submit: "Delete",
    cancel: productAddress(stored.id),
  }),
  async act(visit, stored) {
    orNotFound(await deleteProduct(visit.context, visit.actor, stored.id))
    return goTo(visit, PRODUCTS, `${productName(stored)} is deleted.`)
  },
})

const fieldOf = ({ id }: BuyerKey) => `key.${id}`

/** Which buyer keys see a product, and where. */
export const openingsForm = formOf({
  async find(visit: SignedInVisit) {
    const { read } = visit
    const stored = await findStored(visit)
    const active = (await buyerKeys(read)).filter(({ revokedAt }) => revokedAt === null)
    return { stored, openings: await openingsOfProduct(read, stored.id), keys: active }
  },
  begin: (_, { openings, keys }) => ({ texts: textsOf(openings, keys), version: openingsVersion(openings) }),
  view(_, { stored, keys }) {
    const address = productAddress(stored.id)
    return {
      title: `Who sees ${productName(stored)}`,
      trail: [
        { href: PRODUCTS, label: "Products" },
        { href: address, label: productName(stored) },
      ],
      intro: "Name the countries for each buyer key. Leave a field empty to hide the product from it.",
      body:
        keys.length === 0 ? (
          <Empty title="No buyer keys yet" text="Create one for each buyer’s agent. It decides which products it sees.">
            <ButtonLink kind="primary" href={`${BUYER_KEYS}#new-key`} label="New buyer key" />
          </Empty>
        ) : (
          <section class="card form-card">
            <Form submit="Save" cancel={address} note="Agents see changes at once.">
              {keys.map((key) => (
                <Field name={fieldOf(key)} label={key.label} placeholder="Austria, DE" hint={COUNTRIES_HINT} />
              ))}
            </Form>
          </section>
        ),
    }
  },
  async save(visit, { stored, openings, keys }, texts, version) {
    const before = textsOf(openings, keys)
    const errors: Record<string, string> = {}
    const changes: { buyerKeyId: string; territories: readonly string[] }[] = []
    for (const key of keys) {
      const field = fieldOf(key)
      const text = texts[field] ?? before[field] ?? ""
      if (text === before[field]) continue
      const read = readTerritories(text)
      if ("error" in read) errors[field] = read.error
      else changes.push({ buyerKeyId: key.id, territories: read.codes })
    }
    if (hasErrors(errors)) return { errors }
    const saved = orNotFound(await changeOpenings(visit.context, visit.actor, stored.id, changes, version))
    if (saved === "changed") return saved
    return goTo(visit, productAddress(stored.id), "Saved. Agents see it at once.")
  },
})

const COUNTRIES_HINT = "Countries by name or code, or Everywhere."

function textsOf(openings: readonly KeyOpening[], keys: readonly BuyerKey[]): Texts {
  const territories = new Map(openings.map((each) => [each.buyerKeyId, each.territories]))
  return Object.fromEntries(keys.map((key) => [fieldOf(key), territoriesInWords(territories.get(key.id) ?? [])]))
}
