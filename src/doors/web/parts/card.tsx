import type { ComponentChildren } from "preact"

interface CardProps {
  readonly title?: ComponentChildren
  /** For a card without a visible title. */
  readonly label?: string
  readonly id?: string
  /** To the right of the title. */
  readonly actions?: ComponentChildren
  /** Without a margin inside, for a table or a list that has its own. */
  readonly flush?: boolean
  readonly narrow?: boolean
  readonly children: ComponentChildren
}

/** A sheet of paper: one subject. */
export function Card({ title, label, id, actions, flush = false, narrow = false, children }: CardProps) {
  const classes = ["card", ...(flush ? ["flush"] : []), ...(narrow ? ["narrow"] : [])]
  return (
    <section class={classes.join(" ")} id={id} aria-label={label}>
      {title !== undefined && (
        <div class="card-head">
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}
