import { asc, isNull } from "drizzle-orm"
import type { ImportedCampaign, ImportedUser, ImportFile } from "../../domain/import-file.ts"
import { allOpenings, storedFormats, storedProducts } from "../../storage/catalogue/catalogue.ts"
import type { ReadTx } from "../../storage/database.ts"
import { allUsers } from "../../storage/people/users.ts"
import type { Context } from "../context.ts"

/** The file that `importFile` reads, with everything that it can hold. Keys and passwords are left out. */
export const exportFile = ({ database }: Context): Promise<ImportFile> =>
  database.snapshot(async (read) => {
    const organizations = await read.db.select().from(read.organization).orderBy(asc(read.organization.slug))
    const slugs = new Map(organizations.map(({ id, slug }) => [id, slug]))
    const formats = await storedFormats(read)
    const products = await storedProducts(read)
    return {
      organizations: organizations.map(({ slug, name, timeZone, address }) => ({
        slug,
        name,
        time_zone: timeZone,
        ...(address !== "" && { address }),
      })),
      users: await usersOf(read, slugs),
      campaigns: await campaignsOf(read, slugs),
      formats: [...formats.values()].filter((format) => format !== null),
      hidden_formats: [...formats].flatMap(([id, format]) => (format === null ? [id] : [])),
      products: products.map(({ product }) => product),
      product_sellers: products.flatMap(({ id, sellerId }) =>
        sellerId === null ? [] : [{ product_id: id, seller: slugOf(slugs, sellerId) }],
      ),
      agent_keys: await buyerKeysOf(read, slugs),
    }
  })

type Slugs = ReadonlyMap<number, string>

const slugOf = (slugs: Slugs, id: number): string => slugs.get(id) ?? ""

async function usersOf(read: ReadTx, slugs: Slugs): Promise<ImportedUser[]> {
  const seats = await read.db.select().from(read.membership)
  const byUser = Map.groupBy(seats, ({ userId }) => userId)
  return (await allUsers(read)).flatMap(({ id, email, name, isOperator }) => {
    const account = { email, name, ...(isOperator && { operator: true }) }
    const own = byUser.get(id) ?? []
    if (own.length === 0) return [account]
    return own.map(({ organizationId, role }) => ({ ...account, organization: slugOf(slugs, organizationId), role }))
  })
}

async function campaignsOf(read: ReadTx, slugs: Slugs): Promise<ImportedCampaign[]> {
  const { db, campaign, line } = read
  const lines = Map.groupBy(await db.select().from(line).orderBy(asc(line.id)), ({ campaignId }) => campaignId)
  const campaigns = await db.select().from(campaign).orderBy(asc(campaign.id))
  return campaigns.map(({ id, slug, name, buyerId, ownerId, archived }) => ({
    slug,
    ...(ownerId !== null && { owner: slugOf(slugs, ownerId) }),
    name,
    buyer: slugOf(slugs, buyerId),
    ...(archived === 1 && { archived: true }),
    lines: (lines.get(id) ?? []).map((each) => ({
      package_id: each.packageId,
      seller: slugOf(slugs, each.sellerId),
      name: each.name,
      pricing_basis: each.pricingBasis,
      flight_start: each.flightStart,
      flight_end: each.flightEnd,
      booked: each.booked,
      rate: each.rate,
      currency: each.currency,
      ...(each.externalId !== null && { external_id: each.externalId }),
      ...(each.archived === 1 && { archived: true }),
    })),
  }))
}

async function buyerKeysOf(read: ReadTx, slugs: Slugs) {
  const { db, buyerKey } = read
  const openings = Map.groupBy(await allOpenings(read), ({ buyerKeyId }) => buyerKeyId)
  const keys = await db.select().from(buyerKey).where(isNull(buyerKey.revokedAt)).orderBy(asc(buyerKey.label))
  return keys.map(({ id, label, buyerId }) => ({
    label,
    ...(buyerId !== null && { buyer: slugOf(slugs, buyerId) }),
    opened: (openings.get(id) ?? []).map(({ productId, territories }) => ({
      product_id: productId,
      territories: [...territories],
    })),
  }))
}
