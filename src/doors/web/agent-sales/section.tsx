import { AGENT_KEYS, AGENT_SALES, LISTED, PRODUCTS, REQUESTS } from "../frame/navigation.ts"
import { ButtonLink, Empty } from "../parts/blocks.tsx"
import type { Trail } from "../parts/page.tsx"
import { headedPage } from "../respond.tsx"
import type { PersonVisit } from "../visit.ts"

// Products, buyers' keys, requests and what was asked for are one section: one entry of the menu, and tabs.

export const SALES_TABS = [
  { href: AGENT_SALES, label: "Overview" },
  { href: PRODUCTS, label: "Products" },
  { href: AGENT_KEYS, label: "Buyers’ keys" },
  { href: REQUESTS, label: "Requests" },
  { href: LISTED, label: "Get listed" },
]

type SalesPage = Omit<Parameters<typeof headedPage>[1], "tabs" | "heading" | "trail"> & {
  /** The address of its tab. */
  readonly tab: string
}

/** A page with the tabs of the section. Before the first product there are none, and what is about products is an invitation. */
export async function salesPage(visit: PersonVisit, { tab, ...page }: SalesPage): Promise<Response> {
  const { products } = await visit.context.store.catalogue.contents()
  const heading = "Agent sales"
  if (products.size > 0)
    return headedPage(visit, { ...page, heading, tabs: { label: heading, tabs: SALES_TABS, current: tab } })
  if (tab !== AGENT_SALES && tab !== PRODUCTS) return headedPage(visit, { ...page, heading })
  return headedPage(visit, { title: page.title, heading, body: <Invitation /> })
}

export const salesTrail = (tab: string): Trail => [
  { href: AGENT_SALES, label: "Agent sales" },
  ...SALES_TABS.filter(({ href }) => href === tab),
]

/** All there is before the first product. */
const Invitation = () => (
  <Empty
    title="Sell to buyers’ AI agents, too"
    text="Describe what you sell once. Buyers’ agents ask in plain words, and see only what you show to them. Orders still come to you."
  >
    <ButtonLink kind="primary" href={`${PRODUCTS}/new`} label="Describe your first product" />
  </Empty>
)
