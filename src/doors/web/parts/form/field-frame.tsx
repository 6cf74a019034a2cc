import type { ComponentChildren } from "preact"
import { FieldError } from "./errors.tsx"

/** What every field has. Fields take their errors and values from the form around them. */
export type Labelled = Readonly<{ name: string; label: string; hint?: ComponentChildren }>

interface FrameProps extends Labelled {
  readonly error: string | undefined
  readonly optional: boolean
  readonly children: ComponentChildren
}

/** A field with its label, hint and error above it. */
export function FieldFrame({ name, label, hint, error, optional, children }: FrameProps) {
  return (
    <div class={fieldClass(error)}>
      <Label name={name} label={label} optional={optional} />
      <Hint name={name} hint={hint} />
      <FieldError name={name} error={error} />
      {children}
    </div>
  )
}

type LabelProps = Readonly<{ name: string; label: string; optional: boolean }>

export function Label({ name, label, optional }: LabelProps) {
  return (
    <label for={name}>
      {label}
      {optional && <span class="optional"> (optional)</span>}
    </label>
  )
}

/** Several controls that are one answer: their title is a legend. */
export function FieldGroup({ name, label, hint, error, optional, children }: FrameProps) {
  return (
    <fieldset class={fieldClass(error)}>
      <legend>
        {label}
        {optional && <span class="optional"> (optional)</span>}
      </legend>
      <Hint name={name} hint={hint} />
      <FieldError name={name} error={error} />
      {children}
    </fieldset>
  )
}

export const fieldClass = (error: string | undefined) => (error === undefined ? "field" : "field wrong")

export function Hint({ name, hint }: Pick<Labelled, "name" | "hint">) {
  if (hint === undefined) return null
  return (
    <p class="hint" id={`${name}-hint`}>
      {hint}
    </p>
  )
}
