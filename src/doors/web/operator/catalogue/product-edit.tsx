import type { ComponentChildren } from "preact"
import { bodyRevision, changeProduct, type Problems } from "../../../../actions/catalogue/edit-catalogue.ts"
import { listFormats } from "../../../../actions/catalogue/list-formats.ts"
import { type Revision, revisionOf } from "../../../../domain/edit-conflict.ts"
import { productIdOf } from "../../../../domain/import/import-plan.ts"
import { readForm } from "../../form.ts"
import { at, OPENINGS, PRODUCT, PRODUCTS } from "../../frame/navigation.ts"
import { AskFirst } from "../../parts/buttons.tsx"
import { conflictPage, labelled } from "../../parts/form/conflict.tsx"
import { TextArea } from "../../parts/form/fields.tsx"
import { type Draft, Form, type StartedFrom, startedFrom } from "../../parts/form/form.tsx"
import { headedPage } from "../../parts/page.tsx"
import { done, goTo } from "../../respond.ts"
import { forOperator, withFound } from "../../route.ts"
import { type PersonVisit, param } from "../../visit.ts"
import { asJson, JSON_HINT, jsonErrors, readJson } from "./json.ts"
import { changedRows, isPriceName, priceErrors, withoutPrices } from "./prices.tsx"
import { ProductFieldset } from "./product-fieldset.tsx"
import { bodyOf, errorsOf, fieldsOf, type ProductFields, readFields, richPartsOf } from "./product-form.ts"

/** A stored product, or null for one that is new. */
type Stored = { readonly id: string; readonly body: unknown } | null

async function find(visit: PersonVisit): Promise<Stored> {
  const id = param(visit, "product")
  const { products } = await visit.context.store.catalogue.contents()
  return products.has(id) ? { id, body: products.get(id) } : null
}

const FORM = [] as const
const JSON_VIEW = ["json"] as const
type View = typeof FORM | typeof JSON_VIEW

const addressOf = (stored: Stored, view: View) =>
  stored === null ? [`${PRODUCTS}/new`, ...view].join("/") : at(PRODUCT, stored.id, ...view)

type EditPage = Readonly<{ stored: Stored; view: View; draft: Draft<object>; fields: ComponentChildren }>

/** A product to edit, as a form or as JSON. */
function editPage(visit: PersonVisit, { stored, view, draft, fields }: EditPage): Response {
  return headedPage(visit, {
    title: stored === null ? "New product" : fieldsOf(stored.body).name,
    active: PRODUCTS,
    trail: [{ href: PRODUCTS, label: "Products" }],
    actions: stored && (
      <AskFirst
        id="delete-product"
        href={at(PRODUCT, stored.id, "delete")}
        label="Delete"
        question={`Delete ${fieldsOf(stored.body).name}?`}
        submit="Delete product"
        quiet
      >
        <p>It is closed to every key, and buyers' agents no longer find it. This cannot be undone.</p>
      </AskFirst>
    ),
    tabs: {
      label: "How to edit",
      current: addressOf(stored, view),
      tabs: [
        { href: addressOf(stored, FORM), label: "Details" },
        { href: addressOf(stored, JSON_VIEW), label: "JSON" },
      ],
    },
    body: (
      <Form
        action={addressOf(stored, view)}
        submit="Save product"
        cancel={PRODUCTS}
        draft={draft}
        saveNote="Agents see changes at once."
      >
        {fields}
      </Form>
    ),
  })
}

function formStart(stored: Stored): Draft<ProductFields> {
  const typed = fieldsOf(stored?.body)
  return { typed, started: { revision: bodyRevision(stored?.body), shown: revisionOf(typed) } }
}

function jsonStart(stored: Stored): Draft<{ readonly json: string }> {
  const typed = { json: asJson(stored?.body ?? bodyOf(fieldsOf(null), null)) }
  return { typed, started: { revision: bodyRevision(stored?.body), shown: revisionOf(typed) } }
}

async function formPage(visit: PersonVisit, stored: Stored, draft = formStart(stored)): Promise<Response> {
  const formats = (await listFormats(visit.context)).filter(({ state }) => state !== "hidden")
  const fields = (
    <ProductFieldset
      fields={draft.typed}
      isNew={stored === null}
      rich={richPartsOf(stored?.body)}
      formats={formats.map(({ id, name }) => ({ value: id, label: name }))}
      jsonHref={addressOf(stored, JSON_VIEW)}
    />
  )
  return editPage(visit, { stored, view: FORM, draft, fields })
}

