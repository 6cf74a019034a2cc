import { asc, eq } from "drizzle-orm"
import { isStale } from "../../../domain/edit-conflict.ts"
import { type Organization, organizationFields } from "../../../domain/people/organization.ts"
import type { OrganizationOverview, Organizations } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { organization } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"
import { forgetDays } from "./delivery/closing-days.ts"
import { logos } from "./logos.ts"

const columns = {
  id: organization.id,
  slug: organization.slug,
  name: organization.name,
  timeZone: organization.timeZone,
}

const OVERVIEW = `
  SELECT o.id, o.slug, o.name, o.time_zone AS timeZone,
    (SELECT count(*) FROM membership m WHERE m.organization_id = o.id) AS members,
    (SELECT count(*) FROM ingest_key k WHERE k.organization_id = o.id AND k.revoked_at IS NULL) AS activeKeys,
    (SELECT count(*) FROM package_line l WHERE l.seller_id = o.id) AS linesSold,
    (SELECT count(*) FROM campaign c WHERE c.buyer_id = o.id) AS campaignsBought
  FROM organization o WHERE o.id IN (SELECT value FROM json_each(?1)) ORDER BY o.slug`

const ONLY_BUYS = `
  SELECT EXISTS (SELECT 1 FROM campaign WHERE buyer_id = ?1)
    AND NOT EXISTS (SELECT 1 FROM package_line WHERE seller_id = ?1)
    AND NOT EXISTS (SELECT 1 FROM ingest_key WHERE organization_id = ?1 AND revoked_at IS NULL) AS "onlyBuys"`

// Revoked keys count: the history tells who sent what.
const IN_USE = `SELECT EXISTS (SELECT 1 FROM membership WHERE organization_id = ?1)
  OR EXISTS (SELECT 1 FROM ingest_key WHERE organization_id = ?1)
  OR EXISTS (SELECT 1 FROM package_line WHERE seller_id = ?1) OR EXISTS (SELECT 1 FROM campaign WHERE buyer_id = ?1)
  OR EXISTS (SELECT 1 FROM share_link WHERE organization_id = ?1)
  OR EXISTS (SELECT 1 FROM affiliate_code WHERE organization_id = ?1) AS used`

export function organizations(connection: Connection): Organizations {
  const { database, drizzle, write } = connection
  const find = (slug: string) => drizzle.select(columns).from(organization).where(eq(organization.slug, slug)).get()
  return {
    ...logos(connection),
    async findBySlug(slug) {
      return find(slug) ?? null
    },
    async list(limit) {
      return allOrganizations(connection, limit)
    },
    async overview(ids) {
      return database.query<OrganizationOverview, [string]>(OVERVIEW).all(JSON.stringify(ids))
    },
    async onlyBuys(organizationId) {
      return database.query<{ onlyBuys: number }, [number]>(ONLY_BUYS).get(organizationId)?.onlyBuys === 1
    },
    create: (added, change) =>
      write.run(() => {
        if (find(added.slug) !== undefined) return null
        const row = { ...added, createdAt: change.at }
        const made = drizzle.insert(organization).values(row).returning(columns).get()
        const { id: organizationId, slug, name, timeZone } = made
        const details = { name, timeZone }
        addAuditEntry(connection, change, { action: "create organization", subject: slug, organizationId, details })
        return made
      }),
    edit: (slug, { name, timeZone }, change) =>
      write.run(() => {
        const before = find(slug)
        if (before === undefined) return null
        if (isStale(change.seen, organizationFields(before))) return "changed" as const
        drizzle.update(organization).set({ name, timeZone }).where(eq(organization.id, before.id)).run()
        if (timeZone !== before.timeZone) forgetDays(connection, before.id)
        const details = { name, timeZone }
        addAuditEntry(connection, change, {
          action: "edit organization",
          subject: slug,
          organizationId: before.id,
          details,
        })
        return { ...before, name, timeZone }
      }),
    remove: (slug, change) =>
      write.run(() => {
        const before = find(slug)
        if (before === undefined) return "not found"
        if (database.query<{ used: number }, [number]>(IN_USE).get(before.id)?.used === 1) return "in use"
        database.query("UPDATE audit_entry SET organization_id = NULL WHERE organization_id = ?1").run(before.id)
        drizzle.delete(organization).where(eq(organization.id, before.id)).run()
        addAuditEntry(connection, change, {
          action: "remove organization",
          subject: slug,
          details: { name: before.name },
        })
        return "done"
      }),
  }
}

// SQLite's way to say that there is no limit.
const ALL = -1

export function allOrganizations({ drizzle }: Connection, limit = ALL): Organization[] {
  return drizzle.select(columns).from(organization).orderBy(asc(organization.slug)).limit(limit).all()
}
