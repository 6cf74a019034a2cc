import { editOpenings, type OpeningCell } from "../../../../actions/keys/openings.ts"
import { COUNTRY_CODES, nameOfCountry } from "../../../../domain/countries.ts"
import { type Revision, revisionOf } from "../../../../domain/edit-conflict.ts"
import { EVERYWHERE } from "../../../../domain/keys/opening.ts"
import type { ListedAgentKey } from "../../../../storage/port/store.ts"
import { type SentForm as Filled, readForm } from "../../form.ts"
import { AGENT_KEY, AGENT_KEYS, AUDIT, at, OPENINGS, PRODUCT, PRODUCTS } from "../../frame/navigation.ts"
import { withQuery } from "../../paging.ts"
import { ButtonLink } from "../../parts/buttons.tsx"
import { Empty } from "../../parts/feedback.tsx"
import { CodeChips, CountryPicker, countriesIn, Options } from "../../parts/form/choices.tsx"
import { conflictPage } from "../../parts/form/conflict.tsx"
import { SearchInput } from "../../parts/form/filters.tsx"
import { type Draft, Form, type StartedFrom, startedFrom } from "../../parts/form/form.tsx"
import { Ago, formatNumber } from "../../parts/format.tsx"
import { Icon } from "../../parts/icon.tsx"
import { headedPage } from "../../parts/page.tsx"
import { Pager } from "../../parts/table.tsx"
import { done, goTo, problem } from "../../respond.ts"
import { forOperator } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { type CsvValue, csv } from "../../write-csv.ts"
import { cellName, type Grid, gridOf, isFiltered, KEYS_SHOWN, territoriesOf } from "./openings-grid.ts"

async function draw(visit: PersonVisit, draft: CellDraft | null = null): Promise<Response> {
  const grid = await gridOf(visit)
  return headedPage(visit, {
    title: "Openings",
    active: OPENINGS,
    csv: `${OPENINGS}.csv`,
    actions: <ButtonLink href={AGENT_KEYS} label="New agent key" />,
    intro: "Which agent sees which product, and in which countries. What is not open to a key does not exist for it.",
    body: <Body visit={visit} grid={grid} editing={draft ?? asked(visit, grid)} />,
  })
}

/** The cell that the address asks to edit. */
function asked({ url }: PersonVisit, grid: Grid): CellDraft | null {
  const name = url.searchParams.get("edit") ?? ""
  const cell = cellsOf(grid).find((one) => one.name === name)
  return cell === undefined ? null : { name, chosen: cell.territories, typed: {}, started: startOf(grid, name) }
}

const cellsOf = ({ keys, products }: Grid) =>
  keys.flatMap((key) =>
    products.map(({ id, name }) => ({
      name: cellName(key.id, id),
      about: `${name} for ${key.label}`,
      agentKeyId: key.id,
      productId: id,
      territories: territoriesOf(key, id),
    })),
  )

function startOf(grid: Grid, name: string): StartedFrom {
  const cell = cellsOf(grid).find((one) => one.name === name)
  return { revision: String(grid.revision), shown: revisionOf({ [name]: textOf(cell?.territories ?? []) }) }
}

const textOf = (territories: readonly string[]) => territories.join(", ")

type BodyProps = Readonly<{ visit: PersonVisit; grid: Grid; editing: CellDraft | null }>

function Body({ visit: { url }, grid, editing }: BodyProps) {
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
      <Filters grid={grid} />
      {grid.products.length === 0 ? (
        <Empty title="No matching products" text="Choose “Show all” to see all products." />
      ) : (
        <OpeningsTable grid={grid} url={url} editing={editing} />
      )}
      <Pager
        previous={grid.page > 1 ? withQuery(url, "page", grid.page - 1) : null}
        next={grid.isLast ? null : withQuery(url, "page", grid.page + 1)}
        previousLabel="Previous products"
        nextLabel="More products"
      />
    </>
  )
}

