import type { ComponentChildren } from "preact"
import { Icon } from "./icon.tsx"

interface CopyableProps {
  readonly id: string
  readonly label: string
  readonly text: string
}

/** A text to copy: easy to select, with a button if scripts run. */
export const Copyable = ({ id, label, text }: CopyableProps) => (
  <div class="field">
    <span class="label">{label}</span>
    <div class="code">
      {text.includes("\n") ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
        <pre id={id} tabIndex={0}>
          {text}
        </pre>
      ) : (
        <code id={id}>{text}</code>
      )}
      <CopyButton from={id} what={label} />
    </div>
  </div>
)

interface CopyButtonProps {
  /** The ID of the element whose text it copies. */
  readonly from: string
  readonly what: string
  readonly label?: string
}

export const CopyButton = ({ from, what, label = "Copy" }: CopyButtonProps) => (
  <button type="button" class="button small scripted" data-copy={from} aria-label={`${label}: ${what}`}>
    <Icon name="copy" />
    <span>{label}</span>
  </button>
)

interface ShownOnceProps {
  readonly title: string
  readonly text: ComponentChildren
  readonly secrets: readonly CopyableProps[]
  readonly children: ComponentChildren
}

/** A key, a link or codes that are shown only once. */
export const ShownOnce = ({ title, text, secrets, children }: ShownOnceProps) => (
  <section class="card once form-card">
    <h2 class="with">
      <Icon name="key" />
      {title}
    </h2>
    <p>{text}</p>
    {secrets.map((secret) => (
      <Copyable {...secret} />
    ))}
    {children}
  </section>
)
