import type { ComponentChildren } from "preact"
import type { Problems } from "../../../../actions/catalogue/edit-catalogue.ts"
import { type Revision, revisionOf } from "../../../../domain/edit-conflict.ts"
import { salesTrail } from "../../agent-sales/section.tsx"
import { type Errors, readForm, type SentForm } from "../../form.ts"
import { AGENT_SALES, at, PRODUCTS } from "../../frame/navigation.ts"
import { conflictPage } from "../../parts/form/conflict.tsx"
import { TextArea } from "../../parts/form/fields.tsx"
import { type Draft, Form, startedFrom } from "../../parts/form/form.tsx"
import { headedPage } from "../../parts/page.tsx"
import { forOperator, type Route, withFound } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { asJson, JSON_HINT, jsonErrors, readJson } from "./json.ts"

/** A thing of the catalogue, which is edited as a form or as JSON; null is one that is new. */
interface Thing<Stored> {
  readonly what: "product" | "format"
  /** The list of all of them, and the address of one without its id. */
  readonly list: { readonly href: string; readonly label: string }
  readonly page: string
  readonly jsonRows: number
  find(visit: PersonVisit): Promise<Stored | null | undefined>
  nameOf(stored: Stored): string
  revisionSeen(stored: Stored | null): Revision
  /** What JSON shows. */
  bodyOf(stored: Stored | null): unknown
  /** The label of a field where two versions are compared. */
  label(name: string): string
  actions(stored: Stored): ComponentChildren
  intro?(stored: Stored): ComponentChildren
  /** Pages about the same thing, between its form and its JSON. */
  moreTabs?(stored: Stored): readonly { readonly href: string; readonly label: string }[]
  submit(stored: Stored | null): string
  saveNote(stored: Stored | null): string
  save(visit: PersonVisit, stored: Stored | null, body: unknown, seen: Revision): Promise<Problems | "changed">
  saved(visit: PersonVisit, stored: Stored | null, body: unknown): Response | Promise<Response>
}

/** The same with its form. */
export interface Editor<Stored, Typed extends object> extends Thing<Stored> {
  typedOf(stored: Stored | null, visit: PersonVisit): Typed | Promise<Typed>
  readTyped(form: SentForm, stored: Stored | null): Typed
  /** A button of a list in the form was pressed: one more row, or one less. Null when none was. */
  changedRows(form: SentForm, typed: Typed): Typed | null
  /** What was typed as it is stored, with errors for texts that cannot be. */
  typedBody(typed: Typed, stored: Stored | null): { readonly body: unknown; readonly errors: Errors }
  problemErrors(problems: Problems, body: unknown): Errors
  fields(visit: PersonVisit, stored: Stored | null, draft: Draft<Typed>, jsonHref: string): Promise<ComponentChildren>
}

/** One way to edit it. */
interface View<Stored, Typed> {
  readonly path: readonly string[]
  typedOf(stored: Stored | null, visit: PersonVisit): Typed | Promise<Typed>
  /** Without a body the page comes back as it is. */
  read(
    form: SentForm,
    stored: Stored | null,
  ): { readonly typed: Typed; readonly errors?: Errors; readonly body?: unknown }
  problemErrors(problems: Problems, typed: Typed, body: unknown): Errors
  fields(visit: PersonVisit, stored: Stored | null, draft: Draft<Typed>): Promise<ComponentChildren>
}

type Identified = { readonly id: string }
type Json = { readonly json: string }

const FORM: readonly string[] = []
const JSON_PATH = ["json"]

export function editorRoutes<Stored extends Identified, Typed extends object>(editor: Editor<Stored, Typed>): Route[] {
  return [...viewRoutes(editor, formView(editor)), ...viewRoutes(editor, jsonView(editor))]
}

function formView<Stored extends Identified, Typed extends object>(editor: Editor<Stored, Typed>): View<Stored, Typed> {
  return {
    path: FORM,
    typedOf: editor.typedOf,
    read(form, stored) {
      const typed = editor.readTyped(form, stored)
      const rows = editor.changedRows(form, typed)
      return rows === null ? { typed, ...editor.typedBody(typed, stored) } : { typed: rows }
    },
    problemErrors: (problems, _, body) => editor.problemErrors(problems, body),
    fields: (visit, stored, draft) => editor.fields(visit, stored, draft, addressOf(editor, stored, JSON_PATH)),
  }
}

