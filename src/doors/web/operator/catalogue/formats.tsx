import {
  bodySeen,
  changeFormat,
  deleteFormat,
  hideFormat,
  problemsOfFormat,
} from "../../../../actions/catalogue/edit-catalogue.ts"
import { type ListedFormat, listFormats } from "../../../../actions/catalogue/list-formats.ts"
import type { Seen } from "../../../../domain/edit-conflict.ts"
import { formatIdOf } from "../../../../domain/import/import-plan.ts"
import { readTexts, textsOf } from "../../../../domain/schema/form/texts.ts"
import { capitalized } from "../../../../domain/text/short-text.ts"
import { nextTurn } from "../../../../next-turn.ts"
import { salesTrail } from "../../agent-sales/section.tsx"
import { FORMAT, FORMATS, itemAddress, PRODUCTS } from "../../frame/navigation.ts"
import { askFirst, forOperator, withFound } from "../../guards.ts"
import { listing } from "../../lists.tsx"
import { Badge, ButtonLink, PostButton, type Tone } from "../../parts/blocks.tsx"
import { listInWords } from "../../parts/format.tsx"
import { AskButton, done, goTo, problem, type Question } from "../../respond.tsx"
import { type PersonVisit, param } from "../../visit.ts"
import { type Editor, editorRoutes } from "./editor.tsx"
import { FORMAT_PART, FORMAT_WORDS, formatErrors, formatFields } from "./format-form.tsx"
import { spoken } from "./words.ts"

const TONES: Readonly<Record<ListedFormat["state"], Tone>> = {
  own: "good",
  replaced: "warn",
  hidden: "bad",
  "built-in": "off",
}
const STATES = { own: "Your own", replaced: "Replaced", hidden: "Hidden", "built-in": "Built-in" } as const

const State = ({ state }: Pick<ListedFormat, "state">) => <Badge tone={TONES[state]}>{STATES[state]}</Badge>

const kindOf = ({ format }: ListedFormat) => capitalized(spoken(format.canonical?.kind ?? ""))

const all = listing<PersonVisit, ListedFormat>({
  what: "formats",
  searched: "names and IDs",
  states: STATES,
  rules: {
    searched: ({ id, name }) => `${id}\n${name}`,
    states: Object.fromEntries(Object.keys(TONES).map((wanted) => [wanted, (format) => format.state === wanted])),
    sorts: { name: ({ name }) => name, kind: kindOf, used: ({ usedBy }) => usedBy.length },
    largestFirst: ["used"],
  },
  async rows({ context }) {
    const formats = await listFormats(context)
    await nextTurn()
    return formats
  },
  columns: () => [
    { title: "Format", sortBy: "name", value: ({ name }) => name, href: ({ id }) => itemAddress(FORMAT, id) },
    { title: "ID", narrow: "large", cell: ({ id }) => <code class="soft">{id}</code>, value: ({ id }) => id },
    { title: "Kind", sortBy: "kind", cell: kindOf, value: ({ format }) => format.canonical?.kind ?? "" },
    { title: "State", cell: ({ state }) => <State state={state} />, value: ({ state }) => state },
    { title: "Products", sortBy: "used", numeric: true, value: ({ usedBy }) => usedBy.length },
  ],
})

async function findFormat(visit: PersonVisit) {
  const id = param(visit, "format")
  const found = (await listFormats(visit.context)).find((format) => format.id === id)
  return found && { ...found, body: found.format, seen: seenOf(found) }
}

/** Nothing is stored for a built-in format, and null for one that is hidden. */
function seenOf({ state, format }: ListedFormat): Seen {
  if (state === "hidden") return bodySeen(null)
  return bodySeen(state === "built-in" ? undefined : format)
}

async function hide(visit: PersonVisit, { id, name }: ListedFormat): Promise<Response> {
  const [reason] = await hideFormat(visit.context, id, visit.actor)
  const flash = reason ? problem(`It ${reason.message}.`) : done(`${name} is now hidden from buyers’ agents.`)
  return goTo(visit, itemAddress(FORMAT, id), flash)
}

/** A hidden format comes back at once; one of the operator's own is gone for good, so that is asked first. */
async function remove(visit: PersonVisit, { id, name, state }: ListedFormat): Promise<Response> {
  const [reason] = await deleteFormat(visit.context, id, visit.actor)
  if (reason !== undefined) return goTo(visit, itemAddress(FORMAT, id), problem(`It ${reason.message}.`))
  if (state === "own") return goTo(visit, FORMATS, done(`${name} has been deleted.`))
  return goTo(visit, itemAddress(FORMAT, id), done("The built-in format is shown again."))
}

