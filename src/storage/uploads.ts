import { and, count, desc, eq, lt } from "drizzle-orm"
import type { CalendarDate, Moment } from "../domain/time/moment.ts"
import { type CodeDay, EARLIER } from "../domain/upload/check.ts"
import type { NameAnswer, Reading } from "../domain/upload/upload.ts"
import type { ReadTx, Tx } from "./database.ts"
import { addRow, firstOf, hasRows } from "./sql-text.ts"
import type { NewRow, Row } from "./tables/tables.ts"

/** A file that a person uploaded or a program sent. Its content is the sheets and answers of an open file, as JSON. */
export type StoredUpload = Omit<Row<"upload">, "organizationId">

/** A file without what is in it. */
export type ListedUpload = Omit<StoredUpload, "content" | "result">

export const addUpload = (tx: Tx, upload: NewRow<"upload">): Promise<number> => addRow(tx, "upload", upload)

export const uploadById = (read: ReadTx, organizationId: number, id: number): Promise<StoredUpload | null> =>
  firstOf(
    read.db
      .select()
      .from(read.upload)
      .where(isOwn(read, organizationId, id)),
  )

/** The newest files of an organization. */
export async function newestUploads(read: ReadTx, organizationId: number, limit: number): Promise<ListedUpload[]> {
  const { id, uploadedBy, fileName, state, bytes, rows, uploadedAt, reportedAt, sourceId } = read.upload
  return read.db
    .select({ id, uploadedBy, fileName, state, bytes, rows, uploadedAt, reportedAt, sourceId })
    .from(read.upload)
    .where(eq(read.upload.organizationId, organizationId))
    .orderBy(desc(id))
    .limit(limit)
}

export async function countOpenUploads(read: ReadTx, organizationId: number): Promise<number> {
  const { upload } = read
  const isOpen = and(eq(upload.organizationId, organizationId), eq(upload.state, "open"))
  const [row] = await read.db.select({ count: count() }).from(upload).where(isOpen)
  return row?.count ?? 0
}

/** Changes a file of the organization. */
export async function updateUpload(
  tx: Tx,
  organizationId: number,
  id: number,
  fields: Partial<Pick<Row<"upload">, "state" | "rows" | "content" | "result" | "reportedAt" | "sourceId">>,
): Promise<void> {
  await tx.db
    .update(tx.upload)
    .set(fields)
    .where(isOwn(tx, organizationId, id))
}

/** Deletes an open file. False if the organization has no such file. */
export async function deleteOpenUpload(tx: Tx, organizationId: number, id: number): Promise<boolean> {
  const isOpen = and(isOwn(tx, organizationId, id), eq(tx.upload.state, "open"))
  return hasRows(tx.db.delete(tx.upload).where(isOpen).returning({ id: tx.upload.id }))
}

/** Deletes old open files, and the outcomes of old reported ones, which can still be withdrawn. */
export async function forgetOldUploads(tx: Tx, openBefore: Moment, reportedBefore: Moment): Promise<void> {
  const { upload } = tx
  await tx.db.delete(upload).where(and(eq(upload.state, "open"), lt(upload.uploadedAt, openBefore)))
  await tx.db.update(upload).set({ result: null }).where(lt(upload.reportedAt, reportedBefore))
}

const isOwn = ({ upload }: ReadTx, organizationId: number, id: number) =>
  and(eq(upload.id, id), eq(upload.organizationId, organizationId))

/** How files with the same headings are read, and since when. */
export interface RememberedReading {
  readonly reading: Reading
  readonly at: Moment
}

/** How an organization reads its files, by the key of their headings. */
export async function rememberedReadings(
  read: ReadTx,
  organizationId: number,
): Promise<Map<string, RememberedReading>> {
  const readings = await memories(read, organizationId, "reading")
  return new Map([...readings].map(([key, meaning]) => [key, JSON.parse(meaning) as RememberedReading]))
}

/** The lines that people chose for names in files. */
export const rememberedNames = (read: ReadTx, organizationId: number): Promise<Map<string, NameAnswer>> =>
  memories(read, organizationId, "line")

async function memories(read: ReadTx, organizationId: number, kind: "reading" | "line"): Promise<Map<string, string>> {
  const query = "SELECT name, meaning FROM upload_memory WHERE organization_id = $1 AND kind = $2"
  const rows = await read.rows(query, [organizationId, kind], { name: String, meaning: String })
  return new Map(rows.map(({ name, meaning }) => [name, meaning]))
}

export const rememberReading = (tx: Tx, organizationId: number, key: string, remembered: RememberedReading) =>
  remember(tx, organizationId, "reading", new Map([[key, JSON.stringify(remembered)]]))

export const rememberNames = (tx: Tx, organizationId: number, names: ReadonlyMap<string, NameAnswer>): Promise<void> =>
  remember(tx, organizationId, "line", names)

async function remember(
  tx: Tx,
  organizationId: number,
  kind: "reading" | "line",
  meanings: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = [...meanings].map(([name, meaning]) => ({ organizationId, kind, name, meaning }))
  const conflict = "ON CONFLICT (organization_id, kind, name) DO UPDATE SET meaning = excluded.meaning"
  await tx.insertMany(tx.uploadMemory, rows, conflict)
}

/** Forgets how files with this key of headings are read. */
export async function forgetReading(tx: Tx, organizationId: number, key: string): Promise<void> {
  const { kind, name, organizationId: owner } = tx.uploadMemory
  await tx.db.delete(tx.uploadMemory).where(and(eq(owner, organizationId), eq(kind, "reading"), eq(name, key)))
}

/** The known figures of these codes from a day on, to compare a file with them. Those of all days before it are one day, `EARLIER`. */
export function daysOfCodes(read: ReadTx, codeIds: readonly number[], from: CalendarDate): Promise<CodeDay[]> {
  const query = `SELECT code_id AS "codeId", max(line_id) AS "lineId", CASE WHEN date < $1 THEN $2 ELSE date END AS date,
      sum(clicks) AS clicks, sum(conversions) AS conversions, sum(value_micros) AS "valueMicros"
    FROM affiliate_metric WHERE code_id = ANY($3) GROUP BY 1, 3`
  const orUndefined = (value: unknown) => (value === null ? undefined : Number(value))
  return read.rows(query, [from, EARLIER, codeIds], {
    codeId: Number,
    lineId: Number,
    date: String,
    clicks: orUndefined,
    conversions: orUndefined,
    valueMicros: orUndefined,
  })
}
