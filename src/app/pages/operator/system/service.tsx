import type { ComponentChildren } from "preact"
import { goTo } from "../../../flash.ts"
import { askFirst } from "../../../forms/ask.tsx"
import type { FormOf } from "../../../forms/form.ts"
import { Field } from "../../../parts/fields.tsx"
import { Form } from "../../../parts/form.tsx"
import type { SignedInVisit } from "../../../visit.ts"

// What the server does for itself, such as HTTPS, has a card on the System page and a form of its own.

export const SYSTEM = "/app/operator/system"
export const SYSTEM_TRAIL = [{ href: SYSTEM, label: "System" }]
export const BACKUPS = "/app/operator/backups"

interface Service<Target> extends Omit<FormOf<SignedInVisit, Target>, "view"> {
  readonly title: string
  readonly intro: string
  /** What the button says. */
  readonly submit: string
  readonly note?: string
  /** In place of the form, if an option of the server decides. Null if nothing else decides. */
  decided?(target: Target): ComponentChildren | null
  fields(target: Target): ComponentChildren
  /** Turns the service off, or tests it. False until it's set up. */
  buttons(target: Target): ComponentChildren | false
}

/** The form of a service, on a page of its own. */
export function serviceForm<Target>(service: Service<Target>): FormOf<SignedInVisit, Target> {
  const { title, intro, submit, note } = service
  const decided = (target: Target) => service.decided?.(target) ?? null
  return {
    ...service,
    view(_, target) {
      const buttons = service.buttons(target)
      const body = (
        <section class="card form-card">
          {decided(target) ?? (
            <Form submit={submit} cancel={SYSTEM} {...(note !== undefined && { note })}>
              {service.fields(target)}
            </Form>
          )}
          {buttons !== false && <div class="actions">{buttons}</div>}
        </section>
      )
      return { title, trail: SYSTEM_TRAIL, intro, body }
    },
    async save(visit, target, texts, version, files) {
      if (decided(target) !== null) return { errors: { "": "A server option decides this." } }
      return service.save(visit, target, texts, version, files)
    },
  }
}

interface TurnedOff {
  readonly title: string
  readonly text: string
  readonly submit: string
  readonly cancel: string
  turnOff(visit: SignedInVisit): Promise<unknown>
  readonly done: string
}

/** Asks before a service is turned off. */
export const offForm = ({ turnOff, done, ...question }: TurnedOff) =>
  askFirst<SignedInVisit, null>({
    find: async () => null,
    ask: () => question,
    async act(visit) {
      await turnOff(visit)
      return goTo(visit, SYSTEM, done)
    },
  })

interface SetByOptionProps {
  readonly value: string
  readonly options: string
}

/** In place of a form whose values an option of the server decides. */
export const SetByOption = ({ value, options }: SetByOptionProps) => (
  <p>
    A server option takes precedence: <b class="wrap">{value}</b>. To choose it here, start the server without{" "}
    <code>{options}</code>.
  </p>
)

interface SecretFieldProps {
  readonly name: string
  readonly label: string
  readonly isStored: boolean
  /** While none is stored. */
  readonly hint?: string
}

/** A password or key. The stored one is never shown. */
export const SecretField = ({ name, label, isStored, hint }: SecretFieldProps) => (
  <Field
    name={name}
    label={label}
    type="password"
    hint={isStored ? "Leave it empty to keep the stored one." : hint}
    autocomplete="new-password"
  />
)
