import { deleteFormat, hideFormat } from "../../../../actions/catalogue/edit-catalogue.ts"
import { type ListedFormat, listFormats } from "../../../../actions/catalogue/list-formats.ts"
import { nextTurn } from "../../../../domain/event-loop.ts"
import type { ListRules } from "../../../../domain/lists/list-query.ts"
import { at, FORMAT, FORMATS, PRODUCT } from "../../frame/navigation.ts"
import { askedPage, askedRows, type ListColumn, ListView } from "../../lists.tsx"
import { ButtonLink } from "../../parts/buttons.tsx"
import { Badge, type Tone } from "../../parts/feedback.tsx"
import { confirmPage, headedPage } from "../../parts/page.tsx"
import { listCsv } from "../../parts/table.tsx"
import { done, goTo, problem } from "../../respond.ts"
import { forOperator, withFound } from "../../route.ts"
import { type PersonVisit, param } from "../../visit.ts"

const TONES: Readonly<Record<ListedFormat["state"], Tone>> = {
  "built-in": "off",
  replaced: "warn",
  hidden: "bad",
  own: "good",
}

// A common format may be used by every product.
const USERS_SHOWN = 10

const kindOf = ({ format }: ListedFormat) => (format.canonical?.kind ?? "").replaceAll("_", " ")

const RULES: ListRules<ListedFormat> = {
  searched: ({ id, name }) => `${id}\n${name}`,
  states: {
    own: ({ state }) => state === "own",
    replaced: ({ state }) => state === "replaced",
    hidden: ({ state }) => state === "hidden",
    "built-in": ({ state }) => state === "built-in",
  },
  sorts: { name: ({ name }) => name, kind: kindOf, used: ({ usedBy }) => usedBy.length },
  largestFirst: ["used"],
}

const COLUMNS: readonly ListColumn<ListedFormat>[] = [
  {
    title: "Format",
    sortBy: "name",
    cell: ({ id, name }) => (
      <a class="name" href={at(FORMAT, id)}>
        {name}
      </a>
    ),
    value: ({ name }) => name,
  },
  { title: "ID", phone: "wide", cell: ({ id }) => <code class="soft">{id}</code> },
  {
    title: "Kind",
    sortBy: "kind",
    cell: kindOf,
    value: ({ format }) => format.canonical?.kind ?? "",
  },
  { title: "State", cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge>, value: ({ state }) => state },
  {
    title: "Used by",
    sortBy: "used",
    cell: ({ usedBy }) => (
      <>
        {usedBy.slice(0, USERS_SHOWN).map((id, index) => [index > 0 && ", ", <a href={at(PRODUCT, id)}>{id}</a>])}
        {usedBy.length > USERS_SHOWN && ` and ${usedBy.length - USERS_SHOWN} more`}
      </>
    ),
    value: ({ usedBy }) => usedBy.join(" "),
  },
]

const CSV_COLUMNS: readonly ListColumn<ListedFormat>[] = [{ title: "Id", value: ({ id }) => id }, ...COLUMNS]

const STATES = { own: "Your own", replaced: "Replaced", hidden: "Hidden", "built-in": "Built-in" }

async function list(visit: PersonVisit): Promise<Response> {
  const { url } = visit
  const formats = await listFormats(visit.context)
  await nextTurn()
  return headedPage(visit, {
    title: "Formats",
    active: FORMATS,
    actions: <ButtonLink kind="primary" href={`${FORMATS}/new`} label="New format" />,
    intro:
      "What creatives may look like. The common ones are built in; add your own, replace a " +
      "built-in one, or hide those that you do not accept.",
    body: (
      <ListView
        url={url}
        list={askedPage(url, RULES, formats)}
        rules={RULES}
        what="formats"
        searched="names and IDs"
        states={STATES}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        csv={`${FORMATS}.csv${url.search}`}
      />
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
  forOperator("GET", `${FORMATS}.csv`, async ({ context, url }) =>
    listCsv("formats", CSV_COLUMNS, askedRows(url, RULES, await listFormats(context))),
  ),
  forOperator("POST", `${FORMAT}/:format/hide`, withFound(findFormat, hide)),
  forOperator("GET", `${FORMAT}/:format/delete`, withFound(findFormat, askDelete)),
  forOperator("POST", `${FORMAT}/:format/delete`, withFound(findFormat, remove)),
]
