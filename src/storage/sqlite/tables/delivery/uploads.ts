import { and, desc, eq, getTableColumns, inArray, ne, notInArray } from "drizzle-orm"
import type { WaitingFiles } from "../../../../domain/upload/quota.ts"
import { storedChange, uploadOf } from "../../../../domain/upload/stored-upload.ts"
import type { Uploads } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { upload, uploadColumn, uploadPart } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"

const { worker: _, workerUntil: __, ...columns } = getTableColumns(upload)

const CLAIM = `UPDATE upload SET worker = ?1, worker_until = ?3 WHERE id = (
    SELECT id FROM upload WHERE state IN ('reading', 'reporting') AND (worker_until IS NULL OR worker_until <= ?2)
    ORDER BY changed_at, id LIMIT 1)
  RETURNING id`
const SAVE_PART = `INSERT INTO upload_part (upload_id, kind, position, content)
  SELECT id, ?2, ?3, ?4 FROM upload WHERE id = ?1 AND state <> 'discarded'
  ON CONFLICT DO UPDATE SET content = excluded.content`

// In the order in which they are tried: what nobody wants any more, its parts, then the row itself.
const DISCARD = `UPDATE upload SET state = 'discarded' WHERE (state = 'arriving' AND changed_at < ?1)
  OR (state IN ('columns', 'reading', 'preview', 'unreadable') AND uploaded_at < ?2)`
// A file of a program that cannot be read waits for nobody.
const SETTLED = "(state = 'done' OR (state = 'unreadable' AND uploaded_by IS NULL))"
const NEWEST = "(PARTITION BY organization_id ORDER BY uploaded_at DESC, id DESC)"
const REMOVE_PARTS = `DELETE FROM upload_part WHERE rowid IN (
    SELECT p.rowid FROM upload u JOIN upload_part p ON p.upload_id = u.id
    WHERE u.state = 'discarded' OR (u.state = 'done' AND u.uploaded_at < ?1) OR u.id IN (
      SELECT id FROM (SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS up_to FROM upload
        WHERE uploaded_at >= ?1 AND ${SETTLED} WINDOW newest AS ${NEWEST})
      WHERE place > ?3 OR up_to > ?4) LIMIT ?2)`
const FORGET = `DELETE FROM upload WHERE (state = 'discarded' OR (state = 'done' AND uploaded_at < ?1) OR id IN (
    SELECT id FROM (SELECT id, row_number() OVER ${NEWEST} AS place FROM upload WHERE ${SETTLED}) WHERE place > ?2))
  AND NOT EXISTS (SELECT 1 FROM upload_part p WHERE p.upload_id = upload.id)`
const WAITING = `SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes FROM upload
  WHERE organization_id = ?1 AND (uploaded_by IS NULL) = ?2 AND state <> 'discarded' AND NOT ${SETTLED}`

