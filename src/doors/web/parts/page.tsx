import type { ComponentChildren } from "preact"
import { entryOf, type Section, sectionOf } from "../frame/navigation.ts"
import { type Page, page } from "../respond.ts"
import type { Visit } from "../visit.ts"
import { Form, type FormProps } from "./form/form.tsx"
import { Mark } from "./icon.tsx"

interface HeadedPage extends Page, Omit<PageHeadProps, "children"> {
  /** Where the heading says more than the title. */
  readonly heading?: string
  readonly tabs?: TabsProps
  /** Below the heading. A plain text becomes a paragraph. */
  readonly intro?: ComponentChildren
}

/** A page with its heading: title, breadcrumb, actions and introduction. */
export function headedPage(visit: Visit, headed: HeadedPage): Response {
  const { heading, trail = [], actions, badges, tabs, intro, body, ...rest } = headed
  const section = tabs ?? (trail.length === 0 ? sectionOf(visit.place, rest.active ?? entryOf(visit.url)) : undefined)
  return page(visit, {
    ...rest,
    body: [
      <PageHead title={heading ?? rest.title} trail={trail} actions={actions} badges={badges}>
        {intro}
      </PageHead>,
      section !== undefined && <Tabs {...section} />,
      body,
    ],
  })
}

interface ConfirmPage extends Pick<FormProps, "submit" | "cancel" | "values" | "errors" | "instead" | "children"> {
  readonly title: string
  readonly text: ComponentChildren
  readonly action?: string
}

/** Asks before something that cannot be undone. */
export function confirmPage(visit: Visit, { title, text, ...form }: ConfirmPage): Response {
  const body = <Form action={visit.url.pathname} {...form} danger />
  return cardPage(visit, { title, text, body })
}

type CardPage = Page & Readonly<{ heading?: string; text?: ComponentChildren; after?: ComponentChildren }>

/** A page that is one small card, such as a question or a short form. For strangers it is below the awning. */
export function cardPage(visit: Visit, { heading, text, body, after, ...rest }: CardPage): Response {
  const title = heading ?? rest.title
  const content = [text !== undefined && <p>{text}</p>, body]
  const card =
    visit.place === null ? (
      <DoorCard title={title}>{content}</DoorCard>
    ) : (
      <section class="card narrow">
        <h1>{title}</h1>
        {content}
      </section>
    )
  return page(visit, { ...rest, body: [card, after] })
}

export type Trail = readonly { readonly href: string; readonly label: string }[]

interface PageHeadProps {
  readonly title: string
  /** What the title is about, above it and quieter. */
  readonly above?: string
  readonly badges?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly trail?: Trail
  /** A line below the title. A plain text becomes a paragraph. */
  readonly children?: ComponentChildren
}

/** The title of a page, with the breadcrumb above and the actions beside it. */
export const PageHead = ({ title, above, badges, actions, trail = [], children }: PageHeadProps) => (
  <div class="page-head">
    <div>
      <Breadcrumb trail={trail} />
      {above !== undefined && <p class="soft">{above}</p>}
      <h1>
        {title}
        {badges !== undefined && <span class="with wraps">{badges}</span>}
      </h1>
      {typeof children === "string" ? <p class="sub">{children}</p> : children}
    </div>
    {actions !== undefined && <div class="actions no-print">{actions}</div>}
  </div>
)

export function Breadcrumb({ trail }: { readonly trail: Trail }) {
  if (trail.length === 0) return null
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        {trail.map(({ href, label }) => (
          <li>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

type TabsProps = Section & { readonly current: string }

export const Tabs = ({ label, tabs, current }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ href, label: text }) => (
      <a href={href} aria-current={href === current ? "page" : undefined}>
        {text}
      </a>
    ))}
  </nav>
)

/** Where somebody is in something that takes several pages. */
export const Steps = ({ steps, current }: { readonly steps: readonly string[]; readonly current: number }) => (
  <ol class="steps">
    {steps.map((step, i) => (
      <li class={i < current ? "past" : undefined} aria-current={i === current ? "step" : undefined}>
        {step}
      </li>
    ))}
  </ol>
)

type DoorCardProps = Readonly<{ title: string; beside?: ComponentChildren; children: ComponentChildren }>

/** The card at the door, below the awning: for whoever is not signed in, or has just come in. */
export const DoorCard = ({ title, beside, children }: DoorCardProps) => (
  <section class="card stall">
    <div class="awning" />
    <div class="card-head">
      <div class="brand">
        <Mark />
        Adbooth
      </div>
      {beside}
    </div>
    <h1>{title}</h1>
    {children}
  </section>
)
