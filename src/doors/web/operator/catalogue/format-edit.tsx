import type { ComponentChildren } from "preact"
import {
  bodyRevision,
  changeFormat,
  type Problems,
  problemsOfFormat,
} from "../../../../actions/catalogue/edit-catalogue.ts"
import { type ListedFormat, listFormats } from "../../../../actions/catalogue/list-formats.ts"
import { type Revision, revisionOf } from "../../../../domain/edit-conflict.ts"
import { formatIdOf } from "../../../../domain/import/import-plan.ts"
import { type FormTexts, readTexts, textsOf } from "../../../../domain/schema/form/texts.ts"
import { readForm } from "../../form.ts"
import { at, FORMAT, FORMATS, PRODUCT } from "../../frame/navigation.ts"
import { AskFirst } from "../../parts/buttons.tsx"
import { Badge } from "../../parts/feedback.tsx"
import { conflictPage } from "../../parts/form/conflict.tsx"
import { TextArea } from "../../parts/form/fields.tsx"
import { type Draft, Form, startedFrom } from "../../parts/form/form.tsx"
import { headedPage } from "../../parts/page.tsx"
import { done, goTo } from "../../respond.ts"
import { forOperator, withFound } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { FormatFieldset } from "./format-fieldset.tsx"
import { changedRows, FORMAT_PART, FORMAT_WORDS, formatErrors, leftToJson, readFormatTexts } from "./format-form.ts"
import { findFormat } from "./formats.tsx"
import { asJson, JSON_HINT, jsonErrors, readJson } from "./json.ts"

const EXAMPLE = {
  format_id: { id: "" },
  name: "",
  assets: [{ item_type: "individual", asset_id: "banner_image", asset_type: "image", required: true }],
  canonical: { kind: "image" },
}

const FORM = [] as const
const JSON_VIEW = ["json"] as const
type View = typeof FORM | typeof JSON_VIEW

const addressOf = (stored: ListedFormat | null, view: View) =>
  stored === null ? [`${FORMATS}/new`, ...view].join("/") : at(FORMAT, stored.id, ...view)

/** Nothing is stored for a built-in format, and null for one that is hidden. */
function revisionSeen(stored: ListedFormat | null): Revision {
  const isBuiltIn = stored === null || stored.state === "built-in"
  return bodyRevision(isBuiltIn ? undefined : stored.state === "hidden" ? null : stored.format)
}

type EditPage = Readonly<{ stored: ListedFormat | null; view: View; draft: Draft<object>; fields: ComponentChildren }>

/** A format to edit, as a form or as JSON. */
function editPage(visit: PersonVisit, { stored, view, draft, fields }: EditPage): Response {
  return headedPage(visit, {
    title: stored?.name ?? "New format",
    active: FORMATS,
    trail: [{ href: FORMATS, label: "Formats" }],
    actions: stored && <Actions of={stored} />,
    intro: stored && <About format={stored} />,
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
        submit={submitOf(stored)}
        cancel={FORMATS}
        draft={draft}
        saveNote={stored?.state === "built-in" ? BUILT_IN_NOTE : "Agents see changes at once."}
      >
        {fields}
      </Form>
    ),
  })
}

const BUILT_IN_NOTE = "This format is built in. What you save replaces it until you restore it."

function submitOf(stored: ListedFormat | null): string {
  return stored?.state === "built-in" || stored?.state === "hidden" ? "Replace it" : "Save format"
}

function formStart(stored: ListedFormat | null): Draft<FormTexts> {
  const typed = textsOf(FORMAT_PART, stored?.format ?? EXAMPLE)
  return { typed, started: { revision: revisionSeen(stored), shown: revisionOf(typed) } }
}

function jsonStart(stored: ListedFormat | null): Draft<{ readonly json: string }> {
  const typed = { json: asJson(stored?.format ?? EXAMPLE) }
  return { typed, started: { revision: revisionSeen(stored), shown: revisionOf(typed) } }
}

function formPage(visit: PersonVisit, stored: ListedFormat | null, draft = formStart(stored)): Response {
  const jsonHref = addressOf(stored, JSON_VIEW)
  const left = stored === null ? [] : leftToJson(stored.format)
  const fields = (
    <FormatFieldset
      texts={draft.typed}
      errors={draft.errors ?? {}}
      isNew={stored === null}
      left={left}
      jsonHref={jsonHref}
    />
  )
  return editPage(visit, { stored, view: FORM, draft, fields })
}

function jsonPage(visit: PersonVisit, stored: ListedFormat | null, draft = jsonStart(stored)): Response {
  const fields = <TextArea name="json" label="The format as AdCP 3.1 JSON" rows={26} required hint={JSON_HINT} />
  return editPage(visit, { stored, view: JSON_VIEW, draft, fields })
}

function About({ format: { id, state, usedBy } }: { readonly format: ListedFormat }) {
  return (
    <p class="soft">
      <code>{id}</code> <Badge tone={state === "hidden" ? "bad" : "off"}>{state}</Badge>{" "}
      {usedBy.length > 0 && (
        <>
          Used by{" "}
          {usedBy.map((product, index) => (
            <>
              {index > 0 && ", "}
              <a href={at(PRODUCT, product)}>{product}</a>
            </>
          ))}
        </>
      )}
    </p>
  )
}

