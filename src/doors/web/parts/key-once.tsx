import type { ComponentChildren } from "preact"
import { Copyable } from "./copyable.tsx"
import { Icon } from "./icon.tsx"

interface KeyOnceProps {
  readonly title: string
  readonly text: ComponentChildren
  readonly secrets: readonly { readonly id: string; readonly label: string; readonly text: string }[]
  readonly children: ComponentChildren
}

/** A secret that is shown once, such as a key, a link or codes. */
export function KeyOnce({ title, text, secrets, children }: KeyOnceProps) {
  return (
    <section class="card once form-card">
      <h2 class="with">
        <Icon name="key" />
        {title}
      </h2>
      <p>{text}</p>
      {secrets.map((secret) => (
        <Copyable key={secret.id} {...secret} />
      ))}
      {children}
    </section>
  )
}
