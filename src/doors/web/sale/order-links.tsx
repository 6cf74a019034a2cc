import { endOrderLink, makeOrderLink } from "../../../actions/sale/order-links.ts"
import { EVERYWHERE } from "../../../domain/keys/opening.ts"
import type { OrderLink } from "../../../storage/port/store.ts"
import { type FoundProduct, findProduct, productTabs } from "../agent-sales/opening.tsx"
import { salesTrail } from "../agent-sales/section.tsx"
import { DAYS, linkColumns } from "../campaigns/share.tsx"
import { type Errors, readForm } from "../form.ts"
import { itemAddress, PRODUCT, PRODUCTS } from "../frame/navigation.ts"
import { askFirst, forOperator, withFound } from "../guards.ts"
import { showOnce } from "../one-time-secret.tsx"
import { CountryPicker, countriesIn, Select } from "../parts/form/choices.tsx"
import { Field, Form } from "../parts/form/form.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { countriesInWords } from "../parts/terms.tsx"
import { done, goTo, headedPage } from "../respond.tsx"
import { idParam, type PersonVisit } from "../visit.ts"

const linksOf = ({ id }: FoundProduct) => itemAddress(PRODUCT, id, "order-links")

/** The countries that are ticked, and what was typed to be added. */
type Chosen = Readonly<{ label: string; days: string; chosen: readonly string[]; territories_add: string }>
const FIRST: Chosen = { label: "", days: "30", chosen: [EVERYWHERE], territories_add: "" }

async function linksPage(visit: PersonVisit, product: FoundProduct, typed = FIRST, errors: Errors = {}) {
  const links = await visit.context.store.orderLinks.list(product.id)
  return headedPage(visit, {
    title: `Order links for ${product.name}`,
    heading: product.name,
    trail: salesTrail(PRODUCTS),
    tabs: productTabs(product.id, linksOf(product)),
    intro: "Anyone with such a link can order this product from you. Buyers’ agents get their own, with each product.",
    body: [
      links.length > 0 && (
        <Table
          caption="Order links"
          columns={[...linkColumns(visit, linksOf(product)), COUNTRIES]}
          rows={links.map((link) => ({ ...link, revokedAt: link.endedAt }))}
        />
      ),
      <section class="card narrow">
        <h2>New link</h2>
        <Form action={linksOf(product)} submit="Create link" values={typed} errors={errors}>
          <Field name="label" label="Shared with" required hint="So you know later who ordered." />
          <Select name="days" label="Expires after" choices={DAYS} />
          <CountryPicker name="territories" label="Countries" chosen={typed.chosen} />
        </Form>
      </section>,
    ],
  })
}

const COUNTRIES: Column<Pick<OrderLink, "territories">> = {
  title: "Countries",
  cell: ({ territories }) => countriesInWords(JSON.parse(territories) as string[]),
}

async function makeLink(visit: PersonVisit, product: FoundProduct): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { ...form.texts("label", "days", "territories_add"), chosen: form.all("territories") }
  const wanted = { ...typed, territories: countriesIn(form, "territories") }
  const made = await makeOrderLink(visit.context, product.id, wanted, visit.actor)
  if (made.errors !== undefined) return linksPage(visit, product, typed, made.errors)
  return showOnce(visit, {
    title: "Your order link",
    trail: [...salesTrail(PRODUCTS), { href: linksOf(product), label: "Order links" }],
    text: "It is shown only once. Whoever has it can order until it ends.",
    secrets: [{ id: "link", label: typed.label, text: `${visit.origin}${made.path}` }],
    isLink: true,
  })
}

async function findLink(visit: PersonVisit) {
  const product = await findProduct(visit)
  const links = await visit.context.store.orderLinks.list(product?.id ?? "")
  const link = links.find(({ id, endedAt }) => id === idParam(visit, "link") && endedAt === null)
  return product === null || link === undefined ? null : { product, link }
}

type FoundLink = NonNullable<Awaited<ReturnType<typeof findLink>>>

async function end(visit: PersonVisit, { product, link }: FoundLink): Promise<Response> {
  await endOrderLink(visit.context, link.id, visit.actor)
  return goTo(visit, linksOf(product), done(`The link for “${link.label}” has been revoked.`))
}

const question = (visit: PersonVisit, { product, link }: FoundLink) => ({
  href: visit.url.pathname,
  title: `Revoke the link for “${link.label}”?`,
  text: "Nobody can order with it any more. Orders that came by it stay.",
  submit: "Revoke",
  cancel: linksOf(product),
})

const PAGE = `${PRODUCT}/:product/order-links`

export const orderLinkRoutes = [
  forOperator("GET", PAGE, withFound(findProduct, linksPage)),
  forOperator("POST", PAGE, withFound(findProduct, makeLink)),
  ...askFirst(forOperator, `${PAGE}/:link/revoke`, findLink, end, question),
]
