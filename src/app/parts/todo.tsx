import type { ComponentChildren } from "preact"
import { ButtonLink, type Tone } from "./blocks.tsx"
import { Icon, type IconName } from "./icon.tsx"

export interface Todo {
  readonly tone: Tone
  readonly icon: IconName
  /** What it's about: "City Walks". */
  readonly subject: string
  /** What about it: "is 17% behind plan". */
  readonly what: string
  readonly text: ComponentChildren
  /** Where it's done, and what the button there says. */
  readonly href: string
  readonly action: string
}

/** A row for each thing that needs attention, with a button that leads to it. */
export const TodoList = ({ todos }: { readonly todos: readonly Todo[] }) => (
  <ul class="todo">
    {todos.map(({ tone, icon, subject, what, text, href, action }) => (
      <li>
        <span class={`tile ${tone}`}>
          <Icon name={icon} />
        </span>
        <div>
          <h3>
            <b>{subject}</b> {what}
          </h3>
          <p>{text}</p>
        </div>
        <ButtonLink isSmall href={href} label={action} about={`${action}: ${subject}`} />
      </li>
    ))}
  </ul>
)