function Actions({ of: { id, name, state } }: { readonly of: ListedFormat }) {
  return (
    <>
      {(state === "built-in" || state === "replaced") && (
        <form method="post" action={at(FORMAT, id, "hide")}>
          <button type="submit" class="button">
            Hide
          </button>
        </form>
      )}
      {state === "hidden" && (
        <form method="post" action={at(FORMAT, id, "delete")}>
          <button type="submit" class="button">
            Show again
          </button>
        </form>
      )}
      {(state === "own" || state === "replaced") && (
        <AskFirst
          id="delete-format"
          href={at(FORMAT, id, "delete")}
          label={state === "own" ? "Delete" : "Restore the built-in format"}
          question={state === "own" ? `Delete ${name}?` : `Restore the built-in ${id}?`}
          submit={state === "own" ? "Delete format" : "Restore the built-in format"}
        >
          <p>Your version will be deleted. This cannot be undone.</p>
        </AskFirst>
      )}
    </>
  )
}

async function saveForm(visit: PersonVisit, stored: ListedFormat | null): Promise<Response> {
  const form = await readForm(visit.request)
  const started = startedFrom(form)
  const texts = readFormatTexts(form)
  const typed = stored === null ? texts : { ...texts, "format_id.id": stored.id }
  const rows = changedRows(form, typed)
  if (rows !== null) return formPage(visit, stored, { typed: rows, started })
  const { value, errors } = readTexts(FORMAT_PART, typed, stored?.format)
  const problems = await save(visit, stored, value, started.revision)
  if (problems === "changed") {
    return withFound(findFormat, (_, now) => conflict(visit, now, FORM, { shown: started.shown, mine: typed }))(visit)
  }
  if (problems.length === 0) return saved(visit, value)
  const shown = Object.keys(textsOf(FORMAT_PART, value))
  return formPage(visit, stored, { typed, errors: { ...formatErrors(problems, shown), ...errors }, started })
}

async function saveJson(visit: PersonVisit, stored: ListedFormat | null): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { json: form.raw("json") }
  const started = startedFrom(form)
  const read = readJson(typed.json)
  if (!read.ok) return jsonPage(visit, stored, { typed, errors: read.errors, started })
  const problems = await save(visit, stored, read.value, started.revision)
  if (problems === "changed") {
    return withFound(findFormat, (_, now) => conflict(visit, now, JSON_VIEW, { shown: started.shown, mine: typed }))(
      visit,
    )
  }
  if (problems.length === 0) return saved(visit, read.value)
  return jsonPage(visit, stored, { typed, errors: jsonErrors(typed.json, problems), started })
}

function conflict(
  visit: PersonVisit,
  now: ListedFormat,
  view: View,
  { shown, mine }: { readonly shown: Revision; readonly mine: object },
): Promise<Response> {
  const { typed: theirs, started } = view === FORM ? formStart(now) : jsonStart(now)
  const action = addressOf(now, view)
  return conflictPage(visit, {
    title: now.name,
    active: FORMATS,
    trail: [{ href: FORMATS, label: "Formats" }],
    what: "this format",
    changes: [["save format", now.id]],
    action,
    theirsHref: action,
    shown,
    mine,
    theirs,
    started,
    // The rows of a list are chosen together.
    labels: (name) => (name === "json" ? "JSON" : FORMAT_WORDS.label(name.split(".")[0] ?? name)),
  })
}

/** Saves it, or says everything that is wrong with it, its id included. */
async function save(
  { context, actor }: PersonVisit,
  stored: ListedFormat | null,
  body: unknown,
  revision: Revision,
): Promise<Problems | "changed"> {
  const id = formatIdOf(body)
  const pointer = "/format_id/id"
  const isTaken = stored === null && (await listFormats(context)).some((format) => format.id === id)
  const message = isTaken ? `"${id}" already exists: open it to change or replace it` : `must stay "${stored?.id}"`
  if (!isTaken && (stored === null || id === stored.id)) {
    return changeFormat(context, body, { seen: stored === null ? revisionSeen(null) : revision, actor })
  }
  return [{ pointer, message }, ...(await problemsOfFormat(context, body))]
}

const saved = (visit: PersonVisit, body: unknown): Response =>
  goTo(visit, at(FORMAT, formatIdOf(body)), done("The format has been saved."))

const NEW = `${FORMATS}/new`
const EDIT = `${FORMAT}/:format`

export const formatEditRoutes = [
  forOperator("GET", NEW, (visit) => formPage(visit, null)),
  forOperator("POST", NEW, (visit) => saveForm(visit, null)),
  forOperator("GET", `${NEW}/json`, (visit) => jsonPage(visit, null)),
  forOperator("POST", `${NEW}/json`, (visit) => saveJson(visit, null)),
  forOperator(
    "GET",
    EDIT,
    withFound(findFormat, (visit, stored) => formPage(visit, stored)),
  ),
  forOperator("POST", EDIT, withFound(findFormat, saveForm)),
  forOperator(
    "GET",
    `${EDIT}/json`,
    withFound(findFormat, (visit, stored) => jsonPage(visit, stored)),
  ),
  forOperator("POST", `${EDIT}/json`, withFound(findFormat, saveJson)),
]
