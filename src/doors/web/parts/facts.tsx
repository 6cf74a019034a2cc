import type { ComponentChildren } from "preact"
import type { Tone } from "./badge.tsx"

interface FactProps {
  readonly term: string
  readonly tone?: Tone | undefined
  /** More about it, quieter. */
  readonly note?: ComponentChildren
  readonly children: ComponentChildren
}

/** An entry of `Facts` or `Stats`. */
export function Fact({ term, tone, note, children }: FactProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd class={tone === undefined ? undefined : `tone ${tone}`}>
        {children}
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  )
}

/** What is known about something, in columns. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>
}

/** A few large figures in a card of their own. */
export function Stats({ children }: { readonly children: ComponentChildren }) {
  return <dl class="card stats">{children}</dl>
}