function Filters({ grid: { filter, allKeys, countries } }: { readonly grid: Grid }) {
  const first = allKeys.length > KEYS_SHOWN ? `The first ${KEYS_SHOWN} of ${allKeys.length} keys` : "All agent keys"
  const keys = [{ value: "", label: first }, ...allKeys.map(({ id, label }) => ({ value: id, label }))]
  const named = countries.map((code) => ({ value: code, label: nameOfCountry(code) }))
  return (
    <search class="filters no-print">
      <form method="get" action={OPENINGS}>
        <SearchInput name="text" what="products" value={filter.text} />
        <select name="key" aria-label="Agent key" class="auto" data-go>
          <Options choices={keys} chosen={filter.key} />
        </select>
        <select name="country" aria-label="Country" class="auto" data-go>
          <Options choices={[{ value: "", label: "All countries" }, ...named]} chosen={filter.country} />
        </select>
        <label class="choice">
          <input type="checkbox" name="unseen" value="yes" checked={filter.unseen} />
          <span>Only products nobody sees</span>
        </label>
        <button type="submit" class="button">
          Show
        </button>
        {isFiltered(filter) && <ButtonLink kind="quiet" href={OPENINGS} label="Show all" />}
      </form>
    </search>
  )
}

async function save(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const grid = await gridOf(visit)
  const cell = cellsOf(grid).find(({ name }) => form.has(name) || form.has(`${name}_add`))
  if (cell === undefined) return goTo(visit, OPENINGS, problem("This product or key is no longer there."))
  const { name, agentKeyId, productId } = cell
  const started = startedFrom(form)
  const text = countriesIn(form, name)
  const outcome = await saveCell(visit, grid, { agentKeyId, productId, text }, started)
  if (outcome.outcome === "changed meanwhile") return conflict(visit, name, text, started.shown)
  if (outcome.outcome === "refused") {
    const errors = { [`${name}_add`]: outcome.wrong[0]?.message ?? "" }
    return draw(visit, { name, errors, started, ...typedAgain(form, name) })
  }
  const back = withQuery(visit.url, "edit", null)
  return goTo(visit, back, done(summary(outcome.opened, outcome.closed, cell.about)))
}

/** Saves it also where somebody changed another cell meanwhile. */
async function saveCell(visit: PersonVisit, grid: Grid, cell: OpeningCell, { revision, shown }: StartedFrom) {
  const edit = (seen: number) => editOpenings(visit.context, [cell], seen, visit.actor)
  const outcome = await edit(Number(revision))
  const isUntouched = startOf(grid, cellName(cell.agentKeyId, cell.productId)).shown === shown
  return outcome.outcome === "changed meanwhile" && isUntouched ? edit(grid.revision) : outcome
}

/** What was chosen as chips, and what is no country as text to correct. */
function typedAgain(form: Filled, name: string): Pick<CellDraft, "chosen" | "typed"> {
  const isCountry = (code: string) => COUNTRY_CODES.has(code) || code === EVERYWHERE
  const all = form.all(name)
  const others = [...all.filter((code) => !isCountry(code)), form.text(`${name}_add`)].filter((text) => text !== "")
  return { chosen: all.filter(isCountry), typed: { [`${name}_add`]: others.join(", ") } }
}

async function conflict(visit: PersonVisit, name: string, text: string, shown: Revision): Promise<Response> {
  const grid = await gridOf(visit)
  const cell = cellsOf(grid).find((one) => one.name === name)
  const action = `${OPENINGS}${visit.url.search}`
  return conflictPage(visit, {
    title: "Openings",
    active: OPENINGS,
    what: "the openings",
    changes: [
      ["open product", cell?.agentKeyId ?? ""],
      ["close product", cell?.agentKeyId ?? ""],
    ],
    action,
    theirsHref: action,
    shown,
    mine: { [name]: text },
    theirs: { [name]: textOf(cell?.territories ?? []) },
    started: startOf(grid, name),
    labels: () => `Countries, ${cell?.about ?? ""}`,
  })
}

