import { and, desc, eq, getTableColumns, inArray, ne, notInArray } from "drizzle-orm"
import type { WaitingFiles } from "../../../../domain/upload/quota.ts"
import { storedChange, uploadOf } from "../../../../domain/upload/stored-upload.ts"
import type { Uploads } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { upload, uploadColumn, uploadPart } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"

const { worker: _, workerUntil: __, ...columns } = getTableColumns(upload)

// Another server that looks at the same time takes the next one.
const CLAIM = `UPDATE upload SET worker = $1, worker_until = $3 WHERE id = (
    SELECT id FROM upload WHERE state IN ('reading', 'reporting') AND (worker_until IS NULL OR worker_until <= $2)
    ORDER BY changed_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id`
const SAVE_PART = `INSERT INTO upload_part (upload_id, kind, position, content)
  SELECT id, $2::text, $3::bigint, $4::text FROM upload WHERE id = $1 AND state <> 'discarded'
  ON CONFLICT (upload_id, kind, position) DO UPDATE SET content = excluded.content RETURNING position`
const TOUCH = "UPDATE upload SET changed_at = $2 WHERE id = $1"
const DISCARD = `UPDATE upload SET state = 'discarded' WHERE (state = 'arriving' AND changed_at < $1)
  OR (state IN ('columns', 'reading', 'preview', 'unreadable') AND uploaded_at < $2)`
// A file of a program that cannot be read waits for nobody.
const SETTLED = "(state = 'done' OR (state = 'unreadable' AND uploaded_by IS NULL))"
const NEWEST = "(PARTITION BY organization_id ORDER BY uploaded_at DESC, id DESC)"
const REMOVE_PARTS = `DELETE FROM upload_part d USING (
    SELECT p.upload_id, p.kind, p.position FROM upload u JOIN upload_part p ON p.upload_id = u.id
    WHERE u.state = 'discarded' OR (u.state = 'done' AND u.uploaded_at < $1) OR u.id IN (
      SELECT id FROM (SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS up_to FROM upload
        WHERE uploaded_at >= $1 AND ${SETTLED} WINDOW newest AS ${NEWEST}) AS kept
      WHERE place > $3 OR up_to > $4) LIMIT $2) AS old
  WHERE d.upload_id = old.upload_id AND d.kind = old.kind AND d.position = old.position RETURNING d.position`
const FORGET = `DELETE FROM upload u WHERE (u.state = 'discarded' OR (u.state = 'done' AND u.uploaded_at < $1) OR u.id IN (
    SELECT id FROM (SELECT id, row_number() OVER ${NEWEST} AS place FROM upload WHERE ${SETTLED}) AS kept WHERE place > $2))
  AND NOT EXISTS (SELECT 1 FROM upload_part p WHERE p.upload_id = u.id)`
const WAITING = `SELECT count(*)::double precision AS files, coalesce(sum(bytes), 0)::double precision AS bytes FROM upload
  WHERE organization_id = $1 AND (uploaded_by IS NULL) = $2 AND state <> 'discarded' AND NOT ${SETTLED}`

