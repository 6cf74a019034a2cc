import { FieldError, useField } from "./errors.tsx"
import { fieldClass, Hint, type Labelled } from "./field-frame.tsx"

interface CheckboxProps extends Labelled {
  readonly checked: boolean
  readonly value?: string
}

export function Checkbox({ name, label, hint, checked, value = "yes" }: CheckboxProps) {
  const { error, attributes } = useField(name, hint !== undefined)
  return (
    <div class={fieldClass(error)}>
      <FieldError name={name} error={error} />
      <label class="choice">
        <input id={name} type="checkbox" name={name} value={value} checked={checked} {...attributes} />
        <span>{label}</span>
      </label>
      <Hint name={name} hint={hint} />
    </div>
  )
}
