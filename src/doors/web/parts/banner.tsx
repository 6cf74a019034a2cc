import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "./icon.tsx"

export type BannerTone = "good" | "info" | "warn" | "bad"

const ICONS: Readonly<Record<BannerTone, IconName>> = { good: "check", info: "info", warn: "warning", bad: "error" }

interface BannerProps {
  readonly tone: BannerTone
  /** Whether screen readers announce it: for what just happened, not for what is always there. */
  readonly live?: boolean
  readonly children: ComponentChildren
}

/** A message across the page. */
export function Banner({ tone, live = false, children }: BannerProps) {
  const role = tone === "bad" || tone === "warn" ? "alert" : "status"
  return (
    <div class={`banner ${tone}`} role={live ? role : undefined}>
      <Icon name={ICONS[tone]} />
      <div>{children}</div>
    </div>
  )
}
