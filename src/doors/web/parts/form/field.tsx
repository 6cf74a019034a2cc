import { useField } from "./errors.tsx"
import { FieldFrame, type Labelled } from "./field-frame.tsx"

interface FieldProps extends Labelled {
  /** For what the form does not know. */
  readonly value?: string | undefined
  readonly type?: "text" | "email" | "password" | "date" | "search"
  readonly required?: boolean
  readonly autocomplete?: string
  readonly inputmode?: "numeric" | "decimal"
  readonly list?: readonly string[]
  readonly maxlength?: number
  readonly placeholder?: string
  /** What is counted, such as "impressions". */
  readonly unit?: string | undefined
}

/** One line of text, or a number with its unit. */
export function Field({ name, label, hint, type = "text", value, required, list, unit, ...rest }: FieldProps) {
  const field = useField(name, hint !== undefined)
  const attributes: Record<string, unknown> = {
    type,
    value: value ?? (type === "password" ? "" : field.value),
    required: required === true,
    ...(list && { list: `${name}-list` }),
    ...rest,
    ...field.attributes,
  }
  const input = <input id={name} name={name} {...attributes} />
  return (
    <FieldFrame name={name} label={label} hint={hint} error={field.error} optional={required !== true}>
      {unit === undefined ? (
        input
      ) : (
        <div class="input">
          {input}
          <span class="unit">{unit}</span>
        </div>
      )}
      {list && <DataList id={`${name}-list`} values={list} />}
    </FieldFrame>
  )
}

export function DataList({ id, values }: { readonly id: string; readonly values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((one) => (
        <option key={one} value={one} />
      ))}
    </datalist>
  )
}