function deleteQuestion({ id, name, state }: ListedFormat): Question {
  const isOwn = state === "own"
  return {
    title: isOwn ? `Delete ${name}?` : `Restore the built-in ${id}?`,
    href: itemAddress(FORMAT, id, "delete"),
    submit: isOwn ? "Delete format" : "Restore the built-in format",
    text: "Your version will be deleted. This cannot be undone.",
  }
}

const EXAMPLE = {
  format_id: { id: "" },
  name: "",
  assets: [{ item_type: "individual", asset_id: "banner_image", asset_type: "image", required: true }],
  canonical: { kind: "image" },
}

const About = ({ format: { id, state, usedBy } }: { readonly format: ListedFormat }) => (
  <p class="soft">
    <code>{id}</code> <State state={state} /> {usedBy.length > 0 && `Used by ${namesOf(usedBy)}`}
  </p>
)

// A common format may be used by every product.
const namesOf = (products: ListedFormat["usedBy"]) =>
  listInWords(
    products.map(({ name }) => name),
    10,
  )

function Actions({ of: format }: { readonly of: ListedFormat }) {
  const { id, state, usedBy } = format
  const [isOwn, isReplaced, isHidden] = [state === "own", state === "replaced", state === "hidden"]
  const [isFree, verb] = [usedBy.length === 0, isHidden ? "delete" : "hide"]
  return [
    !isOwn && isFree && <PostButton action={itemAddress(FORMAT, id, verb)} label={isHidden ? "Show again" : "Hide"} />,
    (isReplaced || (isOwn && isFree)) && (
      <AskButton label={isOwn ? "Delete" : "Restore the built-in format"} question={deleteQuestion(format)} />
    ),
  ]
}

const BUILT_IN_NOTE = "This format is built in. What you save replaces it until you restore it."

const editor: Editor<NonNullable<Awaited<ReturnType<typeof findFormat>>>> = {
  what: "format",
  list: FORMATS,
  trail: [...salesTrail(PRODUCTS), { href: FORMATS, label: "Formats" }],
  page: FORMAT,
  find: findFormat,
  idField: "format_id.id",
  lists: FORMAT_PART,
  textsOf: (stored) => textsOf(FORMAT_PART, stored?.format ?? EXAMPLE),
  typedBody(typed, stored) {
    const { value: body, errors } = readTexts(FORMAT_PART, typed, stored?.format)
    return { body, errors }
  },
  problemErrors: (problems, body) => formatErrors(problems, Object.keys(textsOf(FORMAT_PART, body))),
  fields: formatFields,
  // The rows of a list are chosen together.
  label: (name) => FORMAT_WORDS.label(name.split(".")[0] ?? name),
  head: (stored) => ({ actions: <Actions of={stored} />, intro: <About format={stored} /> }),
  button: (stored) => ({
    ...((stored?.state === "built-in" || stored?.state === "hidden") && { submit: "Replace it" }),
    ...(stored?.state === "built-in" && { saveNote: BUILT_IN_NOTE }),
  }),
  /** Saves it, or says everything that is wrong with it, its id included. */
  async save({ context, actor }, stored, body, seen) {
    const id = formatIdOf(body)
    const isTaken = stored === null && (await listFormats(context)).some((format) => format.id === id)
    if (!isTaken && (stored === null || id === stored.id)) return changeFormat(context, body, { seen, actor })
    const message = isTaken ? `"${id}" already exists: open it to change or replace it` : `must stay "${stored?.id}"`
    return [{ pointer: "/format_id/id", message }, ...(await problemsOfFormat(context, body))]
  },
  saved: (visit, _, body) =>
    goTo(visit, itemAddress(FORMAT, formatIdOf(body)), done("The format has been saved.", FORMATS, "All formats")),
}

export const formatRoutes = [
  ...all.routes(forOperator, FORMATS, {
    title: "Formats",
    trail: salesTrail(PRODUCTS),
    actions: <ButtonLink kind="primary" href={`${FORMATS}/new`} label="New format" />,
    intro:
      "What creatives may look like. The common formats are built in. Add your own, replace a built-in format, or hide those you don’t take.",
  }),
  forOperator("POST", `${FORMAT}/:format/hide`, withFound(findFormat, hide)),
  ...askFirst(forOperator, `${FORMAT}/:format/delete`, findFormat, remove, (_, stored) => deleteQuestion(stored)),
  ...editorRoutes(editor),
]
