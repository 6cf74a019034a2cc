import type { ListedFormat } from "../../../../actions/catalogue/list-formats.ts"
import { CreativeFormat } from "../../../../domain/adcp/schema/format/creative-format.ts"
import type { SchemaProblem } from "../../../../domain/schema/check.ts"
import { pointerToPath } from "../../../../domain/schema/explain.ts"
import { type FormField, type FormPart, partOf, type RowShape } from "../../../../domain/schema/form/part.ts"
import { capitalized } from "../../../../domain/text/short-text.ts"
import type { Errors } from "../../form.ts"
import { Field, FormSection } from "../../parts/form/form.tsx"
import { SchemaField, type SchemaWords } from "../../parts/form/schema-fields.tsx"
import { type Fields, StaysAsItIs } from "./editor.tsx"
import { spoken } from "./words.ts"

// A format as a form: its fields come from the schema, the words from here. What the form leaves out is kept; an import file can change it.

/** The fields of the form by section, in its order. */
const SHOWN = {
  about: ["name", "description", "example_url", "canonical"],
  sizes: ["accepts_parameters", "renders"],
  assets: ["assets"],
  more: ["reported_metrics", "accessibility", "supported_disclosure_positions", "supported_macros"],
} as const

const whole = partOf(CreativeFormat)
const ALL: readonly FormField[] = whole.kind === "object" ? whole.fields : []
// An own format refers to itself by its id alone; what only few know is for import files.
const LEFT_OUT = ["agent_url", "width", "height", "duration_ms"].map((name) => `format_id.${name}`)
const RARE = new Set([...LEFT_OUT, "canonical.slots_override"])

function withoutRare(fields: readonly FormField[], base: string): FormField[] {
  const inside = (part: FormPart, name: string): FormPart => {
    if (part.kind === "object") return { ...part, fields: withoutRare(part.fields, name) }
    if (part.kind !== "list") return part
    const fewer = (shape: RowShape) => ({ ...shape.part, fields: withoutRare(shape.part.fields, name) })
    return { ...part, shapes: part.shapes.map((shape) => ({ ...shape, part: fewer(shape) })) }
  }
  return fields
    .filter(({ name }) => !RARE.has(`${base}.${name}`))
    .map((field) => ({ ...field, part: inside(field.part, field.name) }))
}

function fieldsNamed(names: readonly string[]): FormField[] {
  const chosen = names.flatMap((wanted) => ALL.filter(({ name }) => name === wanted))
  return withoutRare(chosen, "")
}

/** Everything that the form shows. */
export const FORMAT_PART = {
  kind: "object",
  fields: fieldsNamed(["format_id", ...Object.values(SHOWN).flat()]),
} as const

/** What a format has that its form does not show. */
const leftOut = (body: object): string[] =>
  Object.keys(body).filter((name) => !FORMAT_PART.fields.some((field) => field.name === name))

const LABELS: Readonly<Record<string, string>> = {
  id: "Format ID",
  example_url: "Address of an example",
  canonical: "Kind of creative",
  kind: "Kind",
  asset_source: "Who makes it",
  accepts_parameters: "Buyers may choose",
  role: "Role",
  parameters_from_format_id: "Takes its size from the buyer",
  asset_id: "Asset ID",
  asset_role: "Role of the asset",
  asset_group_id: "Slot",
  required: "Required",
  requirements: "Requirements",
  min_length: "Fewest characters",
  max_length: "Most characters",
  min_lines: "Fewest lines",
  max_lines: "Most lines",
  min_duration_ms: "Shortest duration",
  max_duration_ms: "Longest duration",
  max_animation_duration_ms: "Longest animation",
  min_count: "At least",
  max_count: "At most",
  min_dpi: "Lowest resolution",
  max_file_size_kb: "Largest file",
  wcag_level: "WCAG level",
  daast_version: "DAAST version",
  vast_version: "VAST version",
  supported_disclosure_positions: "Positions of disclosures",
  supported_macros: "Macros",
  reported_metrics: "Metrics that are reported",
  url: "URL",
}

const HINTS: Readonly<Record<string, string>> = {
  id: "Products and buyers’ agents use it, such as takeover-970x250. It can’t be changed later.",
  description: "What the creative is, in a sentence.",
  asset_id: "How a creative names the file or text, such as banner-image.",
  asset_group_id: "The slot that it fills, such as main-image.",
  character_pattern: "A regular expression.",
}

const ROWS: Readonly<Record<string, string>> = { renders: "Size", assets: "Asset" }

const withoutUnit = (name: string) => name.replace(/_(kb|kbps|ms|seconds|grams|db|lufs|dbfs)$/, "")

export const FORMAT_WORDS: SchemaWords = {
  label: (name) =>
    LABELS[name] ??
    capitalized(withoutUnit(name).replaceAll("_", " ")).replace(/^Min /, "Smallest ").replace(/^Max /, "Largest "),
  hint: (name) => HINTS[name],
  word: (word) => capitalized(spoken(word)),
  row: (list) => ROWS[list] ?? "Entry",
}

/** Complaints at the fields that they are about; those that belong to no field are shown on top. */
export function formatErrors(problems: readonly SchemaProblem[], names: readonly string[]): Errors {
  const errors: Record<string, string> = {}
  for (const { pointer, message } of problems) {
    const field = fieldFor(pointer.split("/").slice(1).join("."), names)
    const sentence = sentenceOf(field, message, pointerToPath(pointer))
    errors[field] = errors[field] === undefined ? sentence : `${errors[field]}\n${sentence}`
  }
  return errors
}

/** The field with this name, else the first one inside, else that of what is around it. */
function fieldFor(name: string, names: readonly string[]): string {
  if (name === "") return ""
  const isVisible = (field: string) => !field.includes("~")
  const inside = names.find((field) => field.startsWith(`${name}.`) && isVisible(field))
  if (names.includes(name)) return name
  return inside ?? fieldFor(name.slice(0, Math.max(0, name.lastIndexOf("."))), names)
}

function sentenceOf(field: string, message: string, path: string): string {
  const label = FORMAT_WORDS.label(field.split(".").at(-1) ?? "")
  if (field !== "" && message === `${path} is required`)
    return `Enter the ${label.charAt(0).toLowerCase()}${label.slice(1)}.`
  const rest = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message
  return field === "" ? `${capitalized(message)}.` : `${label} ${rest}.`
}

export const formatFields: Fields<Pick<ListedFormat, "format">> = async (_, stored, draft) => {
  const { typed: texts, errors = {} } = draft
  const form = { texts, errors, words: FORMAT_WORDS }
  const left = stored === null ? [] : leftOut(stored.format)
  const fields = (section: keyof typeof SHOWN) =>
    fieldsNamed(SHOWN[section]).map((field) => <SchemaField field={field} {...form} />)
  return [
    <FormSection title="What it is" hint="Agents read the name and the description.">
      {stored === null && (
        <Field name="format_id.id" label="Format ID" required hint={HINTS["id"]} autocomplete="off" />
      )}
      {fields("about")}
    </FormSection>,
    <FormSection title="Sizes" hint="What is shown, and in which size. Audio and text need none.">
      {fields("sizes")}
    </FormSection>,
    <FormSection title="Assets" hint="The files, texts and links that a creative is made of.">
      {fields("assets")}
    </FormSection>,
    <FormSection title="More">
      {fields("more")}
      {left.length > 0 && (
        <p class="hint">
          This format also has {left.join(", ")}. <StaysAsItIs />
        </p>
      )}
    </FormSection>,
  ]
}
