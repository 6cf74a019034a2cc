import type { ComponentChildren } from "preact"
import type { Problems } from "../../../../actions/catalogue/edit-catalogue.ts"
import type { Revision } from "../../../../domain/edit-conflict.ts"
import type { FormPart } from "../../../../domain/schema/form/part.ts"
import { type FormTexts, listAt, rowCount, withoutRow, withRow } from "../../../../domain/schema/form/texts.ts"
import type { Errors, SentForm } from "../../form.ts"
import { itemAddress } from "../../frame/navigation.ts"
import { type Editing, editing, editingRoutes } from "../../parts/form/editing.tsx"
import { TextArea } from "../../parts/form/fields.tsx"
import { type Draft, Form } from "../../parts/form/form.tsx"
import { headedPage, type Trail } from "../../parts/page.tsx"
import { forOperator, type Route } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { asJson, JSON_HINT, jsonErrors, readJson } from "./json.ts"

type Identified = { readonly id: string }
type HeadedTabs = NonNullable<Parameters<typeof headedPage>[1]["tabs"]>

/** A thing of the catalogue, which is edited as a form or as JSON; null is one that is new. */
export interface Editor<Stored extends Identified> {
  readonly what: "product" | "format"
  /** The list of all of them, where that is, and the address of one without its id. */
  readonly list: string
  readonly trail: Trail
  readonly page: string
  find(visit: PersonVisit): Promise<Stored | null | undefined>
  nameOf(stored: Stored): string
  revisionSeen(stored: Stored | null): Revision
  /** What JSON shows. */
  bodyOf(stored: Stored | null): unknown
  /** The form: the field with the id, its lists, and the texts that it shows. */
  readonly idField: string
  readonly lists: FormPart
  textsOf(stored: Stored | null, visit: PersonVisit): FormTexts | Promise<FormTexts>
  /** What a new row begins with. */
  newRow?(texts: FormTexts, row: number): FormTexts
  /** What was typed as it is stored, with errors for texts that cannot be. */
  typedBody(texts: FormTexts, stored: Stored | null): { readonly body: unknown; readonly errors: Errors }
  problemErrors(problems: Problems, body: unknown): Errors
  fields(
    visit: PersonVisit,
    stored: Stored | null,
    draft: Draft<FormTexts>,
    jsonHref: string,
  ): Promise<ComponentChildren>
  /** The label of a field where two versions are compared. */
  label(name: string): string
  /** What its texts say there, where they are codes. */
  words?(texts: FormTexts): string | null
  actions(stored: Stored): ComponentChildren
  intro?(stored: Stored): ComponentChildren
  /** Where it has more pages than a form and JSON. */
  tabs?(id: string, current: string): HeadedTabs
  submit(stored: Stored | null): string
  saveNote(stored: Stored | null): string
  /** `texts` are what the form says besides the body. */
  save(
    visit: PersonVisit,
    stored: Stored | null,
    body: unknown,
    seen: Revision,
    texts: FormTexts,
  ): Promise<Problems | "changed">
  saved(visit: PersonVisit, stored: Stored | null, body: unknown): Response | Promise<Response>
}

/** Without a body the page comes back as it is. */
type Typed = Readonly<{ texts: FormTexts; errors?: Errors; body?: unknown }>

/** It is edited as a form, and at the address below it as JSON. */
type Path = readonly [] | readonly ["json"]

const FORM: Path = []
const JSON_PATH: Path = ["json"]

export const editorRoutes = <Stored extends Identified>(editor: Editor<Stored>): Route[] =>
  [FORM, JSON_PATH].flatMap((path) => viewRoutes(editor, path))

function readFields<Stored extends Identified>(editor: Editor<Stored>, form: SentForm, stored: Stored | null): Typed {
  const texts = { ...textsIn(form), ...(stored !== null && { [editor.idField]: stored.id }) }
  const changed = withChangedRows(editor, form, texts)
  return changed === null ? { texts, ...editor.typedBody(texts, stored) } : { texts: changed }
}

function readTypedJson(form: SentForm): Typed {
  const json = form.raw("json")
  const read = readJson(json)
  // Written as we write it: complaints name its lines.
  return read.ok ? { texts: { json: asJson(read.value) }, body: read.value } : { texts: { json }, errors: read.errors }
}

const BUTTONS = /^(?:add_row|remove_row|revision|shown|new_row\..*)$/

/** The texts that were sent, as the form shows them again. */
function textsIn(form: SentForm): FormTexts {
  const names = new Set(form.entries().map(([name]) => name))
  const all = [...names].filter((name) => !BUTTONS.test(name)).map((name) => [name, form.all(name)] as const)
  return Object.fromEntries(all.map(([name, texts]) => [name, texts.length > 1 ? texts : form.raw(name)]))
}

