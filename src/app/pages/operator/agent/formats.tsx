import {
  changeFormat,
  deleteFormat,
  formatIdOf,
  hideFormat,
  type ListedFormat,
  listFormats,
} from "../../../../actions/catalogue/formats.ts"
import { BUILT_IN_FORMATS } from "../../../../domain/adcp/catalogue/built-in.ts"
import { canonicalOf } from "../../../../domain/adcp/catalogue/format-options.ts"
import { FILES, formatErrors, formatTexts, NEW_FORMAT, readFormat } from "../../../../domain/adcp/forms/format.ts"
import { FormatKind } from "../../../../domain/adcp/schema/vocabulary.ts"
import { sizesOf } from "../../../../domain/adcp/text.ts"
import { goTo } from "../../../flash.ts"
import { askFirst } from "../../../forms/ask.tsx"
import type { FormOf } from "../../../forms/form.ts"
import type { List } from "../../../list.ts"
import { page } from "../../../page.tsx"
import { Badge, ButtonLink, Empty } from "../../../parts/blocks.tsx"
import { Check, type Choice, Select } from "../../../parts/choices.tsx"
import { Field, TextArea } from "../../../parts/fields.tsx"
import { Form, FormSection, PostButton, useForm } from "../../../parts/form.tsx"
import { formatCount, listInWords } from "../../../parts/format.tsx"
import { ListView } from "../../../parts/list.tsx"
import { Name } from "../../../parts/table.tsx"
import { NotFound, orNotFound, type SignedInVisit } from "../../../visit.ts"
import { FORMATS, formatAddress, kindName } from "./words.ts"

/** Every creative format: the built-in ones and the operator's own. */
export async function formatsPage(visit: SignedInVisit): Promise<Response> {
  const formats = await listFormats(visit.read)
  return page(visit, {
    title: "Formats",
    intro: "What a creative consists of. Agents see all of these, except hidden ones, without a key.",
    actions: <ButtonLink kind="primary" icon="plus" href={`${FORMATS}/new`} label="New format" />,
    body: <ListView list={FORMAT_LIST} rows={formats} url={visit.url} />,
  })
}

const FORMAT_LIST: List<ListedFormat> = {
  name: "formats",
  searched: "formats, IDs and kinds",
  textsOf: ({ id, format }) => [format.name, id, kindName(canonicalOf(format).kind)],
  states: {
    own: { label: "Yours", has: ({ state }) => state === "own" || state === "replaced" },
    used: { label: "In use", has: ({ usedBy }) => usedBy.length > 0 },
    hidden: { label: "Hidden", has: ({ state }) => state === "hidden" },
  },
  columns: [
    {
      title: "Format",
      cell: ({ id, format }) => (
        <>
          <Name href={formatAddress(id)}>{format.name}</Name>
          <small>{id}</small>
        </>
      ),
      sort: ({ format }) => format.name,
    },
    {
      title: "Kind",
      cell: ({ format }) => kindName(canonicalOf(format).kind),
      sort: ({ format }) => kindName(canonicalOf(format).kind),
    },
    { title: "Size", cell: ({ format }) => sizesOf(format).join(", ") || <span class="soft">–</span> },
    {
      title: "Used by",
      cell: ({ usedBy }) => (usedBy.length === 0 ? <span class="soft">–</span> : formatCount(usedBy.length, "product")),
      sort: ({ usedBy }) => usedBy.length,
    },
    { title: "State", cell: ({ state }) => <FormatBadge state={state} />, onPhone: "corner" },
  ],
  empty: <Empty title="No formats" text="Create one." />,
}

function FormatBadge({ state }: Pick<ListedFormat, "state">) {
  if (state === "hidden") return <Badge tone="off" shape="ring" label="Hidden" />
  if (state === "own") return <Badge tone="good" label="Yours" />
  if (state === "replaced") return <Badge tone="info" label="Your version" />
  return <Badge tone="off" label="Built-in" />
}

const TRAIL = [{ href: FORMATS, label: "Formats" }]

async function findFormat({ read, params }: SignedInVisit): Promise<ListedFormat> {
  return orNotFound((await listFormats(read)).find(({ id }) => id === params["format"]))
}

/** A new format, or one to change. What is saved for a built-in one becomes the operator's version of it. */
export const formatForm: FormOf<SignedInVisit, ListedFormat | null> = {
  find: async (visit) => (visit.params["format"] === undefined ? null : findFormat(visit)),
  begin: (_, found) =>
    found === null ? { texts: NEW_FORMAT } : { texts: formatTexts(found.format), version: found.version },
  view: (_, found) => ({
    title: found?.format.name ?? "New format",
    trail: TRAIL,
    badge: found && <FormatBadge state={found.state} />,
    intro: found?.id,
    actions: found && <FormatActions {...found} />,
    body: (
      <Form submit={found === null ? "Create format" : "Save format"} cancel={FORMATS} note={noteFor(found)} isLong>
        <FormatFields isNew={found === null} />
      </Form>
    ),
  }),
  async save(visit, found, texts, version) {
    const read = readFormat(texts, found?.format ?? null)
    if ("errors" in read) return read
    const id = formatIdOf(read.format)
    if (found === null && BUILT_IN_FORMATS.has(id))
      return { errors: { formatId: "A built-in format has this ID. Open it to change it." } }
    const saved = await changeFormat(visit.context, visit.actor, read.format, found === null ? null : version)
    if (saved === "changed") return saved
    if ("problems" in saved) return { errors: formatErrors(saved.problems) }
    return goTo(visit, formatAddress(id), "Saved. Agents see it at once.")
  },
}

