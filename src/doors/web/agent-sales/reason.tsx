import type { ComponentChildren } from "preact"
import { Icon } from "../parts/icon.tsx"

const ICONS = { good: "check", warn: "info", off: "close" } as const

type ReasonProps = Readonly<{ tone: keyof typeof ICONS; children: ComponentChildren }>

/** Why something is, or is not, in an answer. */
export function Reason({ tone, children }: ReasonProps) {
  return (
    <p class={`reason ${tone}`}>
      <Icon name={ICONS[tone]} />
      <span>{children}</span>
    </p>
  )
}
