import type { ComponentChildren } from "preact"
import { contactInForce } from "../../actions/operations/agent-settings.ts"
import { requesterPath } from "../../actions/sale/order-links.ts"
import { contactWords } from "../../domain/adcp/contact.ts"
import { sentence } from "../../domain/user-error.ts"
import type { Order } from "../../storage/port/store.ts"
import { ButtonLink, Door, Letterhead } from "./parts/blocks.tsx"
import { Mark } from "./parts/icon.tsx"
import { logoResponse, type Page, page } from "./respond.tsx"
import { isUnclaimed, unclaimedPage } from "./sign-in/sign-in.tsx"
import type { Visit } from "./visit.ts"

export const LOGO_PATH = "/app/logo"

/**
 * In whose name strangers are met: the seller that is known, or the only one here, with the address of its picture. Null where there are
 * several, or none yet. Of several, only whoever has a link to one may ask for its picture, below that link.
 */
export async function sellerWithLogo({ context }: Visit, sellerId: number | null = null, link: string | null = null) {
  const { organizations } = context.store
  // The front page answers also while the database is away.
  const [first, other] = await organizations.sellers(2).catch(() => [])
  const only = other === undefined ? first : undefined
  if (only !== undefined && (sellerId ?? only.id) === only.id)
    return { ...only, logo: (await organizations.logo(only.id).catch(() => null)) && LOGO_PATH }
  const known = sellerId === null ? null : await organizations.find(sellerId)
  return known && { ...known, logo: link && (await organizations.logo(known.id)) && `${link}/logo` }
}

/** What a requester is told by mail: the seller, fixed words and the address of the order's page, nothing that a stranger typed. */
const MAILS = {
  received: "Your order has arrived. You’ll see the answer on this page, and get an email.",
  answered: "Your order was answered. This page shows the answer.",
}

/** Mails the requester where mail is set up. Nobody waits for it, and it never fails what was done. */
export function tellRequester(visit: Visit, order: Order, did: keyof typeof MAILS): void {
  const { mail, log } = visit.context
  const send = async () => {
    const path = (await mail.place()) && (await requesterPath(visit.context, order))
    if (path === null) return
    const seller = await sellerWithLogo(visit, order.sellerId)
    const subject = `${seller?.name ?? "We"} ${did} your order`
    await mail.send({ to: order.requester.email, subject, text: `${MAILS[did]}\n\n${visit.origin}${path}\n` })
  }
  send().catch((cause: unknown) => log.error("order mail not sent", cause))
}

/** Whose paper somebody with a link gets. */
export type Paper = Awaited<ReturnType<typeof paperOf>>

/** That of the seller; where there are several and none is known, of whoever is asked about orders. */
export async function paperOf(visit: Visit, sellerId: number | null, link: string) {
  const { name, logo = null, timeZone = visit.zone } = (await sellerWithLogo(visit, sellerId, link)) ?? {}
  const contact = await contactInForce(visit.context.store, visit.context.config)
  return { sellerId, name: name ?? contact ?? new URL(visit.origin).host, logo, zone: timeZone, contact }
}

type PaperPage = Omit<Page, "body" | "shape" | "zone"> &
  Readonly<{ paper: Paper; actions?: ComponentChildren; children: ComponentChildren }>

/** A page for whoever has a link. */
export const paperPage = (visit: Visit, { paper, actions, children, ...rest }: PaperPage): Response =>
  page(visit, {
    ...rest,
    shape: "sheet",
    zone: paper.zone,
    body: (
      <article class="stack">
        <Letterhead logo={paper.logo} name={paper.name}>
          {actions && <div class="actions no-print">{actions}</div>}
        </Letterhead>
        {children}
        {paper.contact !== null && <p class="hint">Questions about your order? {sentence(paper.contact)}</p>}
        <RunsOn visit={visit} />
      </article>
    ),
  })

const RunsOn = ({ visit }: { readonly visit: Visit }) => (
  <p class="hint center no-print">
    {new URL(visit.origin).host} · runs on <b>Adbooth</b>
  </p>
)

interface OuterPage extends Omit<Page, "body"> {
  readonly heading: string
  readonly text: string
  readonly below: ComponentChildren
  /** A last line, below the card. */
  readonly foot?: string
}

/** A page for whoever comes from outside, below the awning, in the name of the seller. */
async function outerPage(visit: Visit, pageFor: (seller: string | null) => OuterPage): Promise<Response> {
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

const REFUSED = { status: 405, headers: { Allow: "POST" } }

/** The address of the sales agent, in a browser. The method stays refused, as for programs. */
export async function frontPage(visit: Visit): Promise<Response> {
  const { store, config, agentAt } = visit.context
  if (await isUnclaimed(visit).catch(() => false)) return unclaimedPage(visit, REFUSED)
  const { needsKey } = contactWords(await contactInForce(store, config), agentAt(visit.url))
  return outerPage(visit, (seller) => ({
    title: "Sales agent",
    ...REFUSED,
    heading: seller === null ? "Advertising is sold here" : `${seller} sells advertising here`,
    text: `This address is for programs: buyers' AI agents ask in plain words what they can book. ${needsKey}`,
    below: (
      <nav class="doors" aria-label="Where to go">
        {doorsFor(seller).map((door) => (
          <Door {...door} />
        ))}
      </nav>
    ),
  }))
}

const GUIDE_DOORS = [
  { href: "/docs/buyers", icon: "book", title: "Developer guide for buyers", text: "Connect an agent, with examples" },
  { href: "/docs", icon: "info", title: "All guides", text: "Also for sellers and operators, with the API reference" },
] as const

function doorsFor(seller: string | null) {
  const text = `For ${seller === null ? "sellers" : `the people of ${seller}`} and their buyers`
  return [{ href: "/app", icon: "people", title: "Sign in", text } as const, ...GUIDE_DOORS]
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

export const logoOf = (visit: Visit, { paper }: { readonly paper: Paper }) => sellersLogo(visit, paper.sellerId)

export async function sellersLogo(visit: Visit, sellerId: number | null = null): Promise<Response> {
  const seller = await sellerWithLogo(visit, sellerId)
  const logo = seller && (await visit.context.store.organizations.logo(seller.id))
  return logo === null ? strangerNotFound(visit) : logoResponse(visit, logo)
}
