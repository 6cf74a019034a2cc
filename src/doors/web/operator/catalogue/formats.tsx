import { deleteFormat, hideFormat } from "../../../../actions/catalogue/edit-catalogue.ts"
import { type ListedFormat, listFormats } from "../../../../actions/catalogue/list-formats.ts"
import { Badge, type Tone } from "../../parts/badge.tsx"
import { ButtonLink } from "../../parts/button-link.tsx"
import type { Choice } from "../../parts/form/choice.ts"
import { Field } from "../../parts/form/field.tsx"
import { FilterBar } from "../../parts/form/filters.tsx"
import { Select } from "../../parts/form/select.tsx"
import { confirmPage, headedPage } from "../../parts/page-kinds.tsx"
import { listCsv } from "../../parts/table/list-csv.ts"
import { PagedTable } from "../../parts/table/paged-table.tsx"
import type { Column } from "../../parts/table/table.tsx"
import { done, goTo, problem } from "../../respond.ts"
import { forOperator, withFound } from "../../route.ts"
import { type PersonVisit, param } from "../../visit.ts"
import { yieldToEventLoop } from "../../yield-to-event-loop.ts"
import { at, FORMAT, FORMATS, PRODUCT } from "../navigation.ts"

const TONES: Readonly<Record<ListedFormat["state"], Tone>> = {
  "built-in": "off",
  replaced: "warn",
  hidden: "bad",
  own: "good",
}

// A common format may be used by every product.
const USERS_SHOWN = 10

const COLUMNS: readonly Column<ListedFormat>[] = [
  {
    title: "Format",
    cell: ({ id, name }) => (
      <>
        <a href={at(FORMAT, id)}>{name}</a>
        <br />
        <code class="soft">{id}</code>
      </>
    ),
    value: ({ name }) => name,
  },
  {
    title: "Kind",
    cell: ({ format }) => (format.canonical?.kind ?? "").replaceAll("_", " "),
    value: ({ format }) => format.canonical?.kind ?? "",
  },
  { title: "State", cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge>, value: ({ state }) => state },
  {
    title: "Used by",
    cell: ({ usedBy }) => (
      <>
        {usedBy.slice(0, USERS_SHOWN).map((id, index) => [index > 0 && ", ", <a href={at(PRODUCT, id)}>{id}</a>])}
        {usedBy.length > USERS_SHOWN && ` and ${usedBy.length - USERS_SHOWN} more`}
      </>
    ),
    value: ({ usedBy }) => usedBy.join(" "),
  },
]

const CSV_COLUMNS: readonly Column<ListedFormat>[] = [{ title: "Id", value: ({ id }) => id }, ...COLUMNS]

const STATES: readonly Choice[] = [
  { value: "", label: "All" },
  { value: "own", label: "Your own" },
  { value: "replaced", label: "Replaced" },
  { value: "hidden", label: "Hidden" },
  { value: "built-in", label: "Built in" },
]

async function matching({ context, url: { searchParams } }: PersonVisit): Promise<ListedFormat[]> {
  const state = searchParams.get("state") ?? ""
  const wanted = (searchParams.get("text") ?? "").trim().toLowerCase()
  return (await listFormats(context)).filter(
    (format) =>
      (state === "" || format.state === state) && `${format.id} ${format.name}`.toLowerCase().includes(wanted),
  )
}

async function list(visit: PersonVisit): Promise<Response> {
  const { url } = visit
  const formats = await matching(visit)
  const isFiltered = ["text", "state"].some((name) => (url.searchParams.get(name) ?? "").trim() !== "")
  await yieldToEventLoop()
  return headedPage(visit, {
    title: "Formats",
    active: FORMATS,
    csv: `${FORMATS}.csv${url.search}`,
    actions: <ButtonLink kind="primary" href={`${FORMATS}/new`} label="New format" />,
    intro:
      "What creatives may look like. The common ones are built in; add your own, replace a " +
      "built-in one, or hide those that you do not accept.",
    body: (
      <>
        <FilterBar action={FORMATS} url={url} isFiltered={isFiltered}>
          <Field name="text" label="Name or id" type="search" />
          <Select name="state" label="State" choices={STATES} />
        </FilterBar>
        <p class="soft">{formats.length === 1 ? "1 format" : `${formats.length} formats`}</p>
        <PagedTable
          url={url}
          caption="Creative formats"
          columns={COLUMNS}
          rows={formats}
          rowKey={({ id }) => id}
          empty={null}
        />
      </>
    ),
  })
}

export async function findFormat(visit: PersonVisit): Promise<ListedFormat | undefined> {
  const id = param(visit, "format")
  return (await listFormats(visit.context)).find((format) => format.id === id)
}

async function hide(visit: PersonVisit, { id, name }: ListedFormat): Promise<Response> {
  const [complaint] = await hideFormat(visit.context, id, visit.actor)
  const flash = complaint ? problem(`It ${complaint.message}.`) : done(`${name} is hidden from buyers' agents.`)
  return goTo(visit, at(FORMAT, id), flash)
}

/** A hidden format comes back at once; one of the operator's own is gone for good, so that is asked first. */
async function remove(visit: PersonVisit, { id, name, state }: ListedFormat): Promise<Response> {
  const [complaint] = await deleteFormat(visit.context, id, visit.actor)
  if (complaint !== undefined) return goTo(visit, at(FORMAT, id), problem(`It ${complaint.message}.`))
  if (state === "own") return goTo(visit, FORMATS, done(`${name} has been deleted.`))
  return goTo(visit, at(FORMAT, id), done("The built-in format is shown again."))
}

function askDelete(visit: PersonVisit, { id, name, state }: ListedFormat): Response {
  const isOwn = state === "own"
  return confirmPage(visit, {
    title: "Delete format",
    active: FORMATS,
    question: isOwn ? `Delete ${name}?` : `Restore the built-in ${id}?`,
    action: at(FORMAT, id, "delete"),
    submit: isOwn ? "Delete format" : "Restore the built-in format",
    cancel: at(FORMAT, id),
    text: "Your version will be deleted. This cannot be undone.",
  })
}

export const formatRoutes = [
  forOperator("GET", FORMATS, list),
  forOperator("GET", `${FORMATS}.csv`, async (visit) => listCsv("formats", CSV_COLUMNS, await matching(visit))),
  forOperator("POST", `${FORMAT}/:format/hide`, withFound(findFormat, hide)),
  forOperator("GET", `${FORMAT}/:format/delete`, withFound(findFormat, askDelete)),
  forOperator("POST", `${FORMAT}/:format/delete`, withFound(findFormat, remove)),
]
