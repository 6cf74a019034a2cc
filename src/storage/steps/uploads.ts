import { getTableColumns, type SQL } from "drizzle-orm"
import type { Remembered, RememberedReading } from "../../domain/upload/recognize-file.ts"
import {
  EMPTY_SUMMARY,
  NO_CHOICES,
  type ReportedLine,
  type Upload,
  type UploadChange,
} from "../../domain/upload/upload.ts"
import { all, and, desc, eq, first, type ReadTx, type Step } from "./step.ts"

export const uploadReads = {
  /** Null for a file of another organization. */
  *find(tx: ReadTx, organizationId: number, id: number): Step<Upload | null> {
    return (yield* newestFirst(tx, organizationId, eq(tx.upload.id, id), 1))[0] ?? null
  },
  /** The latest files of an organization, newest first. */
  list: (tx: ReadTx, organizationId: number, limit: number) => newestFirst(tx, organizationId, undefined, limit),
  /** The text of a file, or of a sheet of it. Null when it is no longer kept. */
  *text({ db, uploadText }: ReadTx, id: number, sheet: number): Step<string | null> {
    const { content } = uploadText
    const isIt = and(eq(uploadText.uploadId, id), eq(uploadText.sheet, sheet))
    return (yield* first(db.select({ content }).from(uploadText).where(isIt)))?.content ?? null
  },
  /** The lines of which a file may have reported something. Null before it did. */
  *lines({ db, upload }: ReadTx, id: number): Step<ReportedLine[] | null> {
    const { lines } = (yield* first(db.select({ lines: upload.lines }).from(upload).where(eq(upload.id, id)))) ?? {}
    return lines == null ? null : JSON.parse(lines)
  },
  *remembered({ db, uploadMemory }: ReadTx, organizationId: number): Step<Remembered> {
    const readings = new Map<string, RememberedReading>()
    const lines = new Map<string, string>()
    const ofThem = db.select().from(uploadMemory).where(eq(uploadMemory.organizationId, organizationId))
    for (const { kind, name, meaning } of yield* all(ofThem)) {
      if (kind === "line") lines.set(name, meaning)
      else readings.set(name, JSON.parse(meaning))
    }
    return { readings, lines }
  },
}

function* newestFirst(tx: ReadTx, organizationId: number, which: SQL | undefined, limit: number): Step<Upload[]> {
  const { db, upload } = tx
  const { lines: _, ...columns } = getTableColumns(upload)
  const ofThem = and(eq(upload.organizationId, organizationId), which)
  const files = db.select(columns).from(upload).where(ofThem)
  const rows = yield* all(files.orderBy(desc(upload.uploadedAt), desc(upload.id)).limit(limit))
  return rows.map(({ choices, summary, ...row }) => ({
    ...row,
    choices: { ...NO_CHOICES, ...JSON.parse(choices) },
    summary: { ...EMPTY_SUMMARY, ...JSON.parse(summary) },
  }))
}

/** A change of it, ready to be stored. */
export function storedChange({ choices, summary, lines, ...change }: UploadChange) {
  return {
    ...change,
    ...(choices !== undefined && { choices: JSON.stringify(choices) }),
    ...(summary !== undefined && { summary: JSON.stringify(summary) }),
    ...(lines !== undefined && { lines: JSON.stringify(lines) }),
  }
}
