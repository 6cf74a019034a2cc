import { asc, eq, isNull } from "drizzle-orm"
import { lineFields } from "../../../domain/campaign/line-fields.ts"
import { type ExistingData, type KnownLine, nameOfLine, type PlannedLine } from "../../../domain/import/import-plan.ts"
import type { Snapshot } from "../../port/store.ts"
import { storedFormats, storedProducts } from "../../steps/catalogue.ts"
import { openingsByKey } from "../../steps/openings.ts"
import { organizations } from "../../steps/organizations.ts"
import { usersWhere } from "../../steps/users.ts"
import { catalogueRevision } from "../engine/catalogue-revision.ts"
import type { Connection } from "../engine/connection.ts"
import { runNow, txOn } from "../engine/steps.ts"
import { agentKey, campaign, membership, organization, packageLine, user } from "../schema.ts"

/** The stored data that an import file may refer to. */
export function knownThings(connection: Connection): ExistingData {
  const { drizzle } = connection
  const lines = knownLines(connection)
  return {
    organizations: new Set(
      drizzle
        .select({ slug: organization.slug })
        .from(organization)
        .all()
        .map(({ slug }) => slug),
    ),
    operators: knownOperators(connection),
    admins: knownAdmins(connection),
    products: new Map(runNow(storedProducts(txOn(connection))).map(({ productId, body }) => [productId, body])),
    formats: new Map(runNow(storedFormats(txOn(connection))).map(({ formatId, body }) => [formatId, body])),
    lines: new Map(lines.map((line) => [line.packageId, line])),
    // In reverse, so that the oldest of several lines with the same name wins.
    linesByName: new Map(lines.toReversed().map((line) => [nameOfLine(line), line])),
    revision: catalogueRevision(connection),
  }
}

export function knownOperators({ drizzle }: Connection): Set<string> {
  const rows = drizzle.select({ email: user.email }).from(user).where(eq(user.isOperator, 1)).all()
  return new Set(rows.map(({ email }) => email))
}

export function knownAdmins({ drizzle }: Connection): Map<string, Set<string>> {
  const rows = drizzle
    .select({ email: user.email, slug: organization.slug })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .innerJoin(organization, eq(organization.id, membership.organizationId))
    .where(eq(membership.role, "admin"))
    .all()
  const bySlug = Map.groupBy(rows, ({ slug }) => slug)
  return new Map([...bySlug].map(([slug, admins]) => [slug, new Set(admins.map(({ email }) => email))]))
}

function knownLines({ database }: Connection): KnownLine[] {
  const rows = database
    .query<KnownLine & { hasFigures: number | boolean }, []>(
      `SELECT l.package_id AS packageId, c.slug AS campaign, o.slug AS seller, l.name, l.pricing_basis AS pricingBasis,
         l.external_id AS externalId,
         EXISTS (SELECT 1 FROM delivery_total t WHERE t.line_id = l.id)
         OR EXISTS (SELECT 1 FROM withdrawn_report w WHERE w.line_id = l.id)
         OR EXISTS (SELECT 1 FROM affiliate_placement a WHERE a.line_id = l.id) AS hasFigures
       FROM package_line l JOIN campaign c ON c.id = l.campaign_id JOIN organization o ON o.id = l.seller_id ORDER BY l.id`,
    )
    .all()
  return rows.map((row) => ({ ...row, hasFigures: Boolean(row.hasFigures) }))
}

export function snapshotOf(connection: Connection): Snapshot {
  const { drizzle } = connection
  const openings = runNow(openingsByKey(txOn(connection)))
  const keys = drizzle
    .select({ id: agentKey.id, label: agentKey.label, buyer: organization.slug })
    .from(agentKey)
    .leftJoin(organization, eq(organization.id, agentKey.buyerId))
    .where(isNull(agentKey.revokedAt))
    .orderBy(asc(agentKey.label))
    .all()
  return {
    organizations: runNow(organizations(txOn(connection))),
    users: runNow(usersWhere(txOn(connection), undefined)),
    campaigns: drizzle
      .select({ slug: campaign.slug, name: campaign.name, buyer: organization.slug, archived: campaign.archived })
      .from(campaign)
      .innerJoin(organization, eq(organization.id, campaign.buyerId))
      .orderBy(asc(campaign.slug))
      .all()
      .map((one) => ({ ...one, archived: one.archived === 1 })),
    lines: allLines(connection),
    formats: runNow(storedFormats(txOn(connection))),
    products: runNow(storedProducts(txOn(connection))),
    agentKeys: keys.map(({ id, label, buyer }) => ({ label, buyer, openings: openings.get(id) ?? [] })),
  }
}

function allLines({ drizzle }: Connection): PlannedLine[] {
  return drizzle
    .select({
      packageId: packageLine.packageId,
      campaign: campaign.slug,
      seller: organization.slug,
      ...lineFields(packageLine),
      archived: packageLine.archived,
    })
    .from(packageLine)
    .innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
    .innerJoin(organization, eq(organization.id, packageLine.sellerId))
    .orderBy(asc(campaign.slug), asc(packageLine.id))
    .all()
    .map((line) => ({ ...line, archived: line.archived === 1 }))
}
