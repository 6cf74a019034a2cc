import type { ComponentChildren } from "preact"

interface ButtonLinkProps {
  readonly href: string
  readonly label: string
  readonly kind?: "primary" | "quiet" | "danger"
  /** For screen readers, where the label alone does not say what it is about. */
  readonly about?: string
}

export function ButtonLink({ href, label, kind, about }: ButtonLinkProps) {
  return (
    <a class={kind === undefined ? "button" : `button ${kind}`} href={href} aria-label={about}>
      {label}
    </a>
  )
}

export function CsvLink({ href, label = "Download CSV" }: { readonly href: string; readonly label?: string }) {
  return (
    <a class="button quiet" href={href} download>
      {label}
    </a>
  )
}

export type Trail = readonly { readonly href: string; readonly label: string }[]

export interface HeadingProps {
  readonly title: string
  /** What can be done here, to the right of the title. */
  readonly actions?: ComponentChildren
  readonly trail?: Trail
  readonly children?: ComponentChildren
}

/** The title of a page, with the breadcrumb above and the actions beside it. */
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

type EmptyProps = Readonly<{ title: string; text: string; children?: ComponentChildren }>

/** Shown in place of an empty list: what the list is for, and what to do next. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  )
}

export type Tone = "good" | "warning" | "bad" | "plain"

export function Badge({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** An entry of a list of facts (`<dl class="facts">`). */
export function Fact({ term, children }: { readonly term: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type CopyableProps = Readonly<{ id: string; label: string; text: string }>

/** A text to copy: selectable as it is, with a button where scripts run. */
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

const CODE_CHARACTERS_SHOWN = 60

/** A text in a table; a long one is opened by a click. */
export function LongCode({ text }: { readonly text: string }) {
  if (text.length <= CODE_CHARACTERS_SHOWN) return <code>{text}</code>
  return (
    <details class="long-code">
      <summary>
        <code>{text.slice(0, CODE_CHARACTERS_SHOWN)}…</code>
      </summary>
      <code class="wrap">{text}</code>
    </details>
  )
}
