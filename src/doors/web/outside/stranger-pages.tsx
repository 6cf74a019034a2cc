import type { ComponentChildren } from "preact"
import { ButtonLink } from "../parts/blocks.tsx"
import { Mark } from "../parts/icon.tsx"
import { type Page, page } from "../respond.tsx"
import type { Visit } from "../visit.ts"
import { RunsOn } from "./runs-on.tsx"
import { sellerWithLogo } from "./seller-with-logo.ts"

interface OuterPage extends Omit<Page, "body"> {
  readonly heading: string
  readonly text: string
  readonly below: ComponentChildren
  /** A last line, below the card. */
  readonly foot?: string
}

/** A page for a stranger, below the awning, in the name of the seller. */
export async function outerPage(visit: Visit, pageFor: (seller: string | null) => OuterPage): Promise<Response> {
  const { name = null, logo = null } = (await sellerWithLogo(visit)) ?? {}
  const { heading, text, below, foot, ...rest } = pageFor(name)
  return page(visit, {
    ...rest,
    shape: "alone",
    body: [
      <section class="card stall">
        <div class="awning" />
        {logo === null ? (
          <div class="brand">
            <Mark />
            {name ?? "Adbooth"}
          </div>
        ) : (
          <img class="logo" src={logo} alt={name ?? ""} />
        )}
        <div class="stack tight">
          <h1>{heading}</h1>
          <p>{text}</p>
        </div>
        {below}
      </section>,
      foot === undefined ? <RunsOn visit={visit} /> : <p class="hint center">{foot}</p>,
    ],
  })
}

export const NOTHING_HERE = {
  title: "Not found",
  status: 404,
  heading: "There is nothing at this address",
  text: "A letter may be missing, or the page may have moved. Nothing was lost.",
} as const

/** The same for what does not exist and for what belongs to somebody else. */
export const strangerNotFound = (visit: Visit): Promise<Response> =>
  outerPage(visit, () => ({
    ...NOTHING_HERE,
    below: (
      <div class="actions">
        <ButtonLink kind="primary" href="/app" label="Sign in" />
        <ButtonLink kind="quiet" href="/" label="Front page" />
      </div>
    ),
    foot: "Not found (404)",
  }))

/** A link that has ended, or never was. It says nothing of what it led to. */
const endedPage = (kind: string, below: ComponentChildren) => (visit: Visit) =>
  outerPage(visit, (seller) => ({
    title: "Link ended",
    status: 404,
    heading: "This link no longer works",
    text: `Ask ${seller ?? "whoever sent it to you"} for a new one.`,
    below: [
      below,
      <p class="hint">
        {kind} end on a day the seller chooses, or when the seller revokes them. If you got this one recently, check
        that you have all of it.
      </p>,
    ],
  }))

const signInInstead = (
  <div class="actions">
    <ButtonLink href="/app" label="Sign in instead" />
  </div>
)
export const linkEnded = endedPage("Report links", signInInstead)
export const orderLinkEnded = endedPage("Order links", null)
