import type { ComponentChildren } from "preact"
import type { Errors } from "../form.ts"

interface FormProps {
  readonly action: string
  readonly submit: string
  readonly danger?: boolean
  /** Where "Cancel" leads; without it there is none. */
  readonly cancel?: string
  readonly errors?: Errors | undefined
  /** For a form with a file in it. */
  readonly multipart?: boolean
  readonly children?: ComponentChildren
}

/** A form that is sent with POST. What is wrong with it as a whole is said on top (the error of the field ""). */
export function Form({ action, submit, danger, cancel, errors, multipart, children }: FormProps) {
  return (
    <form method="post" action={action} class="form" {...(multipart === true && { enctype: "multipart/form-data" })}>
      <FormProblem errors={errors} />
      {children}
      <div class="actions">
        <button type="submit" class={danger === true ? "danger" : "primary"}>
          {submit}
        </button>
        {cancel !== undefined && (
          <a class="button quiet" href={cancel}>
            Cancel
          </a>
        )}
      </div>
    </form>
  )
}

function FormProblem({ errors }: { readonly errors: Errors | undefined }) {
  if (errors === undefined || Object.keys(errors).length === 0) return null
  const text = errors[""] ?? "Please look at the marked fields."
  return (
    <p class="flash problem" role="alert">
      {text}
    </p>
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
