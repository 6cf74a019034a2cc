import type { ComponentChildren } from "preact"
import type { Errors } from "../form.ts"
import { FieldError, useFieldError } from "./errors.tsx"

interface Labelled {
  readonly name: string
  readonly label: string
  readonly hint?: ComponentChildren
  readonly errors?: Errors | undefined
}

interface FieldProps extends Labelled {
  readonly value?: string | undefined
  readonly type?: "text" | "email" | "password" | "number" | "date" | "file" | "search"
  readonly required?: boolean
  readonly autocomplete?: string
  readonly inputmode?: "numeric" | "decimal"
  readonly list?: readonly string[]
  readonly accept?: string
  readonly maxlength?: number
  readonly placeholder?: string
  readonly autofocus?: boolean
}

/** A field with its label and what is wrong with it above, and its hint below. */
export function Field({ name, label, hint, errors, type = "text", value, required, list, ...rest }: FieldProps) {
  const { error, attributes: marks } = useFieldError(name, errors, hint !== undefined)
  const attributes: Record<string, unknown> = {
    type,
    ...(type !== "file" && { value: value ?? "" }),
    required: required === true,
    ...(list && { list: `${name}-list` }),
    ...rest,
    ...marks,
  }
  return (
    <Frame name={name} label={label} hint={hint} error={error} optional={required !== true}>
      <input id={name} name={name} {...attributes} />
      {list && (
        <datalist id={`${name}-list`}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </Frame>
  )
}

interface TextAreaProps extends Labelled {
  readonly value?: string
  readonly rows?: number
  readonly required?: boolean
  /** For sentences rather than code. */
  readonly prose?: boolean
}

export function TextArea({ name, label, hint, errors, value = "", rows = 12, required, prose }: TextAreaProps) {
  const { error, attributes } = useFieldError(name, errors, hint !== undefined)
  return (
    <Frame name={name} label={label} hint={hint} error={error} optional={required !== true}>
      <textarea
        id={name}
        name={name}
        rows={rows}
        spellcheck={prose === true}
        class={prose === true ? "prose" : undefined}
        required={required === true}
        {...attributes}
      >
        {value}
      </textarea>
    </Frame>
  )
}

export interface Choice {
  readonly value: string
  readonly label: string
}

interface SelectProps extends Labelled {
  readonly value?: string | undefined
  readonly choices: readonly Choice[]
}

export function Select({ name, label, hint, errors, value, choices }: SelectProps) {
  const { error, attributes } = useFieldError(name, errors, hint !== undefined)
  return (
    <Frame name={name} label={label} hint={hint} error={error} optional={false}>
      <select id={name} name={name} {...attributes}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} selected={choice.value === value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

interface CheckboxProps extends Labelled {
  readonly checked?: boolean
  readonly value?: string
}

export function Checkbox({ name, label, hint, errors, checked = false, value = "yes" }: CheckboxProps) {
  const { error, attributes } = useFieldError(name, errors, hint !== undefined)
  return (
    <div class={error === undefined ? "field check" : "field check wrong"}>
      <FieldError name={name} error={error} />
      <label>
        <input id={name} type="checkbox" name={name} value={value} checked={checked} {...attributes} />
        <span>{label}</span>
      </label>
      <Hint name={name} hint={hint} />
    </div>
  )
}

interface FrameProps {
  readonly name: string
  readonly label: string
  readonly hint: ComponentChildren
  readonly error: string | undefined
  readonly optional: boolean
  readonly children: ComponentChildren
}

function Frame({ name, label, hint, error, optional, children }: FrameProps) {
  return (
    <div class={error === undefined ? "field" : "field wrong"}>
      <label for={name}>
        {label}
        {optional && <span class="optional"> (optional)</span>}
      </label>
      <FieldError name={name} error={error} />
      {children}
      <Hint name={name} hint={hint} />
    </div>
  )
}

export function Hint({ name, hint }: Pick<Labelled, "name" | "hint">) {
  if (hint === undefined) return null
  return (
    <p class="hint" id={`${name}-hint`}>
      {hint}
    </p>
  )
}
