import type { ComponentChildren } from "preact"
import type { Tone } from "./badge.tsx"
import { ButtonLink } from "./button-link.tsx"
import { Icon, type IconName } from "./icon.tsx"

export interface Todo {
  readonly key: string
  readonly tone: Tone
  readonly icon: IconName
  /** What it is about, and what about it: "City Walks" "is 17% behind plan". */
  readonly subject: string
  readonly what: string
  readonly text: ComponentChildren
  readonly href: string
  readonly action: string
}

/** What needs somebody, with the place where it is done. */
export function TodoList({ todos }: { readonly todos: readonly Todo[] }) {
  return (
    <ul class="todo">
      {todos.map(({ key, tone, icon, subject, what, text, href, action }) => (
        <li key={key}>
          <span class={`tile ${tone}`}>
            <Icon name={icon} />
          </span>
          <div>
            <h3>
              <strong>{subject}</strong> {what}
            </h3>
            <p>{text}</p>
          </div>
          <ButtonLink small href={href} label={action} about={`${action}: ${subject}`} />
        </li>
      ))}
    </ul>
  )
}
