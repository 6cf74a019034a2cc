import { and, asc, desc, eq, isNull, or } from "drizzle-orm"
import type { IngestKeys } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { ingestKey, organization } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"
import { keyUses } from "./key-uses.ts"

export function ingestKeys(connection: Connection): IngestKeys {
  const { drizzle, write } = connection
  return {
    create: (key, organizationId, change) =>
      write.run(() => {
        drizzle
          .insert(ingestKey)
          .values({ ...key, organizationId })
          .run()
        const details = { label: key.label }
        addAuditEntry(connection, change, { action: "create ingest_key", subject: key.id, organizationId, details })
      }),
    async list(organizationId) {
      return drizzle
        .select({
          id: ingestKey.id,
          label: ingestKey.label,
          prefix: ingestKey.prefix,
          createdAt: ingestKey.createdAt,
          lastUsedAt: ingestKey.lastUsedAt,
          revokedAt: ingestKey.revokedAt,
          organization: organization.slug,
        })
        .from(ingestKey)
        .innerJoin(organization, eq(organization.id, ingestKey.organizationId))
        .where(organizationId === null ? undefined : eq(ingestKey.organizationId, organizationId))
        .orderBy(desc(ingestKey.createdAt), asc(ingestKey.label), asc(ingestKey.id))
        .all()
    },
    revoke: (idOrPrefix, ownerId, change) =>
      write.run(() => {
        const found = drizzle
          .update(ingestKey)
          .set({ revokedAt: change.at })
          .where(
            and(
              or(eq(ingestKey.id, idOrPrefix), eq(ingestKey.prefix, idOrPrefix)),
              ownerId === null ? undefined : eq(ingestKey.organizationId, ownerId),
              isNull(ingestKey.revokedAt),
            ),
          )
          .returning({ id: ingestKey.id, label: ingestKey.label, organizationId: ingestKey.organizationId })
          .all()
        for (const { id, organizationId } of found) {
          addAuditEntry(connection, change, { action: "revoke ingest_key", subject: id, organizationId })
        }
        const [first] = found
        return first === undefined ? { outcome: "not found" } : { outcome: "done", id: first.id, label: first.label }
      }),
    noteUse: keyUses(connection, "ingest_key"),
  }
}
