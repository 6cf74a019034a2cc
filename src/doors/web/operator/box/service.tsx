import type { ComponentChildren } from "preact"
import type { Errors } from "../../form.ts"
import { SYSTEM } from "../../frame/navigation.ts"
import { Badge, ButtonLink, Card, PostButton } from "../../parts/blocks.tsx"
import { Field } from "../../parts/form/fields.tsx"
import { Form } from "../../parts/form/form.tsx"
import { Icon } from "../../parts/icon.tsx"
import { headedPage } from "../../parts/page.tsx"
import type { PersonVisit } from "../../visit.ts"

// What the server does for itself has a card on System, and a form: HTTPS, copies of backups, mail, alerts.

/** What the server does for itself, such as HTTPS: whether it works, and if not, what is wrong and what to do. */
export type ServiceState =
  | { readonly is: "off"; readonly text: string }
  | { readonly is: "working"; readonly facts: readonly (readonly [fact: string, detail: string])[] }
  | { readonly is: "broken"; readonly problem: string; readonly advice: string; readonly meanwhile: string }

const BADGES = {
  off: (
    <Badge tone="off" shape="ring">
      Not set up
    </Badge>
  ),
  working: <Badge tone="good">Working</Badge>,
  broken: (
    <Badge tone="bad" shape="down">
      Problem
    </Badge>
  ),
} as const

interface ServiceCardProps {
  readonly title: string
  readonly state: ServiceState
  /** The form, and what its button says before it was filled in; null where it cannot be chosen here. */
  readonly form: Readonly<{ href: string; label: string }> | null
  /** Buttons that go before that one. */
  readonly children?: ComponentChildren
}

/** One card of System. */
export function ServiceCard({ title, state, form, children }: ServiceCardProps) {
  const isOff = state.is === "off"
  return (
    <Card title={title} actions={BADGES[state.is]}>
      {state.is === "off" && <p class="small soft">{state.text}</p>}
      {state.is === "working" && (
        <ul class="checks">
          {state.facts.map(([fact, detail]) => (
            <li key={fact}>
              <Icon name="check" />
              <span>
                {fact}
                <small>{detail}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
      {state.is === "broken" && (
        <>
          <ul class="checks">
            <li class="bad">
              <Icon name="warning" />
              <span>{state.problem}</span>
            </li>
          </ul>
          <p>
            <b>What to do:</b> {state.advice}
          </p>
          <p class="small soft">{state.meanwhile}</p>
        </>
      )}
      <div class="actions">
        {children}
        {form !== null && (
          <ButtonLink small href={form.href} kind={isOff ? "primary" : "quiet"} label={isOff ? form.label : "Change"} />
        )}
      </div>
    </Card>
  )
}

/** What was typed, and what is wrong with it. */
export type Refused<Typed> = Readonly<{ typed: Typed; errors: Errors }>

interface ServiceForm {
  readonly title: string
  readonly action: string
  readonly submit: string
  readonly values: Readonly<Record<string, string>>
  readonly errors: Errors | undefined
  /** Why it is not chosen here; null where it is. */
  readonly pinned?: string | null
  readonly intro?: string
  readonly fields: ComponentChildren
  readonly hint?: ComponentChildren
  /** The button that ends the service; false where there is nothing to end. */
  readonly off?: string | false
}

export function serviceForm(visit: PersonVisit, { title, pinned = null, ...form }: ServiceForm): Response {
  const { action, intro, fields, hint, off = false, errors = {}, ...rest } = form
  return headedPage(visit, {
    title,
    trail: [{ href: SYSTEM, label: "System" }],
    body: (
      <section class="card narrow">
        {pinned !== null ? (
          <p>{pinned}</p>
        ) : (
          <>
            {intro && <p>{intro}</p>}
            <Form {...rest} action={action} cancel={SYSTEM} errors={errors}>
              {fields}
            </Form>
            {hint && <p class="hint">{hint}</p>}
            {off && <PostButton kind="quiet danger" action={`${action}/off`} label={off} />}
          </>
        )}
      </section>
    ),
  })
}

type SecretFieldProps = Readonly<{
  name: string
  label: string
  isStored: boolean
  required?: boolean
  hint?: string
}>

/** It is never shown again: left empty, the one that is stored stays. */
export function SecretField({ isStored, required = false, hint = "", ...rest }: SecretFieldProps) {
  const kept = isStored ? "Leave empty to keep the one that is stored." : ""
  const text = [hint, kept].filter(Boolean).join(" ")
  return (
    <Field
      {...rest}
      type="password"
      value=""
      autocomplete="off"
      required={required && !isStored}
      {...(text !== "" && { hint: text })}
    />
  )
}
