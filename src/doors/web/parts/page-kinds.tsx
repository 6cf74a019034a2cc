import type { ComponentChildren } from "preact"
import { type Page, page } from "../respond.ts"
import type { Visit } from "../visit.ts"
import { CsvLink } from "./button-link.tsx"
import { Form } from "./form/form.tsx"
import { PageHead, type Trail } from "./page-head.tsx"
import { Stall } from "./stall.tsx"
import { Tabs, type TabsProps } from "./tabs.tsx"

interface HeadedPage extends Page {
  /** Where the heading says more than the title. */
  readonly heading?: string
  readonly trail?: Trail
  /** The address of the page's table as CSV; false where the table is empty. */
  readonly csv?: string | false
  readonly actions?: ComponentChildren
  /** Beside the heading. */
  readonly badges?: ComponentChildren
  readonly tabs?: TabsProps
  /** Below the heading. A plain text becomes a paragraph. */
  readonly intro?: ComponentChildren
}

/** A page with its heading: title, breadcrumb, actions and introduction. */
export function headedPage(visit: Visit, headed: HeadedPage): Response {
  const { heading, trail = [], csv, actions, badges, tabs, intro, body, ...rest } = headed
  const hasActions = csv !== undefined || actions !== undefined
  const buttons = hasActions && [csv && <CsvLink href={csv} />, actions]
  return page(visit, {
    ...rest,
    body: (
      <>
        <PageHead title={heading ?? rest.title} trail={trail} actions={buttons || undefined} badges={badges}>
          {intro}
        </PageHead>
        {tabs !== undefined && <Tabs {...tabs} />}
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
  return cardPage(visit, { title, active, heading: question, text, body: <Form {...form} danger /> })
}

type CardPage = Page & {
  readonly heading?: string
  readonly text?: ComponentChildren
  readonly after?: ComponentChildren
}

/** A page that is one small card, such as a question or a short form. For strangers it is below the awning. */
export function cardPage(visit: Visit, { heading, text, body, after, ...rest }: CardPage): Response {
  const title = heading ?? rest.title
  const content = (
    <>
      {text !== undefined && <p>{text}</p>}
      {body}
    </>
  )
  const card =
    visit.place === null ? (
      <Stall title={title}>{content}</Stall>
    ) : (
      <section class="card narrow">
        <h1>{title}</h1>
        {content}
      </section>
    )
  return page(visit, {
    ...rest,
    body: (
      <>
        {card}
        {after}
      </>
    ),
  })
}
