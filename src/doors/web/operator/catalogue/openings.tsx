import { editOpenings, type OpeningCell } from "../../../../actions/keys/edit-openings.ts"
import { conflictOf, revisionOf } from "../../../../domain/edit-conflict.ts"
import { readForm } from "../../form.ts"
import { withQuery } from "../../paging.ts"
import { ButtonLink } from "../../parts/button-link.tsx"
import { Empty } from "../../parts/empty.tsx"
import { type Draft, emptied, type StartedFrom, startedFrom } from "../../parts/form/draft.ts"
import { FieldError, useField } from "../../parts/form/errors.tsx"
import { Field } from "../../parts/form/field.tsx"
import { FilterBar } from "../../parts/form/filters.tsx"
import { Form } from "../../parts/form/form.tsx"
import { Select } from "../../parts/form/select.tsx"
import { headedPage } from "../../parts/page-kinds.tsx"
import { Pager } from "../../parts/table/pages.tsx"
import { done, goTo } from "../../respond.ts"
import { forOperator } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { type CsvValue, csv } from "../../write-csv.ts"
import { AGENT_KEY, AGENT_KEYS, at, OPENINGS, PRODUCT, PRODUCTS } from "../navigation.ts"
import { cellName, type Grid, gridOf, KEYS_SHOWN, territoriesOf } from "./openings-grid.ts"

type Cells = Readonly<Record<string, string>>

async function draw(visit: PersonVisit, draft?: Draft<Cells>): Promise<Response> {
  const grid = await gridOf(visit)
  return headedPage(visit, {
    title: "Openings",
    active: OPENINGS,
    csv: `${OPENINGS}.csv`,
    intro: (
      <p class="soft">
        Which key sees which product, and where. Type names or codes of countries such as <code>Germany, AT</code>, or{" "}
        <code>*</code> for everywhere; an empty field keeps the product closed.
      </p>
    ),
    body: <Body visit={visit} grid={grid} draft={{ typed: openCells(grid), started: startOf(grid), ...draft }} />,
  })
}

function startOf(grid: Grid): StartedFrom {
  return { revision: String(grid.revision), shown: revisionOf(openCells(grid)) }
}

type BodyProps = Readonly<{ visit: PersonVisit; grid: Grid; draft: Draft<Cells> }>

function Body({ visit: { url }, grid, draft }: BodyProps) {
  if (!grid.hasProducts) {
    return (
      <Empty title="No products yet" text="Create a product first.">
        <ButtonLink kind="primary" href={`${PRODUCTS}/new`} label="New product" />
      </Empty>
    )
  }
  if (grid.allKeys.length === 0) {
    return (
      <Empty title="No agent keys yet" text="Create a key for a buyer first.">
        <ButtonLink kind="primary" href={AGENT_KEYS} label="New agent key" />
      </Empty>
    )
  }
  return (
    <>
      <Filters grid={grid} url={url} />
      <Form action={`${OPENINGS}${url.search}`} submit="Save" draft={draft}>
        <GridTable grid={grid} />
      </Form>
      <Pager
        previous={grid.page > 1 ? withQuery(url, "page", grid.page - 1) : null}
        next={grid.isLast ? null : withQuery(url, "page", grid.page + 1)}
        previousLabel="Previous products"
        nextLabel="More products"
      />
    </>
  )
}

function Filters({ grid, url }: { readonly grid: Grid; readonly url: URL }) {
  const label = grid.allKeys.length > KEYS_SHOWN ? `The first ${KEYS_SHOWN} of ${grid.allKeys.length}` : "All"
  const choices = grid.allKeys.map(({ id, label: name }) => ({ value: id, label: name }))
  return (
    <FilterBar action={OPENINGS} url={url} isFiltered={grid.key !== "" || grid.text !== ""}>
      <Select name="key" label="Keys" choices={[{ value: "", label }, ...choices]} />
      <Field name="text" label="Product" type="search" />
    </FilterBar>
  )
}

function GridTable({ grid }: { readonly grid: Grid }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="table card flush" aria-label="What is open to whom" tabIndex={0}>
      <table class="matrix">
        <caption class="vh">Products in rows, keys in columns, territories in the cells</caption>
        <thead>
          <tr>
            <th scope="col">Product</th>
            {grid.keys.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
                <br />
                <a href={at(AGENT_KEY, id, "sees")} aria-label={`What it sees: ${label}`}>
                  What it sees
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.products.map(({ id, name }) => (
            <tr key={id}>
              <th scope="row">
                <a class="name" href={at(PRODUCT, id)}>
                  {name}
                </a>
              </th>
              {grid.keys.map((key) => (
                <Cell key={key.id} name={cellName(key.id, id)} label={`${name} for ${key.label}`} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Cell({ name, label }: { readonly name: string; readonly label: string }) {
  const { error, attributes, value } = useField(name, false)
  return (
    <td class={error === undefined ? undefined : "wrong"}>
      <FieldError name={name} error={error} />
      <input id={name} name={name} value={value} aria-label={label} placeholder="Closed" {...attributes} />
    </td>
  )
}

async function save(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const { keys, products } = await gridOf(visit)
  const cells = keys.flatMap(({ id: agentKeyId }) =>
    products.flatMap(({ id: productId }): OpeningCell[] => {
      const name = cellName(agentKeyId, productId)
      return form.has(name) ? [{ agentKeyId, productId, text: form.text(name) }] : []
    }),
  )
  const outcome = await editOpenings(visit.context, cells, Number(form.text("revision")), visit.actor)
  const typed = Object.fromEntries(cells.map((cell) => [cellName(cell.agentKeyId, cell.productId), cell.text]))
  if (outcome.outcome === "refused") {
    const wrong = outcome.wrong.map((cell) => [cellName(cell.agentKeyId, cell.productId), cell.message])
    return draw(visit, { typed, errors: Object.fromEntries(wrong), started: startedFrom(form) })
  }
  if (outcome.outcome === "changed meanwhile") {
    const theirs = { ...emptied(typed), ...openCells(await gridOf(visit)) }
    const { texts, errors } = conflictOf(form.text("shown"), typed, theirs)
    return draw(visit, { typed: texts, errors })
  }
  return goTo(visit, `${OPENINGS}${visit.url.search}`, done(summary(outcome.opened, outcome.closed)))
}

/** The cells that are not empty, as they are shown. */
function openCells({ keys, products }: Grid): Record<string, string> {
  const cells = keys.flatMap((key) =>
    products.map(({ id }): [string, string] => [cellName(key.id, id), territoriesOf(key, id)]),
  )
  return Object.fromEntries(cells.filter(([, text]) => text !== ""))
}

function summary(opened: number, closed: number): string {
  if (opened + closed === 0) return "No changes."
  const parts = [...(opened > 0 ? [`${opened} opened or changed`] : []), ...(closed > 0 ? [`${closed} closed`] : [])]
  return `Saved: ${parts.join(", ")}. Agents see it at once.`
}

async function download({ context: { store } }: PersonVisit): Promise<Response> {
  const keys = await store.agentKeys.list()
  const rows = keys
    .filter(({ revokedAt }) => revokedAt === null)
    .flatMap(({ label, prefix, openings }) =>
      openings.map(({ productId, territories }): CsvValue[] => [label, prefix, productId, territories.join(" ")]),
    )
  return csv("openings.csv", ["Key", "Prefix", "Product", "Territories"], rows)
}

export const openingRoutes = [
  forOperator("GET", OPENINGS, (visit) => draw(visit)),
  forOperator("POST", OPENINGS, save),
  forOperator("GET", `${OPENINGS}.csv`, download),
]
