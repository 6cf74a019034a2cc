import { withQuery } from "../../paging.ts"
import { CodeChips, CountryPicker } from "../../parts/form/country-picker.tsx"
import type { Draft } from "../../parts/form/draft.ts"
import { Form } from "../../parts/form/form.tsx"
import { formatNumber } from "../../parts/format.tsx"
import { Icon } from "../../parts/icon.tsx"
import { Ago } from "../../parts/time.tsx"
import type { AgentKeyRow } from "../agent-keys.tsx"
import { AGENT_KEY, AUDIT, at, OPENINGS, PRODUCT } from "../navigation.ts"
import { cellName, type Grid, territoriesOf } from "./openings-grid.ts"

/** The cell that is being edited: which countries are chosen, and what was typed. */
export interface CellDraft extends Draft<object> {
  readonly name: string
  readonly chosen: readonly string[]
}

interface TableProps {
  readonly grid: Grid
  readonly url: URL
  readonly editing: CellDraft | null
}

/** Products in rows, keys in columns, the countries in the cells. One cell is edited at a time. */
export function OpeningsTable({ grid, url, editing }: TableProps) {
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

function KeyHead({ of: { id, label, lastUsedAt } }: { readonly of: AgentKeyRow }) {
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
  readonly of: AgentKeyRow
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
