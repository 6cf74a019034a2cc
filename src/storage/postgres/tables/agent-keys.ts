import { and, asc, desc, eq, isNull, or } from "drizzle-orm"
import type { Opening } from "../../../domain/keys/opening.ts"
import type { Change } from "../../../domain/people/audit.ts"
import type { AgentKeys, OpeningChange } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import type { Session } from "../engine/session.ts"
import { agentKey, opening, product } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"
import { keyUses } from "./key-uses.ts"

const listed = {
  id: agentKey.id,
  label: agentKey.label,
  prefix: agentKey.prefix,
  createdAt: agentKey.createdAt,
  lastUsedAt: agentKey.lastUsedAt,
  revokedAt: agentKey.revokedAt,
}

export function agentKeys({ read, change, write }: Connection): AgentKeys {
  return {
    create: (key, by) =>
      change(async (transaction) => {
        const { drizzle } = transaction
        const taken = and(eq(agentKey.label, key.label), isNull(agentKey.revokedAt))
        if ((await drizzle.select({ id: agentKey.id }).from(agentKey).where(taken)).length > 0) return false
        await drizzle.insert(agentKey).values(key)
        const details = { label: key.label }
        await addAuditEntry(transaction, by, { action: "create agent_key", subject: key.id, details })
        return true
      }),
    async list() {
      const { keys, opened } = await read(async (session) => ({
        keys: await session.drizzle
          .select(listed)
          .from(agentKey)
          .orderBy(desc(agentKey.createdAt), asc(agentKey.label), asc(agentKey.id)),
        opened: await openingsByKey(session),
      }))
      return keys.map((key) => ({ ...key, openings: opened.get(key.id) ?? [] }))
    },
    revoke: (idOrPrefix, by) =>
      change(async (transaction) => {
        const key = await findActive(transaction, idOrPrefix)
        if (key === undefined) return { outcome: "not found" }
        await transaction.drizzle.update(agentKey).set({ revokedAt: by.at }).where(eq(agentKey.id, key.id))
        const details = { label: key.label }
        await addAuditEntry(transaction, by, { action: "revoke agent_key", subject: key.id, details })
        return { outcome: "done", ...key }
      }),
    open: (idOrPrefix, { productId, territories }, by) =>
      change(
        async (transaction) => {
          const key = await findActive(transaction, idOrPrefix)
          if (key === undefined) return { outcome: "not found" }
          const named = eq(product.productId, productId)
          const found = await transaction.drizzle.select({ id: product.productId }).from(product).where(named)
          if (found.length === 0) return { outcome: "no product" }
          await changeOpening(transaction, { agentKeyId: key.id, productId, territories }, by)
          return { outcome: "done", ...key }
        },
        { moves: "catalogue" },
      ),
    close: (idOrPrefix, productId, by) =>
      change(
        async (transaction) => {
          const key = await findActive(transaction, idOrPrefix)
          if (key === undefined) return { outcome: "not found" }
          const same = and(eq(opening.agentKeyId, key.id), eq(opening.productId, productId))
          const found = await transaction.drizzle.select({ id: opening.productId }).from(opening).where(same)
          if (found.length === 0) return { outcome: "not open" }
          await changeOpening(transaction, { agentKeyId: key.id, productId, territories: [] }, by)
          return { outcome: "done", ...key }
        },
        { moves: "catalogue" },
      ),
    noteUse: keyUses(write, "agent_key"),
    changeOpenings: (changes, seenRevision, by) =>
      change(
        async (transaction) => {
          if (transaction.catalogue !== seenRevision) return false
          for (const one of changes) await changeOpening(transaction, one, by)
          return true
        },
        { moves: "catalogue" },
      ),
  }
}

async function findActive({ drizzle }: Session, idOrPrefix: string) {
  const [found] = await drizzle
    .select({ id: agentKey.id, label: agentKey.label })
    .from(agentKey)
    .where(and(or(eq(agentKey.id, idOrPrefix), eq(agentKey.prefix, idOrPrefix)), isNull(agentKey.revokedAt)))
  return found
}

/** Without territories it closes the product to the key. */
async function changeOpening(session: Session, { agentKeyId, ...opened }: OpeningChange, by: Change): Promise<void> {
  const { productId, territories } = opened
  const closes = territories.length === 0
  if (closes) {
    const same = and(eq(opening.agentKeyId, agentKeyId), eq(opening.productId, productId))
    await session.drizzle.delete(opening).where(same)
  } else await saveOpening(session, agentKeyId, opened)
  const details = closes ? { productId } : { productId, territories }
  await addAuditEntry(session, by, { action: closes ? "close product" : "open product", subject: agentKeyId, details })
}

/** Opens the product to the key, or changes the territories it is opened for. Inside the caller's transaction. */
export async function saveOpening({ drizzle }: Session, agentKeyId: string, opened: Opening): Promise<void> {
  const territories = JSON.stringify(opened.territories)
  await drizzle
    .insert(opening)
    .values({ agentKeyId, productId: opened.productId, territories })
    .onConflictDoUpdate({ target: [opening.agentKeyId, opening.productId], set: { territories } })
}

export async function openingsByKey({ drizzle }: Session): Promise<Map<string, Opening[]>> {
  const byKey = new Map<string, Opening[]>()
  for (const row of await drizzle.select().from(opening).orderBy(asc(opening.agentKeyId), asc(opening.productId))) {
    const openings = byKey.get(row.agentKeyId) ?? []
    openings.push({ productId: row.productId, territories: JSON.parse(row.territories) as string[] })
    byKey.set(row.agentKeyId, openings)
  }
  return byKey
}
