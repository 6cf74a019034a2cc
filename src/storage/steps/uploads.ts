import { getTableColumns, notInArray, type SQL, sql } from "drizzle-orm"
import type { Remembered, RememberedReading } from "../../domain/upload/recognize-file.ts"
import {
  EMPTY_SUMMARY,
  type FilesAndBytes,
  NO_CHOICES,
  type Upload,
  type UploadChange,
} from "../../domain/upload/upload.ts"
import { all, and, desc, eq, first, inArray, type ReadTx, type Step } from "./step.ts"

/** The text of a file, and the lines that it reported, which stay until it is forgotten. Earlier builds kept pages of a preview. */
export type UploadPartKind = "file" | "preview" | "lines"

export const uploadReads = {
  /** Null for a file of another organization, for one that is still arriving, and for one that was discarded. */
  *find(tx: ReadTx, organizationId: number, id: number): Step<Upload | null> {
    return (yield* newestFirst(tx, organizationId, eq(tx.upload.id, id), 1))[0] ?? null
  },
  /** The latest files of an organization, newest first. */
  list: (tx: ReadTx, organizationId: number, limit: number) => newestFirst(tx, organizationId, undefined, limit),
  /** Null after the last part. */
  *part({ db, uploadPart }: ReadTx, id: number, kind: UploadPartKind, position: number) {
    const { uploadId, content } = uploadPart
    const isIt = and(eq(uploadId, id), eq(uploadPart.kind, kind), eq(uploadPart.position, position))
    return (yield* first(db.select({ content }).from(uploadPart).where(isIt)))?.content ?? null
  },
  *remembered({ db, uploadColumn }: ReadTx, organizationId: number): Step<Remembered> {
    const isKind = inArray(uploadColumn.kind, ["reading", "line"])
    const isIt = and(eq(uploadColumn.organizationId, organizationId), isKind)
    const readings = new Map<string, RememberedReading>()
    const lines = new Map<string, string>()
    for (const { kind, name, meaning } of yield* all(db.select().from(uploadColumn).where(isIt))) {
      if (kind === "line") lines.set(name, meaning)
      else readings.set(name, JSON.parse(meaning))
    }
    return { readings, lines }
  },
}

function* newestFirst(tx: ReadTx, organizationId: number, which: SQL | undefined, limit: number): Step<Upload[]> {
  const { db, upload } = tx
  const {
    digest: _,
    worker: __,
    workerUntil: ___,
    changedAt: ____,
    rowsDone: _____,
    ...columns
  } = getTableColumns(upload)
  const isShown = and(eq(upload.organizationId, organizationId), notInArray(upload.state, ["arriving", "discarded"]))
  const files = db.select(columns).from(upload).where(and(isShown, which))
  const rows = yield* all(files.orderBy(desc(upload.uploadedAt), desc(upload.id)).limit(limit))
  return rows.map(({ state, choices, summary, ...row }) => ({
    ...row,
    state: state === "done" ? "done" : "open",
    // Earlier builds asked in a state of its own.
    choices: { ...NO_CHOICES, asks: state === "columns", ...JSON.parse(choices) },
    summary: { ...EMPTY_SUMMARY, ...JSON.parse(summary) },
  }))
}

/** A change of it, ready to be stored. */
export function storedChange({ choices, summary, ...change }: UploadChange) {
  return {
    ...change,
    ...(choices !== undefined && { choices: JSON.stringify(choices) }),
    ...(summary !== undefined && { summary: JSON.stringify(summary) }),
  }
}

const SETTLED = sql`state = 'done'`

/** The ids of settled files that are older than the newest ones of their organization. */
function beyond({ files, bytes }: Partial<FilesAndBytes>, since: number): SQL {
  return sql`(SELECT id FROM (
      SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS up_to FROM upload
      WHERE uploaded_at >= ${since} AND ${SETTLED}
      WINDOW newest AS (PARTITION BY organization_id ORDER BY uploaded_at DESC, id DESC)
    ) AS kept WHERE place > ${files} ${bytes === undefined ? sql`` : sql`OR up_to > ${bytes}`})`
}

/** At most so many parts of files that are discarded, done before this moment, or beyond those that are kept. */
export function* oldParts({ db, upload, uploadPart }: ReadTx, doneBefore: number, limits: FilesAndBytes, most: number) {
  const { uploadId, kind, position } = uploadPart
  const isOld = sql`(${upload.state} = 'discarded' OR (${kind} <> 'lines' AND (
    (${upload.state} = 'done' AND ${upload.uploadedAt} < ${doneBefore}) OR ${upload.id} IN ${beyond(limits, doneBefore)})))`
  const parts = db.select({ uploadId, kind, position }).from(upload)
  return yield* all(parts.innerJoin(uploadPart, eq(uploadId, upload.id)).where(isOld).limit(most))
}

/** Whether a file has no other parts than its lines, and is discarded, done before this moment, or beyond so many of its organization. */
export function isForgettable(doneBefore: number, files: number): SQL {
  return sql`(state = 'discarded' OR (state = 'done' AND uploaded_at < ${doneBefore}) OR id IN ${beyond({ files }, 0)})
    AND NOT EXISTS (SELECT 1 FROM upload_part p WHERE p.upload_id = upload.id AND p.kind <> 'lines')`
}