/** Each step is one statement, or changes rows that only its own caller has: none needs the lock that changes take. */
export function uploads({ read, change, recordFigures }: Connection): Uploads {
  const isShown = notInArray(upload.state, ["arriving", "discarded"])
  return {
    async find(organizationId, id) {
      const own = and(eq(upload.id, id), eq(upload.organizationId, organizationId), isShown)
      const [row] = await read(({ drizzle }) => drizzle.select(columns).from(upload).where(own))
      return row === undefined ? null : uploadOf(row)
    },
    async list(organizationId, limit) {
      const own = and(eq(upload.organizationId, organizationId), isShown)
      const newestFirst = [desc(upload.uploadedAt), desc(upload.id)]
      const rows = await read(({ drizzle }) =>
        drizzle
          .select(columns)
          .from(upload)
          .where(own)
          .orderBy(...newestFirst)
          .limit(limit),
      )
      return rows.map(uploadOf)
    },
    async findSame({ id, organizationId, kind, digest }) {
      const same = and(eq(upload.organizationId, organizationId), eq(upload.kind, kind), eq(upload.digest, digest))
      const [row] = await read(({ drizzle }) =>
        drizzle
          .select(columns)
          .from(upload)
          .where(and(same, ne(upload.id, id), isShown))
          .orderBy(desc(upload.uploadedAt), desc(upload.id))
          .limit(1),
      )
      return row === undefined ? null : uploadOf(row)
    },
    async part(id, kind, position) {
      const place = and(eq(uploadPart.uploadId, id), eq(uploadPart.kind, kind), eq(uploadPart.position, position))
      const [row] = await read(({ drizzle }) =>
        drizzle.select({ content: uploadPart.content }).from(uploadPart).where(place),
      )
      return row?.content ?? null
    },
    async columns(organizationId, kind) {
      const rows = await read(({ drizzle }) =>
        drizzle
          .select({ name: uploadColumn.name, meaning: uploadColumn.meaning })
          .from(uploadColumn)
          .where(and(eq(uploadColumn.organizationId, organizationId), eq(uploadColumn.kind, kind))),
      )
      return new Map(rows.map(({ name, meaning }) => [name, meaning]))
    },
    begin: (file, problemOf) =>
      change(
        async ({ drizzle, rows }) => {
          const [waiting] = await rows<WaitingFiles>(WAITING, [file.organizationId, file.uploadedBy === null])
          const problem = problemOf(waiting ?? { files: 0, bytes: 0 })
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
          const [made] = await drizzle.insert(upload).values(row).returning({ id: upload.id })
          if (made === undefined) throw new Error("an upload was not added")
          return made.id
        },
        { moves: "nothing" },
      ),
    savePart: (id, kind, position, content, at) =>
      recordFigures(async ({ rows }) => {
        if (kind === "file") await rows(TOUCH, [id, at])
        return (await rows(SAVE_PART, [id, kind, position, content])).length > 0
      }),
    move: (id, from, to, { action, ...by }) =>
      change(
        async (transaction) => {
          const [moved] = await transaction.drizzle
            .update(upload)
            .set({ ...storedChange(to), changedAt: by.at, worker: null, workerUntil: null })
            .where(and(eq(upload.id, id), inArray(upload.state, [...from])))
            .returning({ organizationId: upload.organizationId, fileName: upload.fileName, rows: upload.rows })
          if (moved === undefined) return false
          const { organizationId, ...details } = moved
          const subject = String(id)
          if (action !== null) await addAuditEntry(transaction, by, { action, subject, organizationId, details })
          return true
        },
        { moves: "nothing" },
      ),
    async claim(worker, now, until) {
      const row = await recordFigures(async ({ rows, drizzle }) => {
        const [claimed] = await rows<{ id: number }>(CLAIM, [worker, now, until])
        if (claimed === undefined) return undefined
        const [found] = await drizzle.select(columns).from(upload).where(eq(upload.id, claimed.id))
        return found
      })
      return row === undefined ? null : uploadOf(row)
    },
    async progress(id, worker, to, until) {
      const still = and(eq(upload.id, id), eq(upload.worker, worker), inArray(upload.state, ["reading", "reporting"]))
      const kept = await recordFigures(({ drizzle }) =>
        drizzle
          .update(upload)
          .set({ ...storedChange(to), workerUntil: until })
          .where(still)
          .returning({ id: upload.id }),
      )
      return kept.length > 0
    },
    async rememberColumns(organizationId, kind, meanings) {
      if (meanings.size === 0) return
      await change(
        async ({ drizzle }) => {
          for (const [name, meaning] of meanings) {
            await drizzle
              .insert(uploadColumn)
              .values({ organizationId, kind, name, meaning })
              .onConflictDoUpdate({
                target: [uploadColumn.organizationId, uploadColumn.kind, uploadColumn.name],
                set: { meaning },
              })
          }
        },
        { moves: "nothing" },
      )
    },
    sweep: ({
      abandonedBefore,
      undecidedBefore,
      forgottenBefore,
      keptFilesMax,
      keptBytesMax,
      rememberedMax,
      partsMax,
    }) =>
      recordFigures(async ({ rows }) => {
        await rows(DISCARD, [abandonedBefore, undecidedBefore])
        const removed = await rows(REMOVE_PARTS, [undecidedBefore, partsMax, keptFilesMax, keptBytesMax])
        await rows(FORGET, [forgottenBefore, rememberedMax])
        return removed.length >= partsMax
      }),
  }
}
