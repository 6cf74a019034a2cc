import type { ComponentChildren } from "preact"

interface HeadingProps {
  readonly title: string
  /** What one can do here, to the right of the title. */
  readonly actions?: ComponentChildren
  readonly trail?: readonly { readonly href: string; readonly label: string }[]
  readonly children?: ComponentChildren
}

/** The title of a page, with the way back above and what can be done beside it. */
export function Heading({ title, actions, trail = [], children }: HeadingProps) {
  return (
    <header class="heading">
      {trail.length > 0 && (
        <nav class="trail" aria-label="Breadcrumb">
          {trail.map(({ href, label }) => (
            <a key={href} href={href}>
              {label}
            </a>
          ))}
        </nav>
      )}
      <div class="heading-row">
        <h1>{title}</h1>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
    </header>
  )
}

/** What a page says while there is nothing to show: what this is for, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

export type Tone = "good" | "warning" | "bad" | "plain"

export function Badge({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

interface CopyableProps {
  readonly id: string
  readonly label: string
  readonly text: string
}

/** A text to take away: selectable as it is, with a button where scripts run. */
export function Copyable({ id, label, text }: CopyableProps) {
  const isLong = text.includes("\n")
  return (
    <div class="copyable">
      <span class="copyable-label">{label}</span>
      <div class={isLong ? "copyable-row long" : "copyable-row"}>
        {isLong ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
          <pre id={id} tabIndex={0}>
            {text}
          </pre>
        ) : (
          <code id={id}>{text}</code>
        )}
        <button type="button" data-copy={id} hidden aria-label={`Copy: ${label}`}>
          Copy
        </button>
      </div>
    </div>
  )
}
