import {
  changeProduct,
  deleteProduct,
  productIdOf,
  productVersion,
  type Saved,
} from "../../../../actions/catalogue/products.ts"
import { withOperatorFormats } from "../../../../domain/adcp/catalogue/built-in.ts"
import {
  FORM_MODELS,
  NEW_PRODUCT,
  priceRows,
  productErrors,
  productTexts,
  readProduct,
} from "../../../../domain/adcp/forms/product.ts"
import { Channel } from "../../../../domain/adcp/schema/vocabulary.ts"
import { productById, type StoredProduct, storedFormats } from "../../../../storage/catalogue/catalogue.ts"
import { allOrganizations, type Organization } from "../../../../storage/organizations.ts"
import { goTo } from "../../../flash.ts"
import { askFirst } from "../../../forms/ask.tsx"
import type { FormOf, Remarks, Texts } from "../../../forms/form.ts"
import { page } from "../../../page.tsx"
import { ButtonLink } from "../../../parts/blocks.tsx"
import { CheckList, type Choice, Radios, Select } from "../../../parts/choices.tsx"
import { Field, TextArea } from "../../../parts/fields.tsx"
import { Form, FormSection, Hidden, useForm } from "../../../parts/form.tsx"
import { NotFound, type SignedInVisit } from "../../../visit.ts"
import { channelName, PRODUCTS, productAddress, productName } from "./words.ts"

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

async function findProduct(visit: SignedInVisit, stored: StoredProduct | null): Promise<EditedProduct> {
  const { read } = visit.context.database
  const formats = withOperatorFormats(await storedFormats(read))
  return {
    stored,
    sellers: await allOrganizations(read),
    formats: [...formats.values()].map(({ format_id, name }) => ({ value: format_id.id, label: name })),
  }
}

/** The product in the path. */
export async function findStored({ context, params }: SignedInVisit): Promise<StoredProduct> {
  const stored = await productById(context.database.read, params["product"] ?? "")
  if (stored === null) throw new NotFound()
  return stored
}

const TRAIL = [{ href: PRODUCTS, label: "Products" }]

export const newProductForm: FormOf<SignedInVisit, EditedProduct> = {
  find: (visit) => findProduct(visit, null),
  begin: (_, { sellers }) => ({
    texts: { ...NEW_PRODUCT, seller: sellers.length === 1 ? (sellers[0]?.slug ?? "") : "" },
  }),
  view: (visit, target, form) =>
    page(visit, {
      title: "New product",
      trail: TRAIL,
      form,
      body: (
        <Form action={`${PRODUCTS}/new`} submit="Create product" cancel={PRODUCTS} isLong>
          <ProductFields {...target} />
        </Form>
      ),
    }),
  async save(visit, { sellers }, texts) {
    const read = readProduct(texts, null, timeZoneOf(sellers, texts))
    if ("errors" in read) return read
    const edit = { product: read.product, sellerId: sellerIn(sellers, texts) }
    const saved = await changeProduct(visit.context, visit.actor, edit, null)
    const address = `${productAddress(productIdOf(read.product))}/openings`
    return afterSaving(saved) ?? goTo(visit, address, "The product is created. Show it to a buyer key now.")
  },
}

export const productForm: FormOf<SignedInVisit, EditedProduct & { readonly stored: StoredProduct }> = {
  async find(visit) {
    const stored = await findStored(visit)
    return { ...(await findProduct(visit, stored)), stored }
  },
  begin: (_, { stored, sellers }) => ({
    texts: productTexts(stored.product, sellers.find(({ id }) => id === stored.sellerId)?.slug ?? ""),
    version: productVersion(stored),
  }),
  view(visit, target, form) {
    const address = productAddress(target.stored.id)
    return page(visit, {
      title: productName(target.stored),
      trail: TRAIL,
      form,
      actions: (
        <>
          <ButtonLink href={`${address}/delete`} label="Delete" kind="quiet danger" />
          <ButtonLink href={`${address}/openings`} label="Who sees it" />
        </>
      ),
      body: (
        <Form action={address} submit="Save product" cancel={PRODUCTS} note="Agents see changes at once." isLong>
          <ProductFields {...target} />
        </Form>
      ),
    })
  },
  async save(visit, { stored, sellers }, texts, version) {
    const read = readProduct(texts, { ...stored.product, product_id: stored.id }, timeZoneOf(sellers, texts))
    if ("errors" in read) return read
    const edit = { product: read.product, sellerId: sellerIn(sellers, texts) }
    const saved = await changeProduct(visit.context, visit.actor, edit, version)
    return afterSaving(saved) ?? goTo(visit, productAddress(stored.id), "Saved.")
  },
}

/** Why a product wasn't saved. Null if it was. */
function afterSaving(saved: Saved | "changed" | "not found"): Remarks | "changed" | null {
  if (saved === "not found") throw new NotFound()
  if (saved === "changed") return saved
  return "problems" in saved ? { errors: productErrors(saved.problems) } : null
}

const sellerIn = (sellers: readonly Organization[], { seller }: Texts): number | null =>
  sellers.find(({ slug }) => slug === seller)?.id ?? null

const timeZoneOf = (sellers: readonly Organization[], { seller }: Texts): string =>
  sellers.find(({ slug }) => slug === seller)?.timeZone ?? "UTC"

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
    <FormSection title="Prices" hint="Agents see all of them. Empty a price to remove it.">
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
          { value: "non_guaranteed", label: "Not guaranteed", note: "Delivered as far as there is room." },
        ]}
      />
      <Field name="delay" label="Totals arrive within" inputmode="decimal" unit="hours" required />
      <Select
        name="seller"
        label="Sold by"
        choices={[
          { value: "", label: "No seller yet" },
          ...sellers.map(({ slug, name }) => ({ value: slug, label: name })),
        ]}
      />
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

export const deleteProductForm = askFirst<SignedInVisit, StoredProduct>({
  find: findStored,
  ask: (_, stored) => ({
    title: `Delete ${productName(stored)}?`,
    text: "Agents no longer see it, and its order links stop working. Orders that were placed stay.",
    submit: "Delete",
    cancel: productAddress(stored.id),
  }),
  async act(visit, stored) {
    if (!(await deleteProduct(visit.context, visit.actor, stored.id))) throw new NotFound()
    return goTo(visit, PRODUCTS, `${productName(stored)} is deleted.`)
  },
})