function jsonView<Stored extends Identified>(editor: Thing<Stored>): View<Stored, Json> {
  const { what, jsonRows } = editor
  return {
    path: JSON_PATH,
    typedOf: (stored) => ({ json: asJson(editor.bodyOf(stored)) }),
    read(form) {
      const typed = { json: form.raw("json") }
      const read = readJson(typed.json)
      return read.ok ? { typed, body: read.value } : { typed, errors: read.errors }
    },
    problemErrors: (problems, { json }) => jsonErrors(json, problems),
    fields: async () => (
      <TextArea name="json" label={`The ${what} as AdCP 3.1 JSON`} rows={jsonRows} required hint={JSON_HINT} />
    ),
  }
}

/** Products have a tab of the section; everything else is below it. */
const trailOf = (list: { readonly href: string; readonly label: string }) =>
  list.href === PRODUCTS ? salesTrail(PRODUCTS) : [...salesTrail(PRODUCTS), list]

type Addressed = { readonly list: { readonly href: string }; readonly page: string }

const addressOf = ({ list, page }: Addressed, stored: Identified | null, path: readonly string[]) =>
  stored === null ? [`${list.href}/new`, ...path].join("/") : at(page, stored.id, ...path)

function viewRoutes<Stored extends Identified, Typed extends object>(
  editor: Thing<Stored>,
  view: View<Stored, Typed>,
): Route[] {
  const start = async (visit: PersonVisit, stored: Stored | null) => {
    const typed = await view.typedOf(stored, visit)
    return { typed, started: { revision: editor.revisionSeen(stored), shown: revisionOf(typed) } }
  }

  async function show(visit: PersonVisit, stored: Stored | null, typed?: Draft<Typed>): Promise<Response> {
    const draft = typed ?? (await start(visit, stored))
    return editPage(visit, { editor, stored, path: view.path, draft, fields: await view.fields(visit, stored, draft) })
  }

  async function save(visit: PersonVisit, stored: Stored | null): Promise<Response> {
    const form = await readForm(visit.request)
    const started = startedFrom(form)
    const { typed, body, errors = {} } = view.read(form, stored)
    if (body === undefined) return show(visit, stored, { typed, errors, started })
    const seen = stored === null ? editor.revisionSeen(null) : started.revision
    const problems = await editor.save(visit, stored, body, seen)
    if (problems === "changed") {
      return withFound(editor.find, (_, now) => conflict(visit, now, typed, started.shown))(visit)
    }
    if (problems.length === 0) return editor.saved(visit, stored, body)
    return show(visit, stored, { typed, errors: { ...view.problemErrors(problems, typed, body), ...errors }, started })
  }

  async function conflict(visit: PersonVisit, now: Stored, mine: Typed, shown: Revision): Promise<Response> {
    const action = addressOf(editor, now, view.path)
    const { typed: theirs, started } = await start(visit, now)
    return conflictPage(visit, {
      title: editor.nameOf(now),
      active: AGENT_SALES,
      trail: trailOf(editor.list),
      what: `this ${editor.what}`,
      changes: [[`save ${editor.what}`, now.id]],
      action,
      theirsHref: action,
      shown,
      mine,
      theirs,
      started,
      labels: (name) => (name === "json" ? "JSON" : editor.label(name)),
    })
  }

  const create = addressOf(editor, null, view.path)
  const edit = [`${editor.page}/:${editor.what}`, ...view.path].join("/")
  return [
    forOperator("GET", create, (visit) => show(visit, null)),
    forOperator("POST", create, (visit) => save(visit, null)),
    forOperator(
      "GET",
      edit,
      withFound(editor.find, (visit, stored) => show(visit, stored)),
    ),
    forOperator("POST", edit, withFound(editor.find, save)),
  ]
}

interface EditPage<Stored extends Identified> {
  readonly editor: Thing<Stored>
  readonly stored: Stored | null
  readonly path: readonly string[]
  readonly draft: Draft<object>
  readonly fields: ComponentChildren
}

function editPage<Stored extends Identified>(visit: PersonVisit, shown: EditPage<Stored>): Response {
  const { editor, stored, path, draft, fields } = shown
  const action = addressOf(editor, stored, path)
  return headedPage(visit, {
    title: stored === null ? `New ${editor.what}` : editor.nameOf(stored),
    active: AGENT_SALES,
    trail: trailOf(editor.list),
    actions: stored && editor.actions(stored),
    intro: stored && editor.intro?.(stored),
    tabs: {
      label: "How to edit",
      current: action,
      tabs: [
        { href: addressOf(editor, stored, FORM), label: "Details" },
        ...(stored === null ? [] : (editor.moreTabs?.(stored) ?? [])),
        { href: addressOf(editor, stored, JSON_PATH), label: "Edit as JSON" },
      ],
    },
    body: (
      <Form
        action={`${action}${visit.url.search}`}
        submit={editor.submit(stored)}
        cancel={editor.list.href}
        draft={draft}
        saveNote={editor.saveNote(stored)}
      >
        {fields}
      </Form>
    ),
  })
}
