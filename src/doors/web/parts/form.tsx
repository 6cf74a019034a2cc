import type { ComponentChildren } from "preact"
import type { Errors } from "../form.ts"
import { useFormErrors } from "./errors.tsx"

interface FormProps {
  readonly action: string
  readonly submit: string
  readonly danger?: boolean
  /** Where "Cancel" leads; without it there is none. */
  readonly cancel?: string
  /** Where the form shows what somebody else saved meanwhile, after a conflict. */
  readonly theirs?: string | undefined
  readonly errors?: Errors | undefined
  /** For a form with a file in it. */
  readonly multipart?: boolean
  readonly children?: ComponentChildren
}

/** A form that is sent with POST. What is wrong with it as a whole is the error of the field "". */
export function Form({ action, submit, danger, cancel, theirs, errors, multipart, children }: FormProps) {
  useFormErrors(errors)
  return (
    <form method="post" action={action} class="form" {...(multipart === true && { enctype: "multipart/form-data" })}>
      {children}
      <div class="actions">
        <button type="submit" class={danger === true ? "danger" : "primary"}>
          {submit}
        </button>
        {theirs !== undefined && (
          <a class="button" href={theirs}>
            Use their version
          </a>
        )}
        {cancel !== undefined && (
          <a class="button quiet" href={cancel}>
            Cancel
          </a>
        )}
      </div>
    </form>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly action: string
  readonly submit: string
  readonly cancel: string
  readonly children: ComponentChildren
}

/** The question before what cannot be undone. */
export function Confirm({ title, action, submit, cancel, children }: ConfirmProps) {
  return (
    <section class="card narrow">
      <h1>{title}</h1>
      {children}
      <Form action={action} submit={submit} cancel={cancel} danger />
    </section>
  )
}
