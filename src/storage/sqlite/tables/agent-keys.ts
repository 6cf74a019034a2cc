import { and, asc, desc, eq, isNull, or } from "drizzle-orm"
import type { Opening } from "../../../domain/keys/opening.ts"
import type { Change } from "../../../domain/people/audit.ts"
import type { AgentKeys, OpeningChange } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { agentKey, opening, product } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"
import { catalogueChanged, catalogueRevision } from "./catalogue.ts"
import { keyUses } from "./key-uses.ts"

type Answer<Method extends "open" | "close"> = Awaited<ReturnType<AgentKeys[Method]>>

export function agentKeys(connection: Connection): AgentKeys {
  const { drizzle, write } = connection
  return {
    create: (key, change) =>
      write.run(() => {
        const taken = and(eq(agentKey.label, key.label), isNull(agentKey.revokedAt))
        if (drizzle.select({ id: agentKey.id }).from(agentKey).where(taken).get() !== undefined) return false
        drizzle.insert(agentKey).values(key).run()
        addAuditEntry(connection, change, {
          action: "create agent_key",
          subject: key.id,
          details: { label: key.label },
        })
        return true
      }),
    async list() {
      const keys = drizzle
        .select()
        .from(agentKey)
        .orderBy(desc(agentKey.createdAt), asc(agentKey.label), asc(agentKey.id))
        .all()
      const opened = openingsByKey(connection)
      return keys.map(({ fingerprint: _, ...key }) => ({ ...key, openings: opened.get(key.id) ?? [] }))
    },
    revoke: (idOrPrefix, change) =>
      write.run(() => {
        const key = findActive(connection, idOrPrefix)
        if (key === undefined) return { outcome: "not found" }
        drizzle.update(agentKey).set({ revokedAt: change.at }).where(eq(agentKey.id, key.id)).run()
        addAuditEntry(connection, change, {
          action: "revoke agent_key",
          subject: key.id,
          details: { label: key.label },
        })
        return { outcome: "done", ...key }
      }),
    open: (idOrPrefix, opened, change) => write.run(() => openProduct(connection, idOrPrefix, opened, change)),
    close: (idOrPrefix, productId, change) => write.run(() => closeProduct(connection, idOrPrefix, productId, change)),
    noteUse: keyUses(connection, "agent_key"),
    changeOpenings: (changes, seenRevision, change) =>
      write.run(() => {
        if (catalogueRevision(connection) !== seenRevision) return false
        for (const one of changes) changeOpening(connection, one, change)
        if (changes.length > 0) catalogueChanged(connection)
        return true
      }),
  }
}

function findActive({ drizzle }: Connection, idOrPrefix: string): { id: string; label: string } | undefined {
  const named = or(eq(agentKey.id, idOrPrefix), eq(agentKey.prefix, idOrPrefix))
  const keys = drizzle.select({ id: agentKey.id, label: agentKey.label }).from(agentKey)
  return keys.where(and(named, isNull(agentKey.revokedAt))).get()
}

function openProduct(connection: Connection, idOrPrefix: string, opened: Opening, change: Change): Answer<"open"> {
  const key = findActive(connection, idOrPrefix)
  if (key === undefined) return { outcome: "not found" }
  const { productId, territories } = opened
  const found = connection.drizzle.select({ id: product.productId }).from(product)
  if (found.where(eq(product.productId, productId)).get() === undefined) return { outcome: "no product" }
  saveOpening(connection, key.id, opened)
  catalogueChanged(connection)
  const details = { productId, territories }
  addAuditEntry(connection, change, { action: "open product", subject: key.id, details })
  return { outcome: "done", ...key }
}

function closeProduct(connection: Connection, idOrPrefix: string, productId: string, change: Change): Answer<"close"> {
  const key = findActive(connection, idOrPrefix)
  if (key === undefined) return { outcome: "not found" }
  const closed = connection.drizzle
    .delete(opening)
    .where(and(eq(opening.agentKeyId, key.id), eq(opening.productId, productId)))
    .returning({ productId: opening.productId })
    .all()
  if (closed.length === 0) return { outcome: "not open" }
  catalogueChanged(connection)
  addAuditEntry(connection, change, { action: "close product", subject: key.id, details: { productId } })
  return { outcome: "done", ...key }
}

function changeOpening(connection: Connection, { agentKeyId, ...opened }: OpeningChange, change: Change): void {
  const { productId, territories } = opened
  const closes = territories.length === 0
  if (closes) {
    const same = and(eq(opening.agentKeyId, agentKeyId), eq(opening.productId, productId))
    connection.drizzle.delete(opening).where(same).run()
  } else saveOpening(connection, agentKeyId, opened)
  const details = closes ? { productId } : { productId, territories }
  addAuditEntry(connection, change, { action: closes ? "close product" : "open product", subject: agentKeyId, details })
}

/** Opens the product to the key, or changes the territories it is opened for. Inside the caller's transaction. */
export function saveOpening({ drizzle }: Connection, agentKeyId: string, { productId, territories }: Opening): void {
  const value = JSON.stringify(territories)
  drizzle
    .insert(opening)
    .values({ agentKeyId, productId, territories: value })
    .onConflictDoUpdate({ target: [opening.agentKeyId, opening.productId], set: { territories: value } })
    .run()
}

export function openingsByKey({ drizzle }: Connection): Map<string, Opening[]> {
  const byKey = new Map<string, Opening[]>()
  for (const row of drizzle.select().from(opening).orderBy(asc(opening.productId)).all()) {
    const openings = byKey.get(row.agentKeyId) ?? []
    openings.push({ productId: row.productId, territories: JSON.parse(row.territories) as string[] })
    byKey.set(row.agentKeyId, openings)
  }
  return byKey
}
