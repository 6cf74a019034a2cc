import type { ComponentChildren } from "preact"
import { Icon, type IconName, Mark } from "./icon.tsx"

export type Tone = "good" | "warn" | "bad" | "info" | "over" | "live" | "off"

/** A shape beside each colour, so that nothing depends on seeing the colour. */
export type BadgeShape = "dot" | "down" | "up" | "done" | "ring" | "dash" | "word"

type BadgeProps = Readonly<{ tone?: Tone; shape?: BadgeShape; children: ComponentChildren }>

/** A state in a word. */
export function Badge({ tone = "off", shape = tone === "off" ? "word" : "dot", children }: BadgeProps) {
  return <span class={shape === "dot" ? `badge ${tone}` : `badge ${tone} ${shape}`}>{children}</span>
}

type BannerTone = "good" | "info" | "warn" | "bad"

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
