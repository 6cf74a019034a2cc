import {
  and,
  asc,
  type Column,
  eq,
  exists,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  ne,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm"
import type { Organization } from "../../domain/people/organization.ts"
import { describedTables, type Tables } from "../schema/tables.ts"
import { all, first, found, isThere, type ReadTx, type ResultOf, type Step } from "./step.ts"

export type OrganizationTraits = ResultOf<typeof traits>
export type OrganizationOverview = ResultOf<typeof overview>[number]

export const organizationReads = {
  find: ({ db, organization }: ReadTx, id: number): Step<Organization | null> =>
    found(db.select(columnsOf(organization)).from(organization).where(eq(organization.id, id))),
  findBySlug: organizationBySlug,
  list: organizations,
  overview,
  /** The first ones that sell, by slug. While nobody does, those that might: the first booth has no line yet. */
  *sellers(tx: ReadTx, limit: number): Step<Organization[]> {
    const selling = yield* organizationsThat(tx, sells(tx), limit)
    return selling.length > 0 ? selling : yield* organizationsThat(tx, not(onlyBuys(tx)), limit)
  },
  /** The first ones that only buy and have people who can sign in, by slug. */
  buyersWithPeople: (tx: ReadTx, limit: number) => organizationsThat(tx, and(onlyBuys(tx), hasPeople(tx)), limit),
  traits,
  isInUse,
  logo: ({ db, organizationLogo: { organizationId, mediaType, base64 }, organizationLogo }: ReadTx, id: number) =>
    found(db.select({ mediaType, base64 }).from(organizationLogo).where(eq(organizationId, id))),
}

/** An organization, and whether it also has what no seller has yet: the only one that sells, or for an operator. */
export type SellerScope = Readonly<{ sellerId: number; withUnowned: boolean }>

/** Whose orders or products: null is everybody's. */
export function ofSeller(sellerId: Column, scope: SellerScope | null) {
  if (scope === null) return undefined
  const isOwn = eq(sellerId, scope.sellerId)
  return scope.withUnowned ? or(isOwn, isNull(sellerId)) : isOwn
}

export function organizationBySlug({ db, organization }: ReadTx, slug: string): Step<Organization | null> {
  return found(db.select(columnsOf(organization)).from(organization).where(eq(organization.slug, slug)))
}

/** By slug; with a limit, the first of them. */
export function organizations(tx: ReadTx, limit?: number): Step<Organization[]> {
  return organizationsThat(tx, undefined, limit)
}

export const columnsOf = ({ id, slug, name, timeZone }: ReadTx["organization"]) => ({ id, slug, name, timeZone })

/** Whether something of others depends on it, besides a campaign that it bought. Revoked keys count: the history tells who sent what. */
export function* isInUse(tx: ReadTx, organizationId: number, besides = 0): Step<boolean> {
  const isNotBesides = (table: keyof Tables) => (table === "campaign" ? ne(tx.campaign.id, besides) : undefined)
  const uses = describedTables.flatMap(({ key, properties: { keepsOrganization } }) => {
    if (keepsOrganization === undefined) return []
    const isItsOwn = eq(getTableColumns(tx[key])[keepsOrganization as never], tx.organization.id)
    return exists(
      tx.db
        .select()
        .from(tx[key])
        .where(and(isItsOwn, isNotBesides(key))),
    )
  })
  return yield* isOrganization(tx, organizationId, or(...uses))
}

// In all that follow, IN and not EXISTS: PostgreSQL expects to find a line of anybody soon, and would look through all of them for each
// organization that has none. With a + before the id, so that SQLite still goes by slug.

/** Whether it has lines or products, or a system that reports. */
function sells({ db, organization: { id }, packageLine, ingestKey, product }: ReadTx): SQL {
  const lines = db.select({ id: packageLine.sellerId }).from(packageLine)
  const keys = db.select({ id: ingestKey.organizationId }).from(ingestKey).where(isNull(ingestKey.revokedAt))
  const products = db.select({ id: product.sellerId }).from(product).where(isNotNull(product.sellerId))
  return sql`(+${id} IN ${lines} OR +${id} IN ${keys} OR +${id} IN ${products})`
}

/** Whether it has bought a campaign, and has nothing to sell with: no line, no product and no active API key. */
function onlyBuys(tx: ReadTx): SQL {
  const { db, organization, campaign } = tx
  const bought = db.select({ id: campaign.buyerId }).from(campaign)
  return sql`(+${organization.id} IN ${bought} AND NOT ${sells(tx)})`
}

/** Whether somebody of them has an account that they can sign in with. */
function hasPeople({ db, organization, membership, user }: ReadTx): SQL {
  const people = db.select().from(membership).innerJoin(user, eq(user.id, membership.userId))
  return exists(people.where(and(eq(membership.organizationId, organization.id), isNotNull(user.passwordHash))))
}

function organizationsThat({ db, organization }: ReadTx, which: SQL | undefined, limit?: number): Step<Organization[]> {
  const rows = db.select(columnsOf(organization)).from(organization).where(which).orderBy(asc(organization.slug))
  return all(limit === undefined ? rows : rows.limit(limit))
}

/** Whether it only buys, has lines to sell, had an API key; and whether what it sells, or only buys, has affiliate codes. */
function* traits(tx: ReadTx, id: number) {
  const { db, affiliateCode, packageLine, campaign, ingestKey } = tx
  const codes = () => db.select({ id: affiliateCode.id }).from(affiliateCode)
  const ofLines = codes().innerJoin(packageLine, eq(packageLine.id, affiliateCode.lineId))
  const ofCampaigns = ofLines.innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
  const own = yield* first(codes().where(eq(affiliateCode.organizationId, id)).limit(1))
  const any = own ?? (yield* first(ofCampaigns.where(eq(campaign.buyerId, id)).limit(1)))
  const lines = db.select({ id: packageLine.id }).from(packageLine)
  const hasLines = yield* isThere(lines.where(eq(packageLine.sellerId, id)).limit(1))
  const keys = db.select({ id: ingestKey.id }).from(ingestKey)
  return {
    onlyBuys: !hasLines && (yield* isOrganization(tx, id, onlyBuys(tx))),
    hasLines,
    hasCodes: any !== undefined,
    hadKeys: yield* isThere(keys.where(eq(ingestKey.organizationId, id)).limit(1)),
  }
}

function isOrganization({ db, organization }: ReadTx, id: number, which: SQL | undefined): Step<boolean> {
  const rows = db.select({ id: organization.id }).from(organization)
  return isThere(rows.where(and(eq(organization.id, id), which)))
}

/** These organizations, by slug, with the number of their members, keys, lines and campaigns. */
function* overview(tx: ReadTx, ids: readonly number[]) {
  const { db, organization, membership, ingestKey, packageLine, campaign } = tx
  const { id } = organization
  const counted = (rows: SQL) => sql<number>`(SELECT count(*) FROM ${rows})`.mapWith(Number)
  const counts = {
    members: counted(sql`${membership} WHERE ${membership.organizationId} = ${id}`),
    activeKeys: counted(sql`${ingestKey} WHERE ${ingestKey.organizationId} = ${id} AND ${ingestKey.revokedAt} IS NULL`),
    linesSold: counted(sql`${packageLine} WHERE ${packageLine.sellerId} = ${id}`),
    campaignsBought: counted(sql`${campaign} WHERE ${campaign.buyerId} = ${id}`),
  }
  const rows = db.select({ ...columnsOf(organization), ...counts }).from(organization)
  return yield* all(rows.where(inArray(id, [...ids])).orderBy(asc(organization.slug)))
}
