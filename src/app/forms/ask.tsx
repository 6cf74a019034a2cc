import { Field } from "../parts/fields.tsx"
import { Form } from "../parts/form.tsx"
import type { Visit } from "../visit.ts"
import type { FormOf, Remarks } from "./form.ts"

interface AskedAction<V extends Visit, Target> {
  find(visit: V): Promise<Target>
  ask(
    visit: V,
    target: Target,
  ): {
    readonly title: string
    readonly text: string
    /** What the button says it does. */
    readonly submit: string
    readonly cancel: string
    /** Asks for a reason as well, and says who will read it. */
    readonly reason?: string
  }
  act(visit: V, target: Target, reason: string): Promise<Response | Remarks>
}

/** The form of something that can't be undone. A link to it with `data-ask` shows it in a dialog. */
export function askFirst<V extends Visit, Target>({ find, ask, act }: AskedAction<V, Target>): FormOf<V, Target> {
  return {
    find,
    view(visit, target) {
      const { title, text, submit, cancel, reason } = ask(visit, target)
      const body = (
        <Form submit={submit} cancel={cancel} isDanger>
          {reason !== undefined && <Field name="reason" label="Reason" hint={reason} maxlength={500} required />}
        </Form>
      )
      return { title, intro: text, isCard: true, body }
    },
    async save(visit, target, { reason = "" }) {
      const needsReason = ask(visit, target).reason !== undefined
      if (needsReason && reason === "") return { errors: { reason: "Enter a reason." } }
      return act(visit, target, reason)
    },
  }
}