function summary(opened: number, closed: number, about: string): string {
  if (opened + closed === 0) return "No changes."
  return `${opened > 0 ? "Saved" : "Closed"}: ${about}. Agents see it at once.`
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

/** The cell that is being edited: which countries are chosen, and what was typed. */
interface CellDraft extends Draft<object> {
  readonly name: string
  readonly chosen: readonly string[]
}

interface TableProps {
  readonly grid: Grid
  readonly url: URL
  readonly editing: CellDraft | null
}

/** Products in rows, keys in columns, the countries in the cells. One cell is edited at a time. */
function OpeningsTable({ grid, url, editing }: TableProps) {
  return (
    <section class="card flush" aria-label="Openings">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class="table" aria-label="What is open to whom" tabIndex={0}>
        <table class="cards matrix">
          <caption class="vh">Products, and the countries in which each agent key sees them</caption>
          <thead>
            <tr>
              <th scope="col">Product</th>
              {grid.keys.map((key) => (
                <KeyHead key={key.id} of={key} />
              ))}
            </tr>
          </thead>
          <tbody>
            {grid.products.map(({ id, name, about }) => (
              <tr key={id}>
                <th scope="row">
                  <a class="name" href={at(PRODUCT, id)}>
                    {name}
                  </a>
                  <small>{about}</small>
                </th>
                {grid.keys.map((key) => (
                  <Cell key={key.id} of={key} product={{ id, name }} url={url} editing={editing} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="card-foot">
        {formatNumber(grid.matching)} {grid.matching === 1 ? "product" : "products"},{" "}
        {formatNumber(grid.allKeys.length)} agent {grid.allKeys.length === 1 ? "key" : "keys"}. Every change is kept in
        the <a href={AUDIT}>audit trail</a>.
      </p>
    </section>
  )
}

function KeyHead({ of: { id, label, lastUsedAt } }: { readonly of: ListedAgentKey }) {
  return (
    <th scope="col">
      <b>{label}</b>
      <small>{lastUsedAt === null ? "No calls yet" : <>Last call {<Ago at={lastUsedAt} />}</>}</small>
      <a href={at(AGENT_KEY, id, "sees")} aria-label={`What it sees: ${label}`}>
        What it sees
      </a>
    </th>
  )
}

interface CellProps {
  readonly of: ListedAgentKey
  readonly product: { readonly id: string; readonly name: string }
  readonly url: URL
  readonly editing: CellDraft | null
}

function Cell({ of: key, product, url, editing }: CellProps) {
  const name = cellName(key.id, product.id)
  const territories = territoriesOf(key, product.id)
  const { label } = key
  return (
    <td class="span" data-label={label}>
      {editing?.name === name ? (
        <CellForm draft={editing} url={url} about={`${product.name} for ${label}`} />
      ) : territories.length === 0 ? (
        <a class="button quiet small add" href={`${withQuery(url, "edit", name)}#edit`}>
          <Icon name="plus" />
          Open
          <span class="vh">
            {" "}
            {product.name} to {label}
          </span>
        </a>
      ) : (
        <a class="cell" href={`${withQuery(url, "edit", name)}#edit`}>
          <CodeChips codes={territories} />
          <span class="vh">
            Change where {label} sees {product.name}
          </span>
        </a>
      )}
    </td>
  )
}

type CellFormProps = Readonly<{ draft: CellDraft; url: URL; about: string }>

function CellForm({ draft, url, about }: CellFormProps) {
  const back = withQuery(url, "edit", null)
  return (
    <div id="edit">
      <Form action={`${OPENINGS}${url.search}`} submit="Save" cancel={back} draft={draft}>
        <CountryPicker name={draft.name} label={`Countries, ${about}`} chosen={draft.chosen} />
      </Form>
    </div>
  )
}
