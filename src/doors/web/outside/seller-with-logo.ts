import type { Visit } from "../visit.ts"

export const LOGO_PATH = "/app/logo"

/**
 * In whose name strangers are met: the seller that is known, or the only one here, with the address of its picture. Null where there are
 * several, or none yet. Of several, only a visitor with a link to one gets its picture, below that link.
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
