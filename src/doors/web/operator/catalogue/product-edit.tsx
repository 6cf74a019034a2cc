import { bodyRevision, changeProduct, type Problems } from "../../../../actions/catalogue/edit-catalogue.ts"
import { listFormats } from "../../../../actions/catalogue/list-formats.ts"
import { productIdOf } from "../../../../domain/import/import-plan.ts"
import { conflictOf, revisionOf } from "../../../../domain/revision.ts"
import { type Errors, readForm } from "../../form.ts"
import { pageNotFound } from "../../pages/refusals.tsx"
import { TextArea } from "../../parts/field.tsx"
import { Form } from "../../parts/form.tsx"
import { type StartedFrom, StartedFromFields, startedFrom } from "../../parts/started-from.tsx"
import { Heading } from "../../parts/widgets.tsx"
import { done, goTo, page } from "../../respond.ts"
import { forOperator } from "../../route.ts"
import { type PersonVisit, param } from "../../visit.ts"
import { at, OPENINGS, PRODUCT, PRODUCTS } from "../navigation.ts"
import { asJson, JSON_CHANGED, jsonErrors, readJson } from "./json-form.ts"
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

/** What whoever makes something new saw under its id. */
const NOTHING = bodyRevision(undefined)

interface Draft<Shown> {
  readonly shown: Shown
  readonly errors: Errors
  readonly started: StartedFrom
  /** After a conflict, where theirs is shown. */
  readonly theirs?: string
}

function formStart(stored: Stored): Draft<ProductFields> {
  const shown = fieldsOf(stored?.body)
  return { shown, errors: {}, started: { revision: bodyRevision(stored?.body), shown: revisionOf(shown) } }
}

function jsonStart(stored: Stored): Draft<string> {
  const shown = asJson(stored?.body ?? bodyOf(fieldsOf(null), null))
  return { shown, errors: {}, started: { revision: bodyRevision(stored?.body), shown: revisionOf({ json: shown }) } }
}

async function formPage(visit: PersonVisit, stored: Stored, draft = formStart(stored)): Promise<Response> {
  const { shown: fields, errors, started, theirs } = draft
  const formats = (await listFormats(visit.context)).filter(({ state }) => state !== "hidden")
  return page(visit, {
    title: titleOf(stored),
    active: PRODUCTS,
    status: hasErrors(errors) ? 422 : 200,
    body: (
      <>
        <Head stored={stored} view="form" />
        <section class="card">
          <Form action={addressOf(stored)} submit="Save the product" cancel={PRODUCTS} theirs={theirs} errors={errors}>
            <StartedFromFields {...started} />
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

function jsonPage(visit: PersonVisit, stored: Stored, draft = jsonStart(stored)): Response {
  const { shown: text, errors, started, theirs } = draft
  return page(visit, {
    title: titleOf(stored),
    active: PRODUCTS,
    status: hasErrors(errors) ? 422 : 200,
    body: (
      <>
        <Head stored={stored} view="json" />
        <section class="card">
          <Form
            action={addressOf(stored, "json")}
            submit="Save the product"
            cancel={PRODUCTS}
            theirs={theirs}
            errors={errors}
          >
            <StartedFromFields {...started} />
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
  const form = await readForm(visit.request)
  const started = startedFrom(form)
  const typed = readFields(form)
  const fields = stored === null ? typed : { ...typed, product_id: stored.id }
  const problems = await save(visit, stored, bodyOf(fields, stored?.body), started)
  if (problems === "changed") {
    return onProduct((_, now) => formPage(visit, now, formConflict(now, started, fields)))(visit)
  }
  if (problems.length === 0) return saved(visit, fields.name, stored)
  const errors = { ...errorsOf(problems), ...priceErrors(fields) }
  return formPage(visit, stored, { shown: fields, errors, started })
}

function formConflict(now: Stored, { shown }: StartedFrom, mine: ProductFields): Draft<ProductFields> {
  const theirs = formStart(now)
  const { texts, errors } = conflictOf(shown, mine, theirs.shown)
  return { shown: texts, errors, started: theirs.started, theirs: addressOf(now) }
}

async function saveJson(visit: PersonVisit, stored: Stored): Promise<Response> {
  const form = await readForm(visit.request)
  const started = startedFrom(form)
  const text = form.raw("json")
  const read = readJson(text)
  if (!read.ok) return jsonPage(visit, stored, { shown: text, errors: read.errors, started })
  const problems = await save(visit, stored, read.value, started)
  if (problems === "changed") return onProduct((_, now) => jsonPage(visit, now, jsonConflict(now, text)))(visit)
  if (problems.length > 0) return jsonPage(visit, stored, { shown: text, errors: jsonErrors(text, problems), started })
  return saved(visit, fieldsOf(read.value).name, stored)
}

/** Two whole texts: theirs is a click away, and saving again keeps this one. */
function jsonConflict(now: Stored, mine: string): Draft<string> {
  const { started } = jsonStart(now)
  return { shown: mine, errors: { json: JSON_CHANGED }, started, theirs: addressOf(now, "json") }
}

async function save(
  visit: PersonVisit,
  stored: Stored,
  body: unknown,
  { revision: seen }: StartedFrom,
): Promise<Problems | "changed"> {
  const id = productIdOf(body)
  if (stored !== null && id !== stored.id) {
    return [{ pointer: "/product_id", message: `stays "${stored.id}": buyers and keys know the product by it` }]
  }
  const outcome = await changeProduct(visit.context, body, {
    seen: stored === null ? NOTHING : seen,
    actor: visit.actor,
  })
  if (outcome !== "changed" || stored !== null) return outcome
  return [{ pointer: "/product_id", message: `"${id}" is taken already` }]
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

const showForm: Show = (visit, stored) => formPage(visit, stored)
const showJson: Show = (visit, stored) => jsonPage(visit, stored)

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
