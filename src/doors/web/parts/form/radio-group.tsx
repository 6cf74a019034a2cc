import type { Choice } from "./choice.ts"
import { useField } from "./errors.tsx"
import { FieldGroup, type Labelled } from "./field-frame.tsx"

interface RadioGroupProps extends Labelled {
  /** For what the form does not know. */
  readonly value?: string
  readonly choices: readonly Choice[]
}

/** One of a few, all in sight. */
export function RadioGroup({ name, label, hint, value, choices }: RadioGroupProps) {
  const field = useField(name, hint !== undefined)
  const chosen = value ?? field.value
  return (
    <FieldGroup name={name} label={label} hint={hint} error={field.error} optional={false}>
      {choices.map((choice, index) => (
        <label class="choice" key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === chosen}
            {...(index === 0 && { id: name, ...field.attributes })}
          />
          <span>
            {choice.label}
            {choice.note !== undefined && <small>{choice.note}</small>}
          </span>
        </label>
      ))}
    </FieldGroup>
  )
}
