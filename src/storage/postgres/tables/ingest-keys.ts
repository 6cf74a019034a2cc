import { and, asc, desc, eq, isNull, or } from "drizzle-orm"
import type { IngestKeys } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { ingestKey, organization } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"
import { keyUses } from "./key-uses.ts"

const listed = {
  id: ingestKey.id,
  label: ingestKey.label,
  prefix: ingestKey.prefix,
  createdAt: ingestKey.createdAt,
  lastUsedAt: ingestKey.lastUsedAt,
  revokedAt: ingestKey.revokedAt,
  organization: organization.slug,
}

export function ingestKeys({ read, change, write }: Connection): IngestKeys {
  return {
    create: (key, organizationId, by) =>
      change(async (transaction) => {
        await transaction.drizzle.insert(ingestKey).values({ ...key, organizationId })
        const details = { label: key.label }
        await addAuditEntry(transaction, by, { action: "create ingest_key", subject: key.id, organizationId, details })
      }),
    list: (organizationId) =>
      read(({ drizzle }) =>
        drizzle
          .select(listed)
          .from(ingestKey)
          .innerJoin(organization, eq(organization.id, ingestKey.organizationId))
          .where(organizationId === null ? undefined : eq(ingestKey.organizationId, organizationId))
          .orderBy(desc(ingestKey.createdAt), asc(ingestKey.label), asc(ingestKey.id)),
      ),
    revoke: (idOrPrefix, ownerId, by) =>
      change(async (transaction) => {
        const found = await transaction.drizzle
          .update(ingestKey)
          .set({ revokedAt: by.at })
          .where(
            and(
              or(eq(ingestKey.id, idOrPrefix), eq(ingestKey.prefix, idOrPrefix)),
              ownerId === null ? undefined : eq(ingestKey.organizationId, ownerId),
              isNull(ingestKey.revokedAt),
            ),
          )
          .returning({ id: ingestKey.id, label: ingestKey.label, organizationId: ingestKey.organizationId })
        for (const { id, organizationId } of found) {
          await addAuditEntry(transaction, by, { action: "revoke ingest_key", subject: id, organizationId })
        }
        const [first] = found
        return first === undefined ? { outcome: "not found" } : { outcome: "done", id: first.id, label: first.label }
      }),
    noteUse: keyUses(write, "ingest_key"),
  }
}
