import type { Choice } from "./choice.ts"
import { useField } from "./errors.tsx"
import { FieldFrame, type Labelled } from "./field-frame.tsx"

interface SelectProps extends Labelled {
  /** For what the form does not know. */
  readonly value?: string
  readonly choices: readonly Choice[]
}

/** One of several, in a list that opens. */
export function Select({ name, label, hint, value, choices }: SelectProps) {
  const field = useField(name, hint !== undefined)
  return (
    <FieldFrame name={name} label={label} hint={hint} error={field.error} optional={false}>
      <select id={name} name={name} {...field.attributes}>
        <Options choices={choices} chosen={value ?? field.value} />
      </select>
    </FieldFrame>
  )
}

export function Options({ choices, chosen }: { readonly choices: readonly Choice[]; readonly chosen: string }) {
  return (
    <>
      {choices.map(({ value, label }) => (
        <option key={value} value={value} selected={value === chosen}>
          {label}
        </option>
      ))}
    </>
  )
}
