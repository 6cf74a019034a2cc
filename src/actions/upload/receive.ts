import { maskKeys } from "../../domain/api-key.ts"
import { MICROS_PER_DAY, type Moment } from "../../domain/time/moment.ts"
import { findHeaderRow, tooManyRows } from "../../domain/upload/csv.ts"
import { headingsKey, ourReading } from "../../domain/upload/reading.ts"
import type { FileReport } from "../../domain/upload/result.ts"
import { type Answers, NOTHING_READ, ROWS_MAX, type Sheet, Unreadable } from "../../domain/upload/upload.ts"
import { noteFeedRequest } from "../../storage/operations/feed-activity.ts"
import {
  addUpload,
  countOpenUploads,
  forgetOldUploads,
  type RememberedReading,
  rememberedReadings,
} from "../../storage/uploads.ts"
import { nextTurn } from "../../within.ts"
import type { Context } from "../context.ts"
import type { KeyReporter } from "../keys.ts"
import { headingsAt, tableOf } from "./preview.ts"

const OPEN_MAX = 20
export const OPEN_DAYS = 7
const RESULT_DAYS = 90
const NAME_CHARACTERS_MAX = 200

/** A file that arrived, read into sheets. */
export interface ArrivedFile {
  readonly organizationId: number
  /** Null for a file that a program sent. */
  readonly userId: number | null
  readonly fileName: string
  readonly bytes: number
  readonly sheets: readonly Sheet[]
}

/** Keeps a file until it's reported or discarded. Returns its ID. Throws `Unreadable`. */
export async function receiveUpload({ database, clock }: Context, file: ArrivedFile): Promise<number> {
  const { organizationId, sheets } = file
  const answers = firstAnswers(sheets, await rememberedReadings(database.read, organizationId))
  const { rows } = tableOf({ sheets, answers })
  if (rows.length > ROWS_MAX) throw tooManyRows()
  await nextTurn()
  const content = maskKeys(JSON.stringify({ sheets, answers }))
  return database.transact(async (tx) => {
    const now = clock()
    await forgetOldUploads(tx, now - OPEN_DAYS * MICROS_PER_DAY, now - RESULT_DAYS * MICROS_PER_DAY)
    if ((await countOpenUploads(tx, organizationId)) >= OPEN_MAX)
      throw new Unreadable(`There are ${OPEN_MAX} open files. Report or discard one of them first.`)
    return addUpload(tx, { ...newUpload(file, now), state: "open", rows: rows.length, content })
  })
}

/** A new file, not reported yet. The name is masked, because people paste keys into any text. */
export const newUpload = ({ organizationId, userId, fileName, bytes }: ArrivedFile, uploadedAt: Moment) => ({
  organizationId,
  uploadedBy: userId,
  fileName: maskKeys(fileName.replace(/\p{C}/gu, "").slice(0, NAME_CHARACTERS_MAX)) || "file",
  bytes,
  uploadedAt,
  reportedAt: null,
  content: null,
  result: null,
  sourceId: null,
})

/** How a file is read before any question is answered: by our own headings, or as the same headings were read before. */
export function firstAnswers(sheets: readonly Sheet[], remembered: ReadonlyMap<string, RememberedReading>): Answers {
  const found = sheets.map((each, sheet) => ({ sheet, ...findHeadings(each, remembered) }))
  const known = found.filter((each) => each.known !== undefined)
  const tables = found.filter((_, sheet) => isTable(sheets[sheet]))
  const [first, ...others] = known.length > 0 ? known : tables.length > 0 ? tables : found
  return {
    // If several sheets could be meant, a person must choose.
    sheet: others.length > 0 ? null : (first?.sheet ?? 0),
    headerRow: first?.headerRow ?? 1,
    reading: first?.known?.reading ?? NOTHING_READ,
    line: null,
    asOf: null,
    names: {},
    rememberedAt: first?.known?.at ?? null,
  }
}

/** Whether a sheet can have lines and totals. Some have a note or a picture only. */
const isTable = (sheet: Sheet | undefined) =>
  sheet !== undefined && sheet.rows.length > 1 && sheet.rows.some(({ cells }) => cells.filter(Boolean).length > 1)

/** The row of the headings of a sheet, and how they are read if they are known. */
function findHeadings({ rows, separator }: Sheet, remembered: ReadonlyMap<string, RememberedReading>) {
  const readingOf = (headings: readonly string[]) => {
    const ours = ourReading(headings)
    return ours === null ? remembered.get(headingsKey(headings, separator)) : { reading: ours, at: null }
  }
  const headerRow = findHeaderRow(rows, (headings) => readingOf(headings) !== undefined)
  return { headerRow, known: readingOf(headingsAt(rows, headerRow)) }
}

/** Counts a file that a program sent, and keeps some of its rejected rows for the seller. */
export function noteFile(
  { database, clock }: Context,
  { sellerId, keyId }: KeyReporter,
  { name, dry_run, accepted, rejected_rows }: FileReport,
): void {
  noteFeedRequest(database.later, {
    organizationId: sellerId,
    apiKeyId: keyId,
    at: clock(),
    feed: "files",
    outcome: dry_run ? "dry_run" : "answered",
    accepted,
    rejected: rejected_rows.map(({ reason, message }, index) => ({ index, reason, message })),
    items: rejected_rows.map(({ row }) => ({ file: name, row })),
  })
}
