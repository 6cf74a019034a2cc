import { logoResponse } from "../respond.tsx"
import type { Visit } from "../visit.ts"
import type { Paper } from "./paper.tsx"
import { sellerWithLogo } from "./seller-with-logo.ts"
import { strangerNotFound } from "./stranger-pages.tsx"

export const logoOf = (visit: Visit, { paper }: { readonly paper: Paper }) => sellersLogo(visit, paper.sellerId)

export async function sellersLogo(visit: Visit, sellerId: number | null = null): Promise<Response> {
  const seller = await sellerWithLogo(visit, sellerId)
  const logo = seller && (await visit.context.store.organizations.logo(seller.id))
  return logo === null ? strangerNotFound(visit) : logoResponse(visit, logo)
}
