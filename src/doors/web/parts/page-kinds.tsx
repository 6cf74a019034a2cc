import type { ComponentChildren } from "preact"
import { type Page, page } from "../respond.ts"
import type { Visit } from "../visit.ts"
import { Form } from "./form.tsx"
import { LinkNote } from "./link-note.tsx"
import { ButtonLink, Copyable, Heading, type Trail } from "./widgets.tsx"

interface HeadedPage extends Page {
  /** Where the heading says more than the title. */
  readonly heading?: string
  readonly trail?: Trail
  readonly actions?: ComponentChildren
  /** Below the heading. A plain text becomes a paragraph. */
  readonly intro?: ComponentChildren
}

/** A page with its heading: title, breadcrumb, actions and introduction. */
export function headedPage(visit: Visit, { heading, trail = [], actions, intro, body, ...rest }: HeadedPage): Response {
  return page(visit, {
    ...rest,
    body: (
      <>
        <Heading title={heading ?? rest.title} trail={trail} actions={actions}>
          {typeof intro === "string" ? <p class="soft">{intro}</p> : intro}
        </Heading>
        {body}
      </>
    ),
  })
}

interface ConfirmPage {
  readonly title: string
  readonly active: string
  readonly question: string
  readonly text: ComponentChildren
  readonly action: string
  readonly submit: string
  readonly cancel: string
}

/** Asks before something that cannot be undone. */
export function confirmPage(visit: Visit, { title, active, question, text, ...form }: ConfirmPage): Response {
  const body = (
    <section class="card narrow">
      <h1>{question}</h1>
      <p>{text}</p>
      <Form {...form} danger />
    </section>
  )
  return page(visit, { title, active, body })
}

interface SecretPage extends Omit<HeadedPage, "body"> {
  readonly text: ComponentChildren
  readonly secrets: readonly { readonly id: string; readonly label: string; readonly text: string }[]
  readonly isLink?: boolean
  readonly width?: "wide" | "narrow"
  readonly done: { readonly href: string; readonly label: string }
}

/** A key, a link or codes that are shown only once. */
export function secretPage(
  visit: Visit,
  { text, secrets, isLink = false, width = "wide", done, ...rest }: SecretPage,
): Response {
  const body = (
    <section class={`card ${width}`}>
      <p>{text}</p>
      {secrets.map((secret) => (
        <Copyable key={secret.id} {...secret} />
      ))}
      {isLink && <LinkNote visit={visit} />}
      <p>
        <ButtonLink kind="primary" {...done} />
      </p>
    </section>
  )
  return headedPage(visit, { ...rest, body })
}
