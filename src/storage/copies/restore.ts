import { and, eq, isNotNull, isNull } from "drizzle-orm"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"
import { COPIED_TABLES, type CopiedTable } from "./copied-tables.ts"
import { copiedTables, copyTables, emptyTables, type Progress } from "./copy.ts"

/**
 * Replaces everything with a copy. Everyone is signed out, and what was revoked since the copy stays revoked. Returns the number of
 * rows.
 */
export async function replaceEverything(tx: Tx, from: ReadTx, progress?: Progress): Promise<number> {
  const revoked = await revokedIn(tx)
  await emptyTables(tx)
  const copied = await copyTables(from, tx, progress)
  await revokeAgain(tx, revoked)
  for (const table of copiedTables) if (COPIED_TABLES[table].isEmptied) await tx.db.delete(tx[table])
  await forgetCaches(tx)
  return Object.values(copied).reduce((sum, { rows }) => sum + rows, 0)
}

/** A row that was revoked: its table, what it's recognized by, and when. */
interface Revoked {
  readonly table: RevocableTable
  readonly mark: string
  readonly at: Moment
}

type RevocableTable = "apiKey" | "buyerKey" | "shareLink"

const isRevocable = (table: CopiedTable): table is RevocableTable => COPIED_TABLES[table].revokedBy !== undefined

/** The column by which a row is recognized. IDs may belong to something else in a backup. */
const markOf = (read: ReadTx, table: RevocableTable) =>
  table === "shareLink" ? read.shareLink.tokenHash : read[table].fingerprint

async function revokedIn(read: ReadTx): Promise<Revoked[]> {
  const found: Revoked[] = []
  for (const table of copiedTables.filter(isRevocable)) {
    const { revokedAt } = read[table]
    const fields = { mark: markOf(read, table), at: revokedAt }
    const rows = await read.db.select(fields).from(read[table]).where(isNotNull(revokedAt))
    for (const { mark, at } of rows) if (at !== null) found.push({ table, mark, at })
  }
  return found
}

async function revokeAgain(tx: Tx, revoked: readonly Revoked[]): Promise<void> {
  for (const { table, mark, at } of revoked) {
    const isActive = and(eq(markOf(tx, table), mark), isNull(tx[table].revokedAt))
    await tx.db.update(tx[table]).set({ revokedAt: at }).where(isActive)
  }
}

/** Running servers must not mistake their cached data for the restored data. */
async function forgetCaches(tx: Tx): Promise<void> {
  const sellers = await tx.db.select({ id: tx.organization.id }).from(tx.organization)
  for (const { id } of sellers)
    await tx.db.update(tx.organization).set({ stamp: crypto.randomUUID() }).where(eq(tx.organization.id, id))
  await tx.rows("UPDATE revision SET number = number + 1", [], {})
}