const noteFor = (found: ListedFormat | null): string =>
  found?.state === "built-in" || found?.state === "hidden"
    ? "It becomes your version of the built-in format."
    : "Agents see changes at once."

function FormatActions({ id, state }: ListedFormat) {
  const address = formatAddress(id)
  if (state === "hidden") return <PostButton action={`${address}/show`} label="Show again" />
  const kind = state === "built-in" ? "quiet" : "quiet danger"
  return <ButtonLink href={`${address}/remove`} label={REMOVALS[state].label} kind={kind} isAsked />
}

const KINDS: readonly Choice[] = (FormatKind["enum"] as readonly string[]).map((value) => ({
  value,
  label: kindName(value),
}))

function FormatFields({ isNew }: { readonly isNew: boolean }) {
  const { file = "" } = useForm().texts
  const files = Object.entries<string>(FILES).map(([value, label]) => ({ value, label }))
  const known = file === "" || files.some(({ value }) => value === file) ? [] : [{ value: file, label: file }]
  return (
    <>
      <FormSection title="What it is" hint="Agents read the name and the description.">
        <Field name="name" label="Name" maxlength={200} required />
        {isNew && (
          <Field
            name="formatId"
            label="Format ID"
            hint="Products and agents use it, such as takeover_970x250. It can’t be changed."
            required
          />
        )}
        <TextArea name="description" label="Description" hint="What the creative is, in a sentence." />
      </FormSection>
      <FormSection title="Kind" hint="What the format is in AdCP’s own terms. The newest clients read nothing else.">
        <Select name="kind" label="Kind" choices={KINDS} required />
        <Field
          name="shape"
          label="Other kind"
          hint="Only if you chose “Something else”. Use lowercase letters, such as newsletter_sponsorship."
        />
      </FormSection>
      <FormSection title="Creative" hint="What the buyer sends.">
        <Select
          name="file"
          label="It’s made of"
          choices={[{ value: "", label: "Nothing to send" }, ...files, ...known]}
          required
        />
        <div class="fields">
          <Field name="size" label="Size" unit="pixels" placeholder="970x250" />
          <Field name="kilobytes" label="Largest file" unit="KB" inputmode="numeric" />
          <Field name="seconds" label="Length" unit="seconds" placeholder="30 or 15-30" />
        </div>
        <Check name="landing" label="It needs a landing page" />
      </FormSection>
    </>
  )
}

const REMOVALS = {
  "built-in": {
    label: "Hide",
    question: "Hide",
    text: "Agents no longer see it. You can show it again.",
    submit: "Hide format",
    done: "is hidden",
  },
  own: {
    label: "Delete",
    question: "Delete",
    text: "Agents no longer see it. This can’t be undone.",
    submit: "Delete format",
    done: "is deleted",
  },
  replaced: {
    label: "Use the built-in version",
    question: "Use the built-in version of",
    text: "Your version is deleted. This can’t be undone.",
    submit: "Use the built-in version",
    done: "is the built-in version again",
  },
} as const

/** Hides a built-in format, or deletes what the operator stored. A format that products take stays. */
export const removeFormatForm = askFirst({
  async find(visit: SignedInVisit) {
    const { state, ...format } = await findFormat(visit)
    if (state === "hidden") throw new NotFound()
    return { ...format, state }
  },
  ask(_, { id, format, state }) {
    const { question, text, submit } = REMOVALS[state]
    return { title: `${question} ${format.name}?`, text, submit, cancel: formatAddress(id) }
  },
  async act(visit, { id, format, state, usedBy }) {
    const remove = state === "built-in" ? hideFormat : deleteFormat
    const saved = await remove(visit.context, visit.actor, id)
    if ("saved" in saved) return goTo(visit, FORMATS, `${format.name} ${REMOVALS[state].done}.`)
    if (usedBy.length === 0) return { errors: formatErrors(saved.problems) }
    return { errors: { "": `These products use it: ${listInWords(usedBy, 5)}. Remove it from them first.` } }
  },
})

/** Shows a hidden built-in format again. */
export async function showFormatAgain(visit: SignedInVisit): Promise<Response> {
  const { id, format, state } = await findFormat(visit)
  if (state !== "hidden") throw new NotFound()
  await deleteFormat(visit.context, visit.actor, id)
  return goTo(visit, formatAddress(id), `${format.name} is shown again.`)
}