function jsonPage(visit: PersonVisit, stored: Stored, draft = jsonStart(stored)): Response {
  const fields = <TextArea name="json" label="The product as AdCP 3.1 JSON" rows={28} required hint={JSON_HINT} />
  return editPage(visit, { stored, view: JSON_VIEW, draft, fields })
}

async function saveForm(visit: PersonVisit, stored: Stored): Promise<Response> {
  const form = await readForm(visit.request)
  const started = startedFrom(form)
  const fields = readFields(form)
  const typed = stored === null ? fields : { ...fields, product_id: stored.id }
  const rows = changedRows(form, typed)
  if (rows !== null) return formPage(visit, stored, { typed: { ...withoutPrices(typed), ...rows }, started })
  const problems = await save(visit, stored, bodyOf(typed, stored?.body), started)
  if (problems === "changed") {
    return withFound(find, (_, now) => conflict(visit, now, FORM, { shown: started.shown, mine: typed }))(visit)
  }
  if (problems.length === 0) return saved(visit, typed.name, stored)
  return formPage(visit, stored, { typed, errors: { ...errorsOf(problems), ...priceErrors(typed) }, started })
}

async function saveJson(visit: PersonVisit, stored: Stored): Promise<Response> {
  const form = await readForm(visit.request)
  const started = startedFrom(form)
  const typed = { json: form.raw("json") }
  const read = readJson(typed.json)
  if (!read.ok) return jsonPage(visit, stored, { typed, errors: read.errors, started })
  const problems = await save(visit, stored, read.value, started)
  if (problems === "changed") {
    return withFound(find, (_, now) => conflict(visit, now, JSON_VIEW, { shown: started.shown, mine: typed }))(visit)
  }
  if (problems.length === 0) return saved(visit, fieldsOf(read.value).name, stored)
  return jsonPage(visit, stored, { typed, errors: jsonErrors(typed.json, problems), started })
}

function conflict(
  visit: PersonVisit,
  now: Stored,
  view: View,
  { shown, mine }: { readonly shown: Revision; readonly mine: object },
): Promise<Response> {
  const { typed: theirs, started } = view === FORM ? formStart(now) : jsonStart(now)
  const action = addressOf(now, view)
  return conflictPage(visit, {
    title: fieldsOf(now?.body).name,
    active: PRODUCTS,
    trail: [{ href: PRODUCTS, label: "Products" }],
    what: "this product",
    changes: [["save product", now?.id ?? ""]],
    action,
    theirsHref: action,
    shown,
    mine,
    theirs,
    started,
    labels: productLabel,
  })
}

const OTHER_LABELS = labelled({
  json: "JSON",
  product_id: "Product id",
  publishers: "Publisher domains",
  formats: "Accepted formats",
})

const productLabel = (name: string) => (isPriceName(name) ? "Prices" : OTHER_LABELS(name))

async function save(
  { context, actor }: PersonVisit,
  stored: Stored,
  body: unknown,
  { revision }: StartedFrom,
): Promise<Problems | "changed"> {
  const id = productIdOf(body)
  const pointer = "/product_id"
  if (stored !== null && id !== stored.id) {
    return [{ pointer, message: `must stay "${stored.id}": buyers and keys refer to the product by it` }]
  }
  const seen = stored === null ? bodyRevision(undefined) : revision
  const outcome = await changeProduct(context, body, { seen, actor })
  if (outcome !== "changed" || stored !== null) return outcome
  return [{ pointer, message: `"${id}" is already taken` }]
}

function saved(visit: PersonVisit, name: string, stored: Stored): Response {
  if (stored !== null) return goTo(visit, PRODUCTS, done(`${name} has been saved.`))
  return goTo(visit, OPENINGS, done(`${name} has been saved. Nobody sees it until you open it to a key.`))
}

const NEW = `${PRODUCTS}/new`
const EDIT = `${PRODUCT}/:product`

export const productEditRoutes = [
  forOperator("GET", NEW, (visit) => formPage(visit, null)),
  forOperator("POST", NEW, (visit) => saveForm(visit, null)),
  forOperator("GET", `${NEW}/json`, (visit) => jsonPage(visit, null)),
  forOperator("POST", `${NEW}/json`, (visit) => saveJson(visit, null)),
  forOperator(
    "GET",
    EDIT,
    withFound(find, (visit, stored) => formPage(visit, stored)),
  ),
  forOperator("POST", EDIT, withFound(find, saveForm)),
  forOperator(
    "GET",
    `${EDIT}/json`,
    withFound(find, (visit, stored) => jsonPage(visit, stored)),
  ),
  forOperator("POST", `${EDIT}/json`, withFound(find, saveJson)),
]
