import type { ComponentChildren } from "preact"

export type Trail = readonly { readonly href: string; readonly label: string }[]

export interface PageHeadProps {
  readonly title: string
  /** Beside the title. */
  readonly badges?: ComponentChildren
  /** What can be done here, to the right of the title. */
  readonly actions?: ComponentChildren
  readonly trail?: Trail
  /** A line below the title. A plain text becomes a paragraph. */
  readonly children?: ComponentChildren
}

/** The title of a page, with the breadcrumb above and the actions beside it. */
export function PageHead({ title, badges, actions, trail = [], children }: PageHeadProps) {
  return (
    <div class="page-head">
      <div>
        <Breadcrumb trail={trail} />
        <h1>
          {title}
          {badges !== undefined && <span class="with wraps">{badges}</span>}
        </h1>
        {typeof children === "string" ? <p class="sub">{children}</p> : children}
      </div>
      {actions !== undefined && <div class="actions no-print">{actions}</div>}
    </div>
  )
}

export function Breadcrumb({ trail, label = "Breadcrumb" }: { readonly trail: Trail; readonly label?: string }) {
  if (trail.length === 0) return null
  return (
    <nav class="crumbs" aria-label={label}>
      <ol>
        {trail.map(({ href, label: text }) => (
          <li key={href}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
