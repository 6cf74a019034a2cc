import type { ComponentChildren } from "preact"
import { Mark } from "./icon.tsx"

type EmptyProps = Readonly<{ title: string; text: string; children?: ComponentChildren }>

/** Shown in place of an empty list: what the list is for, and what to do next. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <section class="empty">
      <Mark />
      <h2>{title}</h2>
      <p>{text}</p>
      {children !== undefined && <div class="actions">{children}</div>}
    </section>
  )
}
