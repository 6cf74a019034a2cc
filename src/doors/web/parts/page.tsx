import type { ComponentChildren } from "preact"
import type { Section } from "../frame/navigation.ts"
import { Mark } from "./icon.tsx"

export type Trail = readonly { readonly href: string; readonly label: string }[]

export interface PageHeadProps {
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

export type TabsProps = Section & { readonly current: string }

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

/** The card at the door, below the awning: for visitors who are not signed in, or have just come in. */
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
