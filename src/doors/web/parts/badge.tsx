import type { ComponentChildren } from "preact"

export type Tone = "good" | "warn" | "bad" | "info" | "over" | "live" | "off"

/** A shape beside each colour, so that nothing depends on seeing the colour. */
export type BadgeShape = "dot" | "down" | "up" | "done" | "ring" | "dash" | "word"

type BadgeProps = Readonly<{ tone?: Tone; shape?: BadgeShape; children: ComponentChildren }>

/** A state in a word. */
export function Badge({ tone = "off", shape = tone === "off" ? "word" : "dot", children }: BadgeProps) {
  return <span class={shape === "dot" ? `badge ${tone}` : `badge ${tone} ${shape}`}>{children}</span>
}
