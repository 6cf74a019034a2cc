import type { ComponentChildren } from "preact"
import type { Flash } from "../../cookies.ts"
import { type Errors, readForm, type SentForm } from "../../form.ts"
import { SYSTEM } from "../../frame/navigation.ts"
import { forOperator, type Route } from "../../guards.ts"
import { ButtonLink, Card, type Look, LookBadge, PostButton } from "../../parts/blocks.tsx"
import { type Draft, Field, Form } from "../../parts/form/form.tsx"
import type { Labelled } from "../../parts/form/frame.tsx"
import { Icon } from "../../parts/icon.tsx"
import { goTo, headedPage } from "../../respond.tsx"
import type { PersonVisit } from "../../visit.ts"

// What the server does for itself has a card on System, and a form: HTTPS, copies of backups, mail, alerts.

/** What the server does for itself, such as HTTPS: whether it works, and if not, what is wrong and what to do. */
export type ServiceState =
  | { readonly is: "off"; readonly text: string }
  | { readonly is: "working"; readonly facts: readonly (readonly [fact: string, detail: string])[] }
  | { readonly is: "broken"; readonly problem: string; readonly advice: string; readonly meanwhile: string }

const LOOKS: Readonly<Record<ServiceState["is"], Look>> = {
  off: ["off", "ring", "Not set up"],
  working: ["good", "dot", "Working"],
  broken: ["bad", "down", "Problem"],
}

interface ServiceCardProps {
  readonly title: string
  readonly state: ServiceState
  /** The form, and what its button says before it was filled in; null where it cannot be chosen here. */
  readonly form: Readonly<{ href: string; label: string }> | null
  /** Buttons that go before that one. */
  readonly children?: ComponentChildren
}

export function ServiceCard({ title, state, form, children }: ServiceCardProps) {
  const isOff = state.is === "off"
  return (
    <Card title={title} actions={<LookBadge look={LOOKS[state.is]} />}>
      {state.is === "off" && <p class="small soft">{state.text}</p>}
      {state.is === "working" && (
        <ul class="checks">
          {state.facts.map(([fact, detail]) => (
            <li>
              <Icon name="check" />
              <span>
                {fact}
                <small>{detail}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
      {state.is === "broken" && [
        <ul class="checks">
          <li class="bad">
            <Icon name="warning" />
            <span>{state.problem}</span>
          </li>
        </ul>,
        <p>
          <b>What to do:</b> {state.advice}
        </p>,
        <p class="small soft">{state.meanwhile}</p>,
      ]}
      <div class="actions">
        {children}
        {form !== null && (
          <ButtonLink small href={form.href} kind={isOff ? "primary" : "quiet"} label={isOff ? form.label : "Change"} />
        )}
      </div>
    </Card>
  )
}

/** The form of a service, and what its buttons do. */
interface Service<Typed extends object> {
  readonly page: string
  readonly title: string
  readonly submit: string
  /** Why it is not chosen here; null where it is. */
  pinned?(visit: PersonVisit): string | null | Promise<string | null>
  readonly intro?: string
  /** What its form begins with. */
  start(visit: PersonVisit): Typed | Promise<Typed>
  fields(visit: PersonVisit, typed: Typed, errors: Errors): ComponentChildren | Promise<ComponentChildren>
  hint?(visit: PersonVisit): ComponentChildren | Promise<ComponentChildren>
  read(form: SentForm): Typed
  /** Saves what works, or says what is wrong. */
  save(visit: PersonVisit, typed: Typed, form: SentForm): Promise<Flash | { readonly errors: Errors }>
  /** What the button that ends it says; null where there is nothing to end. */
  offLabel?(visit: PersonVisit): string | null | Promise<string | null>
  turnOff?(visit: PersonVisit): Promise<Flash>
  test?(visit: PersonVisit): Promise<Flash>
}

export function serviceRoutes<Typed extends object>(service: Service<Typed>): Route[] {
  const { page, title, submit, intro, turnOff, test, pinned = () => null } = service
  async function show(visit: PersonVisit, draft?: Draft<Typed>): Promise<Response> {
    const why = await pinned(visit)
    const { typed, errors = {} } = draft ?? { typed: await service.start(visit) }
    const hint = await service.hint?.(visit)
    const off = await service.offLabel?.(visit)
    return headedPage(visit, {
      title,
      trail: [{ href: SYSTEM, label: "System" }],
      body: (
        <section class="card form-card service">
          {why !== null ? (
            <p>{why}</p>
          ) : (
            [
              intro && <p>{intro}</p>,
              <Form action={page} submit={submit} cancel={SYSTEM} values={typed} errors={errors}>
                <div class="parts">{await service.fields(visit, typed, errors)}</div>
              </Form>,
              hint && <p class="hint">{hint}</p>,
              off && <PostButton kind="quiet danger" action={`${page}/off`} label={off} />,
            ]
          )}
        </section>
      ),
    })
  }
  /** Nothing changes what an option of the server says. */
  const unlessPinned = (answer: (visit: PersonVisit) => Promise<Response>) => async (visit: PersonVisit) =>
    (await pinned(visit)) === null ? answer(visit) : show(visit)
  async function save(visit: PersonVisit): Promise<Response> {
    const form = await readForm(visit.request)
    const typed = service.read(form)
    const saved = await service.save(visit, typed, form)
    return "errors" in saved ? show(visit, { typed, ...saved }) : goTo(visit, SYSTEM, saved)
  }
  const say = (act: (visit: PersonVisit) => Promise<Flash>) => async (visit: PersonVisit) =>
    goTo(visit, SYSTEM, await act(visit))
  return [
    forOperator("GET", page, (visit) => show(visit)),
    forOperator("POST", page, unlessPinned(save)),
    ...(turnOff ? [forOperator("POST", `${page}/off`, unlessPinned(say(turnOff)))] : []),
    ...(test ? [forOperator("POST", `${page}/test`, say(test))] : []),
  ]
}

type SecretFieldProps = Labelled & Readonly<{ isStored: boolean; required?: boolean }>

/** It is never shown again: left empty, the one that is stored stays. */
export function SecretField({ isStored, required = false, hint = "", ...rest }: SecretFieldProps) {
  const text = [hint, isStored && "Leave empty to keep the one that is stored."].filter(Boolean).join(" ")
  const hinted = { ...rest, ...(text !== "" && { hint: text }) }
  return <Field {...hinted} type="password" value="" autocomplete="off" required={required && !isStored} />
}