export function uploads(connection: Connection): Uploads {
  const { database, drizzle, write } = connection
  const claim = database.query<{ id: number }, [string, number, number]>(CLAIM)
  const savePart = database.query<unknown, [number, string, number, string]>(SAVE_PART)
  const touch = database.query<unknown, [number, number]>("UPDATE upload SET changed_at = ?2 WHERE id = ?1")
  const discard = database.query<unknown, [number, number]>(DISCARD)
  const removeParts = database.query<unknown, [number, number, number, number]>(REMOVE_PARTS)
  const forget = database.query<unknown, [number, number]>(FORGET)
  const waiting = database.query<WaitingFiles, [number, boolean]>(WAITING)
  const byId = (id: number) => drizzle.select(columns).from(upload).where(eq(upload.id, id)).get()
  const isShown = notInArray(upload.state, ["arriving", "discarded"])

  return {
    async find(organizationId, id) {
      const row = drizzle
        .select(columns)
        .from(upload)
        .where(and(eq(upload.id, id), eq(upload.organizationId, organizationId), isShown))
        .get()
      return row === undefined ? null : uploadOf(row)
    },
    async list(organizationId, limit) {
      const rows = drizzle
        .select(columns)
        .from(upload)
        .where(and(eq(upload.organizationId, organizationId), isShown))
      return rows.orderBy(desc(upload.uploadedAt), desc(upload.id)).limit(limit).all().map(uploadOf)
    },
    async findSame({ id, organizationId, kind, digest }) {
      const same = and(eq(upload.organizationId, organizationId), eq(upload.kind, kind), eq(upload.digest, digest))
      const rows = drizzle
        .select(columns)
        .from(upload)
        .where(and(same, ne(upload.id, id), isShown))
      const row = rows.orderBy(desc(upload.uploadedAt), desc(upload.id)).limit(1).get()
      return row === undefined ? null : uploadOf(row)
    },
    async part(id, kind, position) {
      const place = and(eq(uploadPart.uploadId, id), eq(uploadPart.kind, kind), eq(uploadPart.position, position))
      return drizzle.select({ content: uploadPart.content }).from(uploadPart).where(place).get()?.content ?? null
    },
    async columns(organizationId, kind) {
      const rows = drizzle
        .select({ name: uploadColumn.name, meaning: uploadColumn.meaning })
        .from(uploadColumn)
        .where(and(eq(uploadColumn.organizationId, organizationId), eq(uploadColumn.kind, kind)))
        .all()
      return new Map(rows.map(({ name, meaning }) => [name, meaning]))
    },
    begin: (file, problemOf) =>
      write.runKeepingCaches(() => {
        const found = waiting.get(file.organizationId, file.uploadedBy === null)
        const problem = problemOf(found ?? { files: 0, bytes: 0 })
        if (problem !== null) return problem
        const start = {
          state: "arriving",
          digest: "",
          rows: 0,
          rowsDone: 0,
          choices: "{}",
          summary: "{}",
        } as const
        const row = { ...file, ...start, changedAt: file.uploadedAt }
        return drizzle.insert(upload).values(row).returning({ id: upload.id }).get().id
      }),
    savePart: (id, kind, position, content, at) =>
      write.runKeepingCaches(() => {
        if (kind === "file") touch.run(id, at)
        return savePart.run(id, kind, position, content).changes > 0
      }),
    move: (id, from, to, { action, ...change }) =>
      write.runKeepingCaches(() => {
        const [moved] = drizzle
          .update(upload)
          .set({ ...storedChange(to), changedAt: change.at, worker: null, workerUntil: null })
          .where(and(eq(upload.id, id), inArray(upload.state, [...from])))
          .returning({ organizationId: upload.organizationId, fileName: upload.fileName, rows: upload.rows })
          .all()
        if (moved === undefined) return false
        const { organizationId, ...details } = moved
        if (action !== null) addAuditEntry(connection, change, { action, subject: String(id), organizationId, details })
        return true
      }),
    claim: (worker, now, until) =>
      write.runKeepingCaches(() => {
        const claimed = claim.get(worker, now, until)
        const row = claimed === null ? undefined : byId(claimed.id)
        return row === undefined ? null : uploadOf(row)
      }),
    progress: (id, worker, to, until) =>
      write.runKeepingCaches(() => {
        const still = and(eq(upload.id, id), eq(upload.worker, worker), inArray(upload.state, ["reading", "reporting"]))
        const kept = drizzle
          .update(upload)
          .set({ ...storedChange(to), workerUntil: until })
          .where(still)
          .returning({ id: upload.id })
          .all()
        return kept.length > 0
      }),
    rememberColumns: (organizationId, kind, meanings) =>
      write.runKeepingCaches(() => {
        for (const [name, meaning] of meanings) {
          drizzle
            .insert(uploadColumn)
            .values({ organizationId, kind, name, meaning })
            .onConflictDoUpdate({
              target: [uploadColumn.organizationId, uploadColumn.kind, uploadColumn.name],
              set: { meaning },
            })
            .run()
        }
      }),
    sweep: ({
      abandonedBefore,
      undecidedBefore,
      forgottenBefore,
      keptFilesMax,
      keptBytesMax,
      rememberedMax,
      partsMax,
    }) =>
      write.runKeepingCaches(() => {
        discard.run(abandonedBefore, undecidedBefore)
        const { changes } = removeParts.run(undecidedBefore, partsMax, keptFilesMax, keptBytesMax)
        forget.run(forgottenBefore, rememberedMax)
        return changes >= partsMax
      }),
  }
}
