import { type ComponentChildren, createContext } from "preact"
import { useContext } from "preact/hooks"
import { camelCase } from "../../../../domain/edit-conflict.ts"
import type { Errors } from "../../form.ts"
import { ButtonLink } from "../blocks.tsx"
import { Icon } from "../icon.tsx"

/** What every field has. Fields take their errors and values from the form around them. */
export type Labelled = Readonly<{ name: string; label: string; hint?: ComponentChildren }>

type FrameProps = Labelled &
  Readonly<{ error: string | undefined; optional?: boolean; isGroup?: boolean; children: ComponentChildren }>

/** A field below its label, hint and error. Several controls that are one answer are a group: their title is a legend. */
export function FieldFrame({ name, label, hint, error, optional = false, isGroup = false, children }: FrameProps) {
  const Frame = isGroup ? "fieldset" : "div"
  const title = [label, optional && <span class="optional"> (optional)</span>]
  return (
    <Frame class={fieldClass(error)}>
      {isGroup ? <legend>{title}</legend> : <label for={name}>{title}</label>}
      <Hint name={name} hint={hint} />
      <FieldError name={name} error={error} />
      {children}
    </Frame>
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

// An error is shown twice: at its field, and in a summary at the top of the page that links to the field. Fields register their
// errors while the page is rendered, so that no form can forget the summary, and none lists a field that the page does not have.

/** Where to go instead of sending a form again. */
export type Way = Readonly<{ href: string; label: string }>

/** The errors of a page: of its fields in the order in which they are rendered, and of its forms as a whole. */
export class PageErrors {
  readonly fields: { readonly name: string; readonly error: string }[] = []
  readonly forms: Errors[] = []
  readonly instead: Way[] = []

  /** Errors that no field shows. */
  get elsewhere(): readonly string[] {
    const names = new Set(this.fields.flatMap(({ name }) => [name, camelCase(name)]))
    return this.forms.flatMap((errors) =>
      Object.entries(errors).flatMap(([name, text]) => (names.has(name) ? [] : [text])),
    )
  }

  get isEmpty(): boolean {
    return this.fields.length === 0 && this.elsewhere.length === 0
  }
}

export const PageErrorsContext = createContext(new PageErrors())

type FormState = Readonly<{ errors: Errors; values: object }>

export const FormContext = createContext<FormState>({ errors: {}, values: {} })

export function useFormErrors(errors: Errors, instead?: Way): void {
  const page = useContext(PageErrorsContext)
  page.forms.push(errors)
  if (instead !== undefined) page.instead.push(instead)
}

/** The value and the error of a field, with the attributes that go with it. The first wrong field of a page has the focus. */
export function useField(name: string, hasHint: boolean) {
  const page = useContext(PageErrorsContext)
  const { errors, values } = useContext(FormContext)
  const error = errors[name] ?? errors[camelCase(name)]
  const isFirst = page.fields.length === 0
  if (error !== undefined) page.fields.push({ name, error })
  const ids = [...(error === undefined ? [] : [`${name}-error`]), ...(hasHint ? [`${name}-hint`] : [])]
  const attributes: Readonly<Record<string, unknown>> = {
    id: name,
    name,
    ...(ids.length > 0 && { "aria-describedby": ids.join(" ") }),
    ...(error !== undefined && { "aria-invalid": "true", ...(isFirst && { autofocus: true }) }),
  }
  const all = values as Readonly<Record<string, unknown>>
  const value = all[name] ?? all[camelCase(name)]
  return { error, attributes, value: typeof value === "string" ? value : "" }
}

export function FieldError({ name, error }: { readonly name: string; readonly error: string | undefined }) {
  if (error === undefined) return null
  return (
    <p class="error" id={`${name}-error`}>
      <Icon name="error" />
      <span>
        <span class="vh">Error: </span>
        {linesOf(error).map((line) => (
          <span class="error-line">{line}</span>
        ))}
      </span>
    </p>
  )
}

/** All errors of a page, with a link to each field. Where no field is wrong the summary itself has the focus. */
export function ErrorSummary({ errors, isSaving }: { readonly errors: PageErrors; readonly isSaving: boolean }) {
  const { fields, elsewhere, instead } = errors
  const items = [
    ...elsewhere.flatMap(linesOf).map((text) => ({ text, name: null })),
    ...fields.flatMap(({ name, error }) => linesOf(error).map((text) => ({ text, name }))),
  ]
  const count = items.length === 1 ? "there is a problem" : `there are ${items.length} problems`
  const takesFocus = fields.length === 0 ? { autofocus: true } : {}
  return (
    <div class="error-summary" role="alert" tabIndex={-1} {...takesFocus}>
      <h2>{isSaving ? `Nothing was saved: ${count}` : `T${count.slice(1)}`}</h2>
      <ul>
        {items.map(({ text, name }) => (
          <li>{name === null ? text : <a href={`#${encodeURIComponent(name)}`}>{text}</a>}</li>
        ))}
      </ul>
      {instead.map((way) => (
        <div class="actions">
          <ButtonLink {...way} />
        </div>
      ))}
    </div>
  )
}

/** An error may be several sentences, one per line. */
const linesOf = (error: string): string[] => error.split("\n")
