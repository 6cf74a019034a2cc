import { useField } from "./errors.tsx"
import { FieldFrame, type Labelled } from "./field-frame.tsx"

interface TextAreaProps extends Labelled {
  readonly rows: number
  /** For sentences rather than code. */
  readonly prose?: boolean
  readonly required?: boolean
}

export function TextArea({ name, label, hint, rows, required, prose }: TextAreaProps) {
  const { error, attributes, value } = useField(name, hint !== undefined)
  return (
    <FieldFrame name={name} label={label} hint={hint} error={error} optional={required !== true}>
      <textarea
        id={name}
        name={name}
        rows={rows}
        spellcheck={prose === true}
        class={prose === true ? undefined : "mono"}
        required={required === true}
        {...attributes}
      >
        {value}
      </textarea>
    </FieldFrame>
  )
}
