import { asc, eq } from "drizzle-orm"
import { isStale } from "../../../domain/edit-conflict.ts"
import { organizationFields } from "../../../domain/people/organization.ts"
import type { OrganizationOverview, Organizations } from "../../port/store.ts"
import { isStorable } from "../../steps/storable.ts"
import type { Connection } from "../engine/connection.ts"
import type { Session } from "../engine/session.ts"
import { organization } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"
import { FORGET_DAYS } from "./delivery/closing-days.ts"
import { logos } from "./logos.ts"

const columns = {
  id: organization.id,
  slug: organization.slug,
  name: organization.name,
  timeZone: organization.timeZone,
}

const OVERVIEW = `
  SELECT o.id, o.slug, o.name, o.time_zone AS "timeZone",
    (SELECT count(*) FROM membership m WHERE m.organization_id = o.id) AS members,
    (SELECT count(*) FROM ingest_key k WHERE k.organization_id = o.id AND k.revoked_at IS NULL) AS "activeKeys",
    (SELECT count(*) FROM package_line l WHERE l.seller_id = o.id) AS "linesSold",
    (SELECT count(*) FROM campaign c WHERE c.buyer_id = o.id) AS "campaignsBought"
  FROM organization o WHERE o.id = ANY($1::bigint[]) ORDER BY o.slug`

const ONLY_BUYS = `
  SELECT EXISTS (SELECT 1 FROM campaign WHERE buyer_id = $1)
    AND NOT EXISTS (SELECT 1 FROM package_line WHERE seller_id = $1)
    AND NOT EXISTS (SELECT 1 FROM ingest_key WHERE organization_id = $1 AND revoked_at IS NULL) AS "onlyBuys"`

// Revoked keys count: the history tells who sent what.
const IN_USE = `SELECT EXISTS (SELECT 1 FROM membership WHERE organization_id = $1)
  OR EXISTS (SELECT 1 FROM ingest_key WHERE organization_id = $1)
  OR EXISTS (SELECT 1 FROM package_line WHERE seller_id = $1) OR EXISTS (SELECT 1 FROM campaign WHERE buyer_id = $1)
  OR EXISTS (SELECT 1 FROM share_link WHERE organization_id = $1)
  OR EXISTS (SELECT 1 FROM affiliate_code WHERE organization_id = $1) AS used`

export function organizations(connection: Connection): Organizations {
  const { read, change } = connection
  return {
    ...logos(connection),
    findBySlug: async (slug) => (await read((session) => find(session, slug))) ?? null,
    list: (limit) => read((session) => allOrganizations(session, limit)),
    overview: (ids) => read(({ rows }) => rows<OrganizationOverview>(OVERVIEW, [ids])),
    onlyBuys: (organizationId) =>
      read(async ({ rows }) => (await rows<{ onlyBuys: boolean }>(ONLY_BUYS, [organizationId]))[0]?.onlyBuys === true),
    create: (added, by) =>
      change(async (transaction) => {
        const row = { ...added, createdAt: by.at }
        const inserting = transaction.drizzle.insert(organization).values(row)
        const [made] = await inserting.onConflictDoNothing({ target: organization.slug }).returning(columns)
        if (made === undefined) return null
        const { id: organizationId, slug, name, timeZone } = made
        const details = { name, timeZone }
        await addAuditEntry(transaction, by, { action: "create organization", subject: slug, organizationId, details })
        return made
      }),
    edit: (slug, { name, timeZone }, by) =>
      change(async (transaction) => {
        const before = await find(transaction, slug)
        if (before === undefined) return null
        if (isStale(by.seen, organizationFields(before))) return "changed" as const
        const details = { name, timeZone }
        await transaction.drizzle.update(organization).set(details).where(eq(organization.id, before.id))
        if (timeZone !== before.timeZone) await transaction.rows(FORGET_DAYS, [[before.id]])
        const what = { action: "edit organization", subject: slug, organizationId: before.id, details }
        await addAuditEntry(transaction, by, what)
        return { ...before, name, timeZone }
      }),
    remove: (slug, by) =>
      change(async (transaction) => {
        const before = await find(transaction, slug)
        if (before === undefined) return "not found"
        const [found] = await transaction.rows<{ used: boolean }>(IN_USE, [before.id])
        if (found?.used !== false) return "in use"
        await transaction.rows("UPDATE audit_entry SET organization_id = NULL WHERE organization_id = $1", [before.id])
        await transaction.drizzle.delete(organization).where(eq(organization.id, before.id))
        const what = { action: "remove organization", subject: slug, details: { name: before.name } }
        await addAuditEntry(transaction, by, what)
        return "done"
      }),
  }
}

async function find({ drizzle }: Session, slug: string) {
  if (!isStorable(slug)) return undefined
  const [found] = await drizzle.select(columns).from(organization).where(eq(organization.slug, slug))
  return found
}

export async function allOrganizations({ drizzle }: Session, limit?: number) {
  const all = drizzle.select(columns).from(organization).orderBy(asc(organization.slug)).$dynamic()
  return limit === undefined ? all : all.limit(limit)
}
