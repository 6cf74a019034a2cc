import { deleteFormat, hideFormat } from "../../../../actions/catalogue/edit-catalogue.ts"
import { type ListedFormat, listFormats } from "../../../../actions/catalogue/list-formats.ts"
import { pageNotFound } from "../../pages/refusals.tsx"
import { Field, Select } from "../../parts/field.tsx"
import { Confirm } from "../../parts/form.tsx"
import { CsvLink, FilterBar } from "../../parts/list-bits.tsx"
import { type ListColumn, listCsv } from "../../parts/listing.ts"
import { Pager, Table } from "../../parts/table.tsx"
import { Badge, Heading, type Tone } from "../../parts/widgets.tsx"
import { done, goTo, page, problem } from "../../respond.ts"
import { forOperator } from "../../route.ts"
import { sliceOf } from "../../slice.ts"
import { type PersonVisit, param } from "../../visit.ts"
import { yieldToEventLoop } from "../../yield-to-event-loop.ts"
import { at, FORMAT, FORMATS, PRODUCT } from "../navigation.ts"

type State = ListedFormat["state"]

const TONES: Readonly<Record<State, Tone>> = { "built-in": "plain", replaced: "warning", hidden: "bad", own: "good" }

// A common format may be used by every product.
const USERS_SHOWN = 10

const COLUMNS: readonly ListColumn<ListedFormat>[] = [
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

const CSV_COLUMNS: readonly ListColumn<ListedFormat>[] = [
  { title: "Id", cell: ({ id }) => id, value: ({ id }) => id },
  ...COLUMNS,
]

const STATES: readonly { readonly value: string; readonly label: string }[] = [
  { value: "", label: "All" },
  { value: "own", label: "Your own" },
  { value: "replaced", label: "Replaced" },
  { value: "hidden", label: "Hidden" },
  { value: "built-in", label: "Built in" },
]

async function chosen(visit: PersonVisit): Promise<{ formats: ListedFormat[]; text: string; state: string }> {
  const { searchParams } = visit.url
  const text = (searchParams.get("text") ?? "").trim()
  const state = searchParams.get("state") ?? ""
  const wanted = text.toLowerCase()
  const formats = (await listFormats(visit.context)).filter(
    (format) =>
      (state === "" || format.state === state) && `${format.id} ${format.name}`.toLowerCase().includes(wanted),
  )
  return { formats, text, state }
}

async function list(visit: PersonVisit): Promise<Response> {
  const { formats, text, state } = await chosen(visit)
  const { shown, previous, next } = sliceOf(visit.url, formats)
  await yieldToEventLoop()
  return page(visit, {
    title: "Formats",
    active: FORMATS,
    body: (
      <>
        <Heading
          title="Formats"
          actions={
            <>
              <CsvLink href={`${FORMATS}.csv${visit.url.search}`} />
              <a class="button primary" href={`${FORMATS}/new`}>
                New format
              </a>
            </>
          }
        >
          <p class="soft">
            What creatives may look like. The common ones are built in; add your own, put one of yours in place of a
            built-in one, or hide what you do not take.
          </p>
        </Heading>
        <FilterBar action={FORMATS} isFiltered={text !== "" || state !== ""}>
          <Field name="text" label="Name or id" type="search" value={text} />
          <Select name="state" label="State" value={state} choices={STATES} />
        </FilterBar>
        <p class="soft">{formats.length === 1 ? "1 format" : `${formats.length} formats`}</p>
        {formats.length > 0 && (
          <Table caption="Creative formats" columns={COLUMNS} rows={shown} rowKey={({ id }) => id} />
        )}
        <Pager previous={previous} next={next} previousLabel="Previous" nextLabel="More" />
      </>
    ),
  })
}

export async function findFormat(visit: PersonVisit): Promise<ListedFormat | undefined> {
  const id = param(visit, "format")
  return (await listFormats(visit.context)).find((format) => format.id === id)
}

async function hide(visit: PersonVisit): Promise<Response> {
  const format = await findFormat(visit)
  if (format === undefined) return pageNotFound(visit)
  const [complaint] = await hideFormat(visit.context, format.id, visit.actor)
  if (complaint !== undefined) return refused(visit, format, complaint.message)
  return goTo(visit, at(FORMAT, format.id), done(`${format.name} is hidden from buyers' agents.`))
}

/** A hidden format comes back at once; one of the operator's own is gone for good, so that is asked before. */
async function takeBack(visit: PersonVisit): Promise<Response> {
  const format = await findFormat(visit)
  if (format === undefined) return pageNotFound(visit)
  const [complaint] = await deleteFormat(visit.context, format.id, visit.actor)
  if (complaint !== undefined) return refused(visit, format, complaint.message)
  if (format.state === "own") return goTo(visit, FORMATS, done(`${format.name} is deleted.`))
  return goTo(visit, at(FORMAT, format.id), done("The built-in format shows again."))
}

function refused(visit: PersonVisit, { id }: ListedFormat, message: string): Response {
  return goTo(visit, at(FORMAT, id), problem(`It ${message}.`))
}

async function askDelete(visit: PersonVisit): Promise<Response> {
  const format = await findFormat(visit)
  if (format === undefined) return pageNotFound(visit)
  const isOwn = format.state === "own"
  return page(visit, {
    title: "Delete format",
    active: FORMATS,
    body: (
      <Confirm
        title={isOwn ? `Delete ${format.name}?` : `Go back to the built-in ${format.id}?`}
        action={at(FORMAT, format.id, "delete")}
        submit={isOwn ? "Delete the format" : "Go back to the built-in one"}
        cancel={at(FORMAT, format.id)}
      >
        <p>What you wrote is gone then. This cannot be undone.</p>
      </Confirm>
    ),
  })
}

export const formatRoutes = [
  forOperator("GET", FORMATS, list),
  forOperator("GET", `${FORMATS}.csv`, async (visit) => listCsv("formats", CSV_COLUMNS, (await chosen(visit)).formats)),
  forOperator("POST", `${FORMAT}/:format/hide`, hide),
  forOperator("GET", `${FORMAT}/:format/delete`, askDelete),
  forOperator("POST", `${FORMAT}/:format/delete`, takeBack),
]
