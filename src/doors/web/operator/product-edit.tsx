import { type Problems, saveProduct } from "../../../actions/edit-catalogue.ts"
import { listFormats } from "../../../actions/list-formats.ts"
import { productIdOf } from "../../../domain/import-plan.ts"
import { type Errors, readForm } from "../form.ts"
import { pageNotFound } from "../pages/refusals.tsx"
import { Heading } from "../parts/bits.tsx"
import { TextArea } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { done, goTo, page } from "../respond.ts"
import { forOperator } from "../route.ts"
import { type PersonVisit, param } from "../visit.ts"
import { asJson, jsonErrors, readJson } from "./json-form.ts"
import { at, OPENINGS, PRODUCT, PRODUCTS } from "./navigation.ts"
import { ProductFieldset } from "./product-fieldset.tsx"
import { bodyOf, errorsOf, fieldsOf, type ProductFields, priceErrors, readFields, richPartsOf } from "./product-form.ts"
import { hasErrors } from "./validate.ts"

/** A stored product, or null for one that is new. */
type Stored = { readonly id: string; readonly body: unknown } | null

async function find(visit: PersonVisit): Promise<Stored> {
  const id = param(visit, "product")
  const { products } = await visit.context.store.catalogue.contents()
  return products.has(id) ? { id, body: products.get(id) } : null
}

const titleOf = (stored: Stored) => (stored === null ? "New product" : fieldsOf(stored.body).name)
const addressOf = (stored: Stored, ...rest: string[]) =>
  stored === null ? [`${PRODUCTS}/new`, ...rest].join("/") : at(PRODUCT, stored.id, ...rest)

function Head({ stored, view }: { readonly stored: Stored; readonly view: "form" | "json" }) {
  return (
    <Heading
      title={titleOf(stored)}
      trail={[{ href: PRODUCTS, label: "Products" }]}
      actions={
        stored && (
          <a class="button danger" href={at(PRODUCT, stored.id, "delete")}>
            Delete
          </a>
        )
      }
    >
      <nav class="tabs" aria-label="How to edit">
        <a href={addressOf(stored)} aria-current={view === "form" ? "page" : undefined}>
          Form
        </a>
        <a href={addressOf(stored, "json")} aria-current={view === "json" ? "page" : undefined}>
          JSON
        </a>
      </nav>
    </Heading>
  )
}

async function formPage(visit: PersonVisit, stored: Stored, fields: ProductFields, errors: Errors): Promise<Response> {
  const formats = (await listFormats(visit.context)).filter(({ state }) => state !== "hidden")
  return page(visit, {
    title: titleOf(stored),
    active: PRODUCTS,
    status: hasErrors(errors) ? 422 : 200,
    body: (
      <>
        <Head stored={stored} view="form" />
        <section class="card">
          <Form action={addressOf(stored)} submit="Save the product" cancel={PRODUCTS} errors={errors}>
            <ProductFieldset
              fields={fields}
              isNew={stored === null}
              rich={richPartsOf(stored?.body)}
              formats={formats.map(({ id, name }) => ({ value: id, label: name }))}
              jsonHref={addressOf(stored, "json")}
              errors={errors}
            />
          </Form>
        </section>
      </>
    ),
  })
}

function jsonPage(visit: PersonVisit, stored: Stored, text: string, errors: Errors): Response {
  return page(visit, {
    title: titleOf(stored),
    active: PRODUCTS,
    status: hasErrors(errors) ? 422 : 200,
    body: (
      <>
        <Head stored={stored} view="json" />
        <section class="card">
          <Form action={addressOf(stored, "json")} submit="Save the product" cancel={PRODUCTS} errors={errors}>
            <TextArea
              name="json"
              label="The product as AdCP 3.1 JSON"
              rows={28}
              value={text}
              required
              errors={errors}
              hint="A format_id without agent_url means a format of this installation. Everything is checked before it is saved."
            />
          </Form>
        </section>
      </>
    ),
  })
}

async function saveForm(visit: PersonVisit, stored: Stored): Promise<Response> {
  const typed = readFields(await readForm(visit.request))
  const fields = stored === null ? typed : { ...typed, product_id: stored.id }
  const body = bodyOf(fields, stored?.body)
  const problems = await save(visit, stored, body)
  if (problems.length > 0) return formPage(visit, stored, fields, { ...errorsOf(problems), ...priceErrors(fields) })
  return saved(visit, fields.name, stored)
}

async function saveJson(visit: PersonVisit, stored: Stored): Promise<Response> {
  const text = (await readForm(visit.request)).raw("json")
  const read = readJson(text)
  if (!read.ok) return jsonPage(visit, stored, text, read.errors)
  const problems = await save(visit, stored, read.value)
  if (problems.length > 0) return jsonPage(visit, stored, text, jsonErrors(text, problems))
  return saved(visit, fieldsOf(read.value).name, stored)
}

async function save(visit: PersonVisit, stored: Stored, body: unknown): Promise<Problems> {
  const id = productIdOf(body)
  if (stored !== null && id !== stored.id) {
    return [{ pointer: "/product_id", message: `stays "${stored.id}": buyers and keys know the product by it` }]
  }
  const { products } = await visit.context.store.catalogue.contents()
  if (stored === null && products.has(id)) return [{ pointer: "/product_id", message: `"${id}" is taken already` }]
  return saveProduct(visit.context, body, visit.actor)
}

function saved(visit: PersonVisit, name: string, stored: Stored): Response {
  if (stored !== null) return goTo(visit, PRODUCTS, done(`${name} is saved.`))
  return goTo(visit, OPENINGS, done(`${name} is saved. Nobody sees it until you open it to a key.`))
}

type Show = (visit: PersonVisit, stored: Stored) => Response | Promise<Response>

/** With the product that the path names, or "not found". */
function onProduct(show: Show) {
  return async (visit: PersonVisit) => {
    const stored = await find(visit)
    return stored === null ? pageNotFound(visit) : show(visit, stored)
  }
}

const showForm: Show = (visit, stored) => formPage(visit, stored, fieldsOf(stored?.body), {})
const showJson: Show = (visit, stored) =>
  jsonPage(visit, stored, asJson(stored?.body ?? bodyOf(fieldsOf(null), null)), {})

export const productEditRoutes = [
  forOperator("GET", `${PRODUCTS}/new`, (visit) => showForm(visit, null)),
  forOperator("POST", `${PRODUCTS}/new`, (visit) => saveForm(visit, null)),
  forOperator("GET", `${PRODUCTS}/new/json`, (visit) => showJson(visit, null)),
  forOperator("POST", `${PRODUCTS}/new/json`, (visit) => saveJson(visit, null)),
  forOperator("GET", `${PRODUCT}/:product`, onProduct(showForm)),
  forOperator("POST", `${PRODUCT}/:product`, onProduct(saveForm)),
  forOperator("GET", `${PRODUCT}/:product/json`, onProduct(showJson)),
  forOperator("POST", `${PRODUCT}/:product/json`, onProduct(saveJson)),
]
