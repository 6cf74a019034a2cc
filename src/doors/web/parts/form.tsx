import type { ComponentChildren } from "preact"
import type { Errors } from "../form.ts"
import type { Draft } from "./draft.ts"
import { FieldError, FormContext, useField, useFormErrors } from "./errors.tsx"
import { ButtonLink } from "./widgets.tsx"

interface FormProps {
  readonly action: string
  readonly submit: string
  readonly danger?: boolean
  /** The address of "Cancel"; without it there is no such button. */
  readonly cancel?: string
  /** An edit: its values and errors, and after a conflict the link to the other version. */
  readonly draft?: Draft<object>
  readonly values?: object | undefined
  /** The error of the form as a whole has the name "". */
  readonly errors?: Errors | undefined
  /** For a form with a file in it. */
  readonly multipart?: boolean
  readonly children?: ComponentChildren
}

/** A form that is sent with POST. Its fields take their values and errors from it. */
export function Form({ action, submit, danger, cancel, draft, multipart, children, ...rest }: FormProps) {
  const { typed: values = {}, errors = {} } = draft ?? { typed: rest.values, errors: rest.errors }
  useFormErrors(errors)
  return (
    <FormContext.Provider value={{ values, errors }}>
      <form method="post" action={action} class="form" {...(multipart === true && { enctype: "multipart/form-data" })}>
        {draft?.started && <HiddenInputs values={{ ...draft.started }} />}
        {children}
        <div class="actions">
          <button type="submit" class={danger === true ? "danger" : "primary"}>
            {submit}
          </button>
          {draft?.theirs !== undefined && <ButtonLink href={draft.theirs} label="Use their version" />}
          {cancel !== undefined && <ButtonLink kind="quiet" href={cancel} label="Cancel" />}
        </div>
      </form>
    </FormContext.Provider>
  )
}

export function HiddenInputs({ values }: { readonly values: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

interface FilterBarProps {
  readonly action: string
  /** The address of the page: its query gives the values of the fields. */
  readonly url: URL
  readonly isFiltered: boolean
  readonly children: ComponentChildren
}

/** Filters of a long list. They are in the address, so that a view can be bookmarked and shared. */
export function FilterBar({ action, url, isFiltered, children }: FilterBarProps) {
  return (
    <FormContext.Provider value={{ values: Object.fromEntries(url.searchParams), errors: {} }}>
      <search>
        <form method="get" action={action} class="filters">
          {children}
          <div class="actions">
            <button type="submit">Show</button>
            {isFiltered && <ButtonLink kind="quiet" href={action} label="Show all" />}
          </div>
        </form>
      </search>
    </FormContext.Provider>
  )
}

// Fields take their errors and values from the form around them; `value` is for what the form does not know.

type Labelled = Readonly<{ name: string; label: string; hint?: ComponentChildren }>

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
}

/** A field with its label and error above, and its hint below. */
export function Field({ name, label, hint, type = "text", value, required, list, ...rest }: FieldProps) {
  const field = useField(name, hint !== undefined)
  const attributes: Record<string, unknown> = {
    type,
    ...(type !== "file" && { value: value ?? (type === "password" ? "" : field.value) }),
    required: required === true,
    ...(list && { list: `${name}-list` }),
    ...rest,
    ...field.attributes,
  }
  return (
    <Frame name={name} label={label} hint={hint} error={field.error} optional={required !== true}>
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
  readonly rows: number
  /** For sentences rather than code. */
  readonly prose?: boolean
  readonly required?: boolean
}

export function TextArea({ name, label, hint, rows, required, prose }: TextAreaProps) {
  const { error, attributes, value } = useField(name, hint !== undefined)
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

/** Choices for a select, by slug. */
export const choicesOf = (all: readonly { readonly slug: string; readonly name: string }[]): Choice[] =>
  all.map(({ slug, name }) => ({ value: slug, label: name }))

interface SelectProps extends Labelled {
  readonly value?: string
  readonly choices: readonly Choice[]
}

export function Select({ name, label, hint, value, choices }: SelectProps) {
  const field = useField(name, hint !== undefined)
  const chosen = value ?? field.value
  return (
    <Frame name={name} label={label} hint={hint} error={field.error} optional={false}>
      <select id={name} name={name} {...field.attributes}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} selected={choice.value === chosen}>
            {choice.label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

interface CheckboxProps extends Labelled {
  readonly checked: boolean
  readonly value?: string
}

export function Checkbox({ name, label, hint, checked, value = "yes" }: CheckboxProps) {
  const { error, attributes } = useField(name, hint !== undefined)
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

interface CheckGroupProps {
  readonly name: string
  readonly legend: string
  readonly choices: readonly Choice[]
  readonly checked: readonly string[]
}

/** Checkboxes in a box that scrolls. Those that are ticked come first, so that none hides below its edge. */
export function CheckGroup({ name, legend, choices, checked }: CheckGroupProps) {
  const { error, attributes } = useField(name, false)
  const isChecked = ({ value }: Choice) => checked.includes(value)
  const sorted = [...choices.filter(isChecked), ...choices.filter((choice) => !isChecked(choice))]
  return (
    <fieldset class={error === undefined ? "field checks" : "field checks wrong"}>
      <legend>{legend}</legend>
      <FieldError name={name} error={error} />
      <div class="checks-list long">
        {sorted.map((choice, index) => {
          const extra = index === 0 ? { id: name, ...attributes } : {}
          return (
            <label key={choice.value}>
              <input type="checkbox" name={name} value={choice.value} checked={isChecked(choice)} {...extra} />
              <span>{choice.label}</span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}

interface FrameProps extends Labelled {
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

function Hint({ name, hint }: Pick<Labelled, "name" | "hint">) {
  if (hint === undefined) return null
  return (
    <p class="hint" id={`${name}-hint`}>
      {hint}
    </p>
  )
}