/** A button of a list was pressed: one more row, or one less. Null when none was. */
function withChangedRows<Stored extends Identified>(
  { lists, newRow }: Editor<Stored>,
  form: SentForm,
  texts: FormTexts,
): FormTexts | null {
  if (form.has("remove_row")) return withoutRow(texts, form.text("remove_row"))
  const list = form.text("add_row")
  if (list === "") return null
  const shapes = listAt(lists, texts, list) ?? []
  const shape = shapes.find(({ name }) => name === form.text(`new_row.${list}`)) ?? shapes[0]
  return shape === undefined ? texts : { ...withRow(texts, list, shape), ...newRow?.(texts, rowCount(texts, list)) }
}

const addressOf = ({ list, page }: Pick<Editor<never>, "list" | "page">, stored: Identified | null, path: Path) =>
  stored === null ? [`${list}/new`, ...path].join("/") : itemAddress(page, stored.id, ...path)

function tabsOf<Stored extends Identified>(editor: Editor<Stored>, stored: Stored | null, current: string): HeadedTabs {
  const form = { href: addressOf(editor, stored, FORM), label: "Details" }
  const json = { href: addressOf(editor, stored, JSON_PATH), label: "Edit as JSON" }
  return (stored && editor.tabs?.(stored.id, current)) ?? { label: "How to edit", current, tabs: [form, json] }
}

/** What is edited; null where it is new. */
type Found<Stored> = { readonly stored: Stored | null }

function editingOf<Stored extends Identified>(
  editor: Editor<Stored>,
  path: Path,
): Editing<PersonVisit, Found<Stored>, Typed> {
  const isJson = path === JSON_PATH
  const { what } = editor
  const jsonField = <TextArea name="json" label={`The ${what} as AdCP 3.1 JSON`} rows={28} required hint={JSON_HINT} />
  return {
    async find(visit) {
      const stored = await editor.find(visit)
      return stored == null ? null : { stored }
    },
    async start({ stored }, visit) {
      const texts = isJson ? { json: asJson(editor.bodyOf(stored)) } : await editor.textsOf(stored, visit)
      return { typed: { texts }, revision: editor.revisionSeen(stored) }
    },
    async page(visit, { stored }, { typed, ...rest }) {
      const draft = { ...rest, typed: typed.texts }
      const action = addressOf(editor, stored, path)
      return headedPage(visit, {
        title: stored === null ? `New ${what}` : editor.nameOf(stored),
        trail: editor.trail,
        actions: stored && editor.actions(stored),
        intro: stored && editor.intro?.(stored),
        tabs: tabsOf(editor, stored, action),
        body: (
          <Form
            action={`${action}${visit.url.search}`}
            submit={editor.submit(stored)}
            cancel={editor.list}
            draft={draft}
            saveNote={editor.saveNote(stored)}
          >
            {isJson ? jsonField : await editor.fields(visit, stored, draft, addressOf(editor, stored, JSON_PATH))}
          </Form>
        ),
      })
    },
    read: (form, { stored }) => (isJson ? readTypedJson(form) : readFields(editor, form, stored)),
    async save(visit, { stored }, { body, texts, errors = {} }, { seen }) {
      if (body === undefined) return { outcome: "refused", errors }
      const since = stored === null ? editor.revisionSeen(null) : seen
      const problems = await editor.save(visit, stored, body, since, texts)
      if (problems === "changed") return { outcome: "changed" }
      if (problems.length === 0) return editor.saved(visit, stored, body)
      const wrong = isJson ? jsonErrors(body, problems) : editor.problemErrors(problems, body)
      return { outcome: "refused", errors: { ...wrong, ...errors } }
    },
    compared: (mine, theirs) => ({ mine: mine.texts, theirs: theirs.texts }),
    conflict: ({ stored }) => ({
      title: stored === null ? "" : editor.nameOf(stored),
      trail: editor.trail,
      what: `this ${what}`,
      changes: [[`save ${what}`, stored?.id ?? ""]],
      labels: (name) => (name === "json" ? "JSON" : editor.label(name)),
      ...(editor.words && { words: editor.words }),
    }),
  }
}

function viewRoutes<Stored extends Identified>(editor: Editor<Stored>, path: Path): Route[] {
  const edit = editingOf(editor, path)
  const { show, save } = editing(edit)
  const create = addressOf(editor, null, path)
  return [
    forOperator("GET", create, (visit) => show(visit, NEW)),
    forOperator("POST", create, (visit) => save(visit, NEW)),
    ...editingRoutes(forOperator, [`${editor.page}/:${editor.what}`, ...path].join("/"), edit),
  ]
}

const NEW = { stored: null }
