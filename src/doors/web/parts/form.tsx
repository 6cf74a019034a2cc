import type { ComponentChildren } from "preact"
import type { Errors } from "../form.ts"
import type { Draft } from "./draft.ts"
import { FormContext, useFormErrors } from "./errors.tsx"
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
