import type { ComponentChildren } from "preact"
import { bodySeen, type Problems } from "../../../../actions/catalogue/edit-catalogue.ts"
import type { Seen } from "../../../../domain/edit-conflict.ts"
import type { FormPart } from "../../../../domain/schema/form/part.ts"
import { type FormTexts, listAt, rowCount, withoutRow, withRow } from "../../../../domain/schema/form/texts.ts"
import type { Errors, SentForm } from "../../form.ts"
import { itemAddress } from "../../frame/navigation.ts"
import { forOperator, type Route } from "../../guards.ts"
import { type Editing, editing, editingRoutes } from "../../parts/form/editing.tsx"
import { type Draft, Form } from "../../parts/form/form.tsx"
import type { Trail } from "../../parts/page.tsx"
import { headedPage } from "../../respond.tsx"
import type { PersonVisit } from "../../visit.ts"

type Head = Pick<Parameters<typeof headedPage>[1], "actions" | "intro" | "tabs">

type Known = Readonly<{ id: string; name: string; body: unknown; seen: Seen }>

/** The fields of its form. */
export type Fields<Stored> = (
  visit: PersonVisit,
  stored: Stored | null,
  draft: Draft<FormTexts>,
) => Promise<ComponentChildren>

/** A thing of the catalogue, which is edited in a form; null is one that is new. */
export interface Editor<Stored extends Known> {
  readonly what: "product" | "format"
  /** The list of all of them, where that is, and the address of one without its id. */
  readonly list: string
  readonly trail: Trail
  readonly page: string
  find(visit: PersonVisit): Promise<Stored | null | undefined>
  /** The form: the field with the id, its lists, and the texts that it shows. */
  readonly idField: string
  readonly lists: FormPart
  textsOf(stored: Stored | null, visit: PersonVisit): FormTexts | Promise<FormTexts>
  /** What a new row begins with. */
  newRow?(texts: FormTexts, row: number): FormTexts
  /** What was typed as it is stored, with errors for texts that cannot be. */
  typedBody(texts: FormTexts, stored: Stored | null): { readonly body: unknown; readonly errors: Errors }
  problemErrors(problems: Problems, body: unknown): Errors
  readonly fields: Fields<Stored>
  /** The label of a field where two versions are compared. */
  label(name: string): string
  /** What its texts say there, where they are codes. */
  words?(texts: FormTexts): string | null
  /** What its page has above the form; `address` is that of the page. */
  head(stored: Stored, address: string): Head
  /** What is below its form. */
  below?(visit: PersonVisit, stored: Stored): Promise<ComponentChildren>
  /** The button, and what is said beside it, where saving is something else than changing one's own. */
  button?(stored: Stored | null): Readonly<{ submit?: string; saveNote?: string }>
  /** `texts` are what the form says besides the body. */
  save(
    visit: PersonVisit,
    stored: Stored | null,
    body: unknown,
    seen: Seen,
    texts: FormTexts,
  ): Promise<Problems | "changed">
  saved(visit: PersonVisit, stored: Stored | null, body: unknown, texts: FormTexts): Response | Promise<Response>
}

/** Without a body the page comes back as it is. */
type Typed = Readonly<{ texts: FormTexts; errors?: Errors; body?: unknown }>

function readFields<Stored extends Known>(editor: Editor<Stored>, form: SentForm, stored: Stored | null): Typed {
  const texts = { ...textsIn(form), ...(stored !== null && { [editor.idField]: stored.id }) }
  const changed = withChangedRows(editor, form, texts)
  return changed === null ? { texts, ...editor.typedBody(texts, stored) } : { texts: changed }
}

const BUTTONS = /^(?:add_row|remove_row|seen|shown|new_row\..*)$/

/** The texts that were sent, as the form shows them again. */
function textsIn(form: SentForm): FormTexts {
  const names = new Set(form.entries().map(([name]) => name))
  const all = [...names].filter((name) => !BUTTONS.test(name)).map((name) => [name, form.all(name)] as const)
  return Object.fromEntries(all.map(([name, texts]) => [name, texts.length > 1 ? texts : form.raw(name)]))
}

/** A button of a list was pressed: one more row, or one less. Null when none was. */
function withChangedRows<Stored extends Known>({ lists, newRow }: Editor<Stored>, form: SentForm, texts: FormTexts) {
  if (form.has("remove_row")) return withoutRow(texts, form.text("remove_row"))
  const list = form.text("add_row")
  if (list === "") return null
  const shapes = listAt(lists, texts, list) ?? []
  const shape = shapes.find(({ name }) => name === form.text(`new_row.${list}`)) ?? shapes[0]
  return shape === undefined ? texts : { ...withRow(texts, list, shape), ...newRow?.(texts, rowCount(texts, list)) }
}

/** Said of what a form does not show. */
export const StaysAsItIs = () => (
  <>
    It stays as it is; <a href="/docs/import-file">an import file</a> can change it.
  </>
)

/** What is edited; null where it is new. */
type Found<Stored> = { readonly stored: Stored | null }

const NEW = { stored: null }
const NOTHING_SEEN = bodySeen(undefined)

export function editorRoutes<Stored extends Known>(editor: Editor<Stored>): Route[] {
  const { what, list, page, trail } = editor
  const create = `${list}/new`
  const edit: Editing<PersonVisit, Found<Stored>, Typed> = {
    async find(visit) {
      const stored = await editor.find(visit)
      return stored == null ? null : { stored }
    },
    async start({ stored }, visit) {
      return { typed: { texts: await editor.textsOf(stored, visit) }, seen: stored?.seen ?? NOTHING_SEEN }
    },
    async page(visit, { stored }, { typed, ...rest }) {
      const draft = { ...rest, typed: typed.texts }
      const action = stored === null ? create : itemAddress(page, stored.id)
      return headedPage(visit, {
        title: stored?.name ?? `New ${what}`,
        trail,
        actions: null,
        ...(stored && editor.head(stored, action)),
        body: [
          <Form
            action={`${action}${visit.url.search}`}
            submit={`Save ${what}`}
            cancel={list}
            draft={draft}
            saveNote="Agents see changes at once."
            {...editor.button?.(stored)}
          >
            {await editor.fields(visit, stored, draft)}
          </Form>,
          stored !== null && (await editor.below?.(visit, stored)),
        ],
      })
    },
    read: (form, { stored }) => readFields(editor, form, stored),
    async save(visit, { stored }, { body, texts, errors = {} }, { seen }) {
      if (body === undefined) return { outcome: "refused", errors }
      const problems = await editor.save(visit, stored, body, stored === null ? NOTHING_SEEN : seen, texts)
      if (problems === "changed") return { outcome: "changed" }
      if (problems.length === 0) return editor.saved(visit, stored, body, texts)
      return { outcome: "refused", errors: { ...editor.problemErrors(problems, body), ...errors } }
    },
    compared: (mine, theirs) => ({ mine: mine.texts, theirs: theirs.texts }),
    conflict: ({ stored }) => ({
      title: stored?.name ?? "",
      trail,
      what: `this ${what}`,
      changes: [[`save ${what}`, stored?.id ?? ""]],
      labels: (name) => editor.label(name),
      ...(editor.words && { words: editor.words }),
    }),
  }
  const { show, save } = editing(edit)
  return [
    forOperator("GET", create, (visit) => show(visit, NEW)),
    forOperator("POST", create, (visit) => save(visit, NEW)),
    ...editingRoutes(forOperator, `${page}/:${what}`, edit),
  ]
}
