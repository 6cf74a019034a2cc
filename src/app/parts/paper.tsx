import type { ComponentChildren } from "preact"

interface LetterheadProps {
  /** The address of the seller's logo. */
  readonly logo: string | null
  readonly name: string
  readonly children?: ComponentChildren
}

/** The head of what a seller hands out: a shared report, an order page, a statement. */
export const Letterhead = ({ logo, name, children }: LetterheadProps) => (
  <header class="letterhead">
    <div class="with">
      {logo !== null && <img class="logo" src={logo} alt="" />}
      <b class="figure mid">{name}</b>
    </div>
    {children}
  </header>
)

/** A sheet that prints on its own, without the frame around it. */
export const Paper = ({ children }: { readonly children: ComponentChildren }) => (
  <article class="card paper">{children}</article>
)
