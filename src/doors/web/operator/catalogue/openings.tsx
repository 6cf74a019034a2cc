import { editOpenings, type OpeningCell } from "../../../../actions/keys/edit-openings.ts"
import { conflictOf, revisionOf } from "../../../../domain/revision.ts"
import { type CsvValue, csv } from "../../csv.ts"
import { type Errors, readForm } from "../../form.ts"
import { FieldError, useFieldError } from "../../parts/errors.tsx"
import { Field, Select } from "../../parts/field.tsx"
import { Form } from "../../parts/form.tsx"
import { CsvLink, FilterBar } from "../../parts/list-bits.tsx"
import { type StartedFrom, StartedFromFields, startedFrom } from "../../parts/started-from.tsx"
import { Pager } from "../../parts/table.tsx"
import { Empty, Heading } from "../../parts/widgets.tsx"
import { done, goTo, page } from "../../respond.ts"
import { forOperator } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { AGENT_KEY, AGENT_KEYS, at, OPENINGS, PRODUCT, PRODUCTS } from "../navigation.ts"
import { cellName, type Grid, gridOf, KEYS_SHOWN, territoriesOf } from "./openings-grid.ts"
import { hasErrors } from "./validate.ts"

interface Drawn {
  /** What somebody typed, by the name of the cell; else what is stored. */
  readonly typed?: Readonly<Record<string, string>>
  readonly errors?: Errors
  readonly started?: StartedFrom
}

async function draw(visit: PersonVisit, { typed, errors = {}, started }: Drawn = {}): Promise<Response> {
  const grid = await gridOf(visit)
  return page(visit, {
    title: "Openings",
    active: OPENINGS,
    status: hasErrors(errors) ? 422 : 200,
    body: (
      <>
        <Heading title="Openings" actions={<CsvLink href={`${OPENINGS}.csv`} />}>
          <p class="soft">
            Which key sees which product, and where. Type country codes such as <code>DE, AT</code>, or <code>*</code>{" "}
            for everywhere; an empty field keeps the product closed.
          </p>
        </Heading>
        <Body visit={visit} grid={grid} typed={typed} errors={errors} started={started ?? startOf(grid)} />
      </>
    ),
  })
}

function startOf(grid: Grid): StartedFrom {
  return { revision: String(grid.revision), shown: revisionOf(openCells(grid)) }
}

interface BodyProps {
  readonly visit: PersonVisit
  readonly grid: Grid
  readonly typed: Readonly<Record<string, string>> | undefined
  readonly errors: Errors
  readonly started: StartedFrom
}

function Body({ visit, grid, typed, errors, started }: BodyProps) {
  if (!grid.hasProducts) {
    return (
      <Empty title="Nothing to open yet">
        <p>Describe a product first.</p>
        <a class="button primary" href={`${PRODUCTS}/new`}>
          New product
        </a>
      </Empty>
    )
  }
  if (grid.allKeys.length === 0) {
    return (
      <Empty title="Nobody to open it to yet">
        <p>Create a key for a buyer first.</p>
        <a class="button primary" href={AGENT_KEYS}>
          New agent key
        </a>
      </Empty>
    )
  }
  return (
    <>
      <Filters grid={grid} />
      <Form action={`${OPENINGS}${visit.url.search}`} submit="Save" errors={errors}>
        <StartedFromFields {...started} />
        <GridTable grid={grid} typed={typed} errors={errors} />
      </Form>
      <Pager
        previous={grid.page > 1 ? pageHref(visit, grid.page - 1) : null}
        next={grid.isLast ? null : pageHref(visit, grid.page + 1)}
        previousLabel="Previous products"
        nextLabel="More products"
      />
    </>
  )
}

function pageHref({ url }: PersonVisit, number: number): string {
  const query = new URLSearchParams(url.searchParams)
  query.set("page", String(number))
  return `${OPENINGS}?${query}`
}

function Filters({ grid }: { readonly grid: Grid }) {
  const label = grid.allKeys.length > KEYS_SHOWN ? `The first ${KEYS_SHOWN} of ${grid.allKeys.length}` : "All"
  const choices = grid.allKeys.map(({ id, label: name }) => ({ value: id, label: name }))
  return (
    <FilterBar action={OPENINGS} isFiltered={grid.key !== "" || grid.text !== ""}>
      <Select name="key" label="Keys" value={grid.key} choices={[{ value: "", label }, ...choices]} />
      <Field name="text" label="Product" type="search" value={grid.text} />
    </FilterBar>
  )
}

function GridTable({ grid, typed, errors }: Omit<BodyProps, "visit" | "started">) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="table openings" aria-label="What is open to whom" tabIndex={0}>
      <table>
        <caption class="unseen">Products in rows, keys in columns, territories in the cells</caption>
        <thead>
          <tr>
            <th scope="col">Product</th>
            {grid.keys.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
                <br />
                <a href={at(AGENT_KEY, id, "sees")} aria-label={`See what it sees: ${label}`}>
                  See what it sees
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.products.map(({ id, name }) => (
            <tr key={id}>
              <th scope="row">
                <a href={at(PRODUCT, id)}>{name}</a>
              </th>
              {grid.keys.map((key) => {
                const field = cellName(key.id, id)
                const value = typed === undefined ? territoriesOf(key, id) : (typed[field] ?? "")
                return (
                  <Cell key={field} name={field} label={`${name} for ${key.label}`} value={value} errors={errors} />
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface CellProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly errors: Errors
}

function Cell({ name, label, value, errors }: CellProps) {
  const { error, attributes } = useFieldError(name, errors, false)
  return (
    <td>
      <FieldError name={name} error={error} />
      <input id={name} name={name} value={value} aria-label={label} {...attributes} />
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
  if (outcome.outcome === "refused") {
    const wrong = outcome.wrong.map((cell) => [cellName(cell.agentKeyId, cell.productId), cell.message])
    const typed = Object.fromEntries(cells.map((cell) => [cellName(cell.agentKeyId, cell.productId), cell.text]))
    return draw(visit, { typed, errors: Object.fromEntries(wrong), started: startedFrom(form) })
  }
  if (outcome.outcome === "changed meanwhile") return draw(visit, await conflict(visit, cells, form.text("shown")))
  const here = `${OPENINGS}${visit.url.search}`
  return goTo(visit, here, done(summary(outcome.opened, outcome.closed)))
}

/** What was typed beside what somebody else saved meanwhile. */
async function conflict(visit: PersonVisit, cells: readonly OpeningCell[], shown: string): Promise<Drawn> {
  const mine = Object.fromEntries(cells.map((cell) => [cellName(cell.agentKeyId, cell.productId), cell.text]))
  const { texts, errors } = conflictOf(shown, mine, { ...closed(mine), ...openCells(await gridOf(visit)) })
  return { typed: texts, errors }
}

const closed = (cells: object) => Object.fromEntries(Object.keys(cells).map((name) => [name, ""]))

/** The cells of a grid in which something is open, as they are shown. */
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
