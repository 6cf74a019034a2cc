import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Errors } from "../form.ts"

// What is wrong with a form is said twice: at the field, and in a summary at the top of the page that links to it. The fields tell
// the page while it is drawn, so that no form can forget the summary, and none lists a field that is not there.

interface WrongField {
  readonly name: string
  readonly error: string
}

/** The wrong fields of a page in the order in which they are drawn, and what is wrong with its forms as a whole. */
export class PageErrors {
  readonly fields: WrongField[] = []
  readonly forms: Errors[] = []

  /** What no field shows. */
  get elsewhere(): readonly string[] {
    const shown = new Set(this.fields.map(({ name }) => name))
    return this.forms.flatMap((errors) =>
      Object.entries(errors).flatMap(([name, text]) => (shown.has(name) ? [] : [text])),
    )
  }

  get isEmpty(): boolean {
    return this.fields.length === 0 && this.elsewhere.length === 0
  }
}

export const PageErrorsContext = createContext(new PageErrors())

/** Tells the page what is wrong with a form, for what belongs to none of its fields. */
export function useFormErrors(errors: Errors | undefined): void {
  const page = useContext(PageErrorsContext)
  if (errors !== undefined) page.forms.push(errors)
}

/** The error of a field, and the attributes that say so to everybody. The first wrong field of a page has the focus. */
export function useFieldError(name: string, errors: Errors | undefined, hasHint: boolean) {
  const page = useContext(PageErrorsContext)
  const error = errors?.[name]
  const isFirst = page.fields.length === 0
  if (error !== undefined) page.fields.push({ name, error })
  const ids = [...(error === undefined ? [] : [`${name}-error`]), ...(hasHint ? [`${name}-hint`] : [])]
  const attributes: Readonly<Record<string, unknown>> = {
    ...(ids.length > 0 && { "aria-describedby": ids.join(" ") }),
    ...(error !== undefined && { "aria-invalid": "true", ...(isFirst && { autofocus: true }) }),
  }
  return { error, attributes }
}

/** What is wrong with a field, at the field. */
export function FieldError({ name, error }: { readonly name: string; readonly error: string | undefined }) {
  if (error === undefined) return null
  return (
    <p class="error" id={`${name}-error`}>
      <ErrorIcon />
      <span>
        <span class="unseen">Error: </span>
        {linesOf(error).map((line) => (
          <span key={line} class="error-line">
            {line}
          </span>
        ))}
      </span>
    </p>
  )
}

/** Everything that is wrong with the forms of a page, with a link to each field. Without a field it has the focus itself. */
export function ErrorSummary({ errors, isSaving }: { readonly errors: PageErrors; readonly isSaving: boolean }) {
  const { fields, elsewhere } = errors
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
          <li key={text}>{name === null ? text : <a href={`#${encodeURIComponent(name)}`}>{text}</a>}</li>
        ))}
      </ul>
    </div>
  )
}

/** An error may be several sentences, one a line. */
const linesOf = (error: string): string[] => error.split("\n")

function ErrorIcon() {
  return (
    <svg class="error-icon" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6.5" />
      <path d="M8 4.500v4M8 11.200v.1" />
    </svg>
  )
}
