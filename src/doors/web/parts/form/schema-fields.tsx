import type { FormField, FormPart, RowShape } from "../../../../domain/schema/form/part.ts"
import { type FormTexts, nameIn, ROW_FROM, ROW_SHAPE, rowCount } from "../../../../domain/schema/form/texts.ts"
import type { Errors } from "../../form.ts"
import { Submit } from "../blocks.tsx"
import { Checkbox, CheckGroup, type Choice, Options, Select } from "./choices.tsx"
import { Field, HiddenInputs, TextArea } from "./form.tsx"

// Fields for a part of a schema. The schema says which there are and of what kind; words for people come from outside.

export interface SchemaWords {
  /** The label of a field, by its own name. */
  label(name: string): string
  hint(name: string): string | undefined
  /** A word of the protocol as people say it. */
  word(word: string): string
  /** What a row of a list is called: "Asset". */
  row(list: string): string
}

type SchemaForm = Readonly<{ texts: FormTexts; errors: Errors; words: SchemaWords }>

type PartProps = SchemaForm & Readonly<{ field: FormField; base?: string }>

/** The fields of one property, with everything below it. What a form cannot show is left out. */
export function SchemaField({ field, base = "", ...form }: PartProps) {
  const { part, required } = field
  const { words, texts } = form
  const name = nameIn(base, field.name)
  const label = words.label(field.name)
  const hint = words.hint(field.name)
  const labelled = { name, label, ...(hint !== undefined && { hint }) }
  switch (part.kind) {
    case "json":
      return null
    case "object":
      return <SchemaGroup {...form} part={part} name={name} label={label} required={required} />
    case "list":
      return <SchemaRows {...form} shapes={part.shapes} name={name} of={field.name} />
    case "choices":
      return <CheckGroup {...labelled} choices={choicesOf(part.words, words)} checked={[texts[name] ?? []].flat()} />
    case "choice":
      return <Select {...labelled} choices={[...notSaid(required), ...choicesOf(part.words, words)]} />
    case "flag":
      return required || part.only ? (
        <Checkbox {...labelled} checked={texts[name] === "true"} value="true" />
      ) : (
        <Select {...labelled} choices={YES_OR_NO} />
      )
    case "texts":
    case "numbers":
      return <TextArea {...labelled} hint={hint ?? "One per line."} rows={3} prose required={required} />
    case "number": {
      const inputmode = part.whole ? "numeric" : "decimal"
      return <Field {...labelled} inputmode={inputmode} unit={unitOf(field.name)} required={required} />
    }
    default:
      return field.name === "description" ? (
        <TextArea {...labelled} rows={3} prose required={required} />
      ) : (
        <Field {...labelled} required={required} />
      )
  }
}

const UNITS: readonly [RegExp, string][] = [
  [/_kb$/, "KB"],
  [/_kbps$/, "kbit/s"],
  [/_ms$/, "ms"],
  [/_seconds$/, "s"],
  [/_grams$/, "g"],
  [/_db$/, "dB"],
  [/_dpi$/, "dpi"],
  [/_lufs$/, "LUFS"],
  [/_dbfs$/, "dBFS"],
]

const unitOf = (name: string) => UNITS.find(([end]) => end.test(name))?.[1]

const NOT_SAID: Choice = { value: "", label: "Not specified" }
const YES_OR_NO: readonly Choice[] = [NOT_SAID, { value: "true", label: "Yes" }, { value: "false", label: "No" }]
const notSaid = (required: boolean): readonly Choice[] => (required ? [{ value: "", label: "Choose…" }] : [NOT_SAID])
const choicesOf = (all: readonly string[], { word }: SchemaWords): Choice[] =>
  all.map((value) => ({ value, label: word(value) }))

// So few fields are not worth folding away.
const FEW = 2

type GroupProps = SchemaForm &
  Readonly<{ part: FormPart & { kind: "object" }; name: string; label: string; required: boolean }>

/** Fields that belong together. Optional ones are folded away until there is something in them. */
function SchemaGroup({ part, name, label, required, ...form }: GroupProps) {
  const fields = part.fields.map((field) => <SchemaField {...form} field={field} base={name} />)
  const start = `${name}.`
  const isUsed = Object.entries(form.texts).some(([key, text]) => key.startsWith(start) && text.length > 0)
  const isWrong = Object.keys(form.errors).some((key) => key.startsWith(start))
  if (required) return <>{fields}</>
  if (fields.length <= FEW) {
    return (
      <fieldset class="parts span">
        <legend>{label}</legend>
        {fields}
      </fieldset>
    )
  }
  return (
    <details class="more span" open={isUsed || isWrong}>
      <summary>{label}</summary>
      <div class="parts">{fields}</div>
    </details>
  )
}

type RowsProps = SchemaForm & Readonly<{ shapes: readonly RowShape[]; name: string; of: string }>

/** The rows of a list. Adding and removing one needs no script: the page comes back with it. */
export function SchemaRows({ shapes, name, of, ...form }: RowsProps) {
  const { words, texts } = form
  const what = words.row(of)
  const rows = Array.from({ length: rowCount(texts, name) }, (_, at) => nameIn(name, at))
  return (
    <div class="stack span">
      {rows.map((row, at) => {
        const shape = shapes.find((rowShape) => rowShape.name === texts[nameIn(row, ROW_SHAPE)])
        const title = `${what} ${at + 1}${shape?.name ? `: ${words.word(shape.name)}` : ""}`
        const place = [nameIn(row, ROW_SHAPE), nameIn(row, ROW_FROM)].map((name) => [name, String(texts[name] ?? "")])
        return (
          <fieldset class="card parts" aria-labelledby={`${row}.title`}>
            <div class="row-head span">
              <h3 id={`${row}.title`}>{title}</h3>
              <RemoveRow row={row} what={title} />
            </div>
            <HiddenInputs values={Object.fromEntries(place)} />
            {shape === undefined && <p class="hint span">It stays as it is. An import file can change it.</p>}
            {shape?.part.fields.map((field) => (
              <SchemaField {...form} field={field} base={row} />
            ))}
          </fieldset>
        )
      })}
      {addRow(shapes, name, what, words)}
    </div>
  )
}

const REMOVE = { small: true, kind: "quiet danger", name: "remove_row", formnovalidate: true, label: "Remove" } as const

export const RemoveRow = ({ row, what }: Readonly<{ row: string; what: string }>) => (
  <Submit {...REMOVE} value={row} about={`Remove ${what}`} />
)

function addRow(shapes: readonly RowShape[], name: string, what: string, words: SchemaWords) {
  const lower = what.toLowerCase()
  const article = /^[aeiou]/.test(lower) ? "an" : "a"
  const choices = shapes.map((shape) => ({ value: shape.name, label: words.word(shape.name) }))
  return (
    <div class="actions">
      {shapes.length > 1 && (
        <select name={`new_row.${name}`} aria-label={`Type of the new ${lower}`} class="auto">
          <Options choices={choices} chosen={choices[0]?.value ?? ""} />
        </select>
      )}
      <Submit icon="plus" name="add_row" value={name} formnovalidate label={`Add ${article} ${lower}`} />
    </div>
  )
}
