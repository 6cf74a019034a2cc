import { sql } from "drizzle-orm"
import { lineFields } from "../../domain/campaign/line-fields.ts"
import { accountsOf } from "../../domain/import/account-rights.ts"
import { type ExistingData, type ExistingLine, nameOfLine, type PlannedLine } from "../../domain/import/import-plan.ts"
import { withFigures } from "./campaigns.ts"
import { productSellers, storedFormats, storedProducts } from "./catalogue.ts"
import { openingsByKey } from "./keys.ts"
import { organizations } from "./organizations.ts"
import { all, asc, type BulkSteps, eq, isNull, type ReadTx, type Step, type Tx } from "./step.ts"
import { usersWhere } from "./users.ts"

export function importExportReads({ queryMoment }: Pick<BulkSteps, "queryMoment">) {
  return { known: () => queryMoment(existingData, "long"), snapshot: () => queryMoment(snapshot, "long") }
}

/** The stored data that an import file may refer to. */
function* existingData(tx: ReadTx & Pick<Tx, "catalogueRevision">): Step<ExistingData> {
  const lines = yield* existingLines(tx)
  return {
    organizations: new Set((yield* organizations(tx)).map(({ slug }) => slug)),
    accounts: accountsOf(yield* usersWhere(tx, undefined)),
    products: new Map((yield* storedProducts(tx)).map(({ productId, body }) => [productId, body])),
    formats: new Map((yield* storedFormats(tx)).map(({ formatId, body }) => [formatId, body])),
    lines: new Map(lines.map((line) => [line.packageId, line])),
    // In reverse, so that the oldest of several lines with the same name wins.
    linesByName: new Map(lines.toReversed().map((line) => [nameOfLine(line), line])),
    revision: tx.catalogueRevision(),
  }
}

function* existingLines(tx: ReadTx): Step<ExistingLine[]> {
  const { db, packageLine, campaign, organization } = tx
  const { packageId, name, pricingBasis, externalId } = packageLine
  const columns = { packageId, campaign: campaign.slug, seller: organization.slug, name, pricingBasis, externalId }
  const rows = db
    .select({ ...columns, hasFigures: sql<number>`CASE WHEN ${withFigures(tx)} THEN 1 ELSE 0 END` })
    .from(packageLine)
    .innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
    .innerJoin(organization, eq(organization.id, packageLine.sellerId))
    .orderBy(asc(packageLine.id))
  return (yield* all(rows)).map((line) => ({ ...line, hasFigures: line.hasFigures === 1 }))
}

/** Everything that an export file holds, read at one moment. */
function* snapshot(tx: ReadTx) {
  const { db, campaign, organization, agentKey } = tx
  const openings = yield* openingsByKey(tx)
  const { id, label, buyerId, revokedAt } = agentKey
  const allKeys = db.select({ id, label, buyer: organization.slug }).from(agentKey)
  const keys = allKeys.leftJoin(organization, eq(organization.id, buyerId)).where(isNull(revokedAt))
  const { slug, name, archived } = campaign
  const allCampaigns = db.select({ slug, name, buyer: organization.slug, archived }).from(campaign)
  const campaigns = allCampaigns.innerJoin(organization, eq(organization.id, campaign.buyerId))
  return {
    organizations: yield* organizations(tx),
    users: yield* usersWhere(tx, undefined),
    campaigns: (yield* all(campaigns.orderBy(asc(slug)))).map((row) => ({ ...row, archived: row.archived === 1 })),
    lines: yield* lines(tx),
    formats: yield* storedFormats(tx),
    products: yield* storedProducts(tx),
    productSellers: yield* productSellers(tx),
    agentKeys: (yield* all(keys.orderBy(asc(label)))).map((key) => ({
      label: key.label,
      buyer: key.buyer,
      openings: openings.get(key.id) ?? [],
    })),
  }
}

function* lines({ db, packageLine, campaign, organization }: ReadTx): Step<PlannedLine[]> {
  const { packageId, archived } = packageLine
  const columns = { campaign: campaign.slug, seller: organization.slug, ...lineFields(packageLine) }
  const rows = db
    .select({ packageId, ...columns, archived })
    .from(packageLine)
    .innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
    .innerJoin(organization, eq(organization.id, packageLine.sellerId))
    .orderBy(asc(campaign.slug), asc(packageLine.id))
  return (yield* all(rows)).map((line) => ({ ...line, archived: line.archived === 1 }))
}
