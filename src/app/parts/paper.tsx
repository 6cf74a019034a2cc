import type { ComponentChildren } from "preact"
import { Icon, type IconName, Mark } from "./icon.tsx"

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

interface StallProps {
  readonly title: string
  readonly text: ComponentChildren
  readonly name: string
  readonly logo: string | null
  readonly children: ComponentChildren
}

/** A card below an awning, for visitors who aren't signed in. */
export const Stall = ({ title, text, name, logo, children }: StallProps) => (
  <section class="card stall">
    <div class="awning" />
    {logo === null ? (
      <div class="brand">
        <Mark />
        {name}
      </div>
    ) : (
      <img class="logo" src={logo} alt={name} />
    )}
    <div class="stack tight">
      <h1>{title}</h1>
      <p>{text}</p>
    </div>
    {children}
  </section>
)

interface DoorProps {
  readonly href: string
  readonly icon: IconName
  readonly title: string
  readonly text: string
}

/** One of a few choices, in an element with the class "doors". */
export const Door = ({ href, icon, title, text }: DoorProps) => (
  <a href={href}>
    <Icon name={icon} />
    <span>
      <b>{title}</b>
      <small>{text}</small>
    </span>
    <Icon name="arrow" />
  </a>
)
