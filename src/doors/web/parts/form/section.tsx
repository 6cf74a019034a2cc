import type { ComponentChildren } from "preact"

type SectionProps = Readonly<{ title: string; hint?: ComponentChildren; children: ComponentChildren }>

/** A part of a long form: what it is about at the left, its fields at the right. */
export function FormSection({ title, hint, children }: SectionProps) {
  return (
    <section class="section">
      <div>
        <h2>{title}</h2>
        {hint !== undefined && <p class="hint">{hint}</p>}
      </div>
      <div class="stack">{children}</div>
    </section>
  )
}
