import { fileSource } from "../../domain/delivery/delivery.ts"
import type { CalendarDate, Moment } from "../../domain/time/moment.ts"
import type { FileEntry } from "../../domain/upload/check.ts"
import { tooManyRows } from "../../domain/upload/csv.ts"
import { ourReading } from "../../domain/upload/reading.ts"
import { resultOf, type UploadResult } from "../../domain/upload/result.ts"
import { type Figures, type Reading, ROWS_MAX } from "../../domain/upload/upload.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { saveCodes, saveMetrics } from "../../storage/campaigns/affiliates.ts"
import type { ReadTx, Tx } from "../../storage/database.ts"
import { findSource } from "../../storage/delivery/reports.ts"
import { lockSeller, recordTotals } from "../../storage/delivery/totals.ts"
import {
  addUpload,
  rememberedReadings,
  rememberNames,
  rememberReading,
  updateUpload,
  uploadById,
} from "../../storage/uploads.ts"
import { nextTurn } from "../../within.ts"
import type { Actor, Context } from "../context.ts"
import { type Withdrawer, withdrawAll } from "../delivery/withdraw-report.ts"
import { openFile, type UploadKey } from "./answer.ts"
import { checkFile, digestOf, type FilePreview, type LoadedFile, loadFile } from "./preview.ts"
import { type ArrivedFile, firstAnswers, newUpload } from "./receive.ts"

/** What a person decided about the preview that they saw. */
interface UploadDecision {
  readonly digest: string
  /** Package IDs of lines, and codes, that are reported although something about them is odd. */
  readonly confirmed: ReadonlySet<string>
}

/** Reports an open file in one transaction. "changed": it would do something else than was seen, so nothing is stored. */
export async function reportUpload(
  { database, clock }: Context,
  actor: Actor,
  { organizationId, id }: UploadKey,
  { digest, confirmed }: UploadDecision,
): Promise<"reported" | "changed" | "not open"> {
  return database.transactReport(async (tx) => {
    // Lock first, so that no report comes between the check and the write. Pressing the button twice finds no open file.
    await lockSeller(tx, organizationId)
    const at = clock()
    const upload = await uploadById(tx, organizationId, id)
    const file = openFile(upload)
    if (upload === null || file === null) return "not open"
    const loaded = await loadFile(tx, organizationId, file, at)
    const preview = checkFile(loaded)
    if (digestOf(preview) !== digest || Object.keys(preview.errors).length > 0) return "changed"
    const isTaken = ({ question, key }: FileEntry) => question === null || confirmed.has(key)
    const about = { organizationId, actor, name: upload.fileName, at }
    const { stored } = await storeFile(tx, about, { loaded, preview }, isTaken)
    await remember(tx, organizationId, loaded, at)
    await updateUpload(tx, organizationId, id, { ...stored, content: null })
    await addAuditEntry(tx, { at, actor, organizationId, text: `reported the file ${upload.fileName}` })
    return "reported"
  })
}

/** What a program says about a file that it sends. */
interface SentFile extends ArrivedFile {
  /** "key:3" */
  readonly actor: Actor
  readonly figures: Figures | null
  /** When totals without a day were measured. */
  readonly asOf: CalendarDate | Moment | null
  readonly allowLower: boolean
  readonly isDryRun: boolean
}

/** A file with what reporting it would do. */
interface CheckedUpload {
  readonly loaded: LoadedFile
  readonly preview: FilePreview
}

/** Why a program's file isn't read. */
export interface UnreadFile {
  readonly loaded: LoadedFile
  readonly errors: FilePreview["errors"]
  readonly isSheetOpen: boolean
}

/**
 * Reports a file that a program sent, or only checks it. A program can't answer questions, so a total that may be wrong is left
 * out, and so is a lower one unless that is allowed.
 */
export async function reportSentFile({ database, clock }: Context, sent: SentFile): Promise<UploadResult | UnreadFile> {
  const { organizationId, actor, allowLower, isDryRun, fileName: name } = sent
  const isTaken = ({ concern }: FileEntry) => concern !== "doubt" && (allowLower || concern !== "lower")
  if (isDryRun) {
    const checked = await checkSentFile(database.read, sent, clock())
    if ("errors" in checked) return checked
    return resultOf({ name, kind: checked.loaded.reading.kind, isDryRun }, checked.preview, isTaken)
  }
  return database.transactReport(async (tx) => {
    await lockSeller(tx, organizationId)
    const at = clock()
    const checked = await checkSentFile(tx, sent, at)
    if ("errors" in checked) return checked
    const { result, stored } = await storeFile(tx, { organizationId, actor, name, at }, checked, isTaken)
    await addUpload(tx, { ...newUpload(sent, at), rows: checked.loaded.rows.length, ...stored })
    return result
  })
}

async function checkSentFile(
  read: ReadTx,
  { organizationId, sheets, figures, asOf }: SentFile,
  now: Moment,
): Promise<CheckedUpload | UnreadFile> {
  const first = firstAnswers(sheets, await rememberedReadings(read, organizationId))
  const reading = { ...first.reading, figures: figures ?? first.reading.figures }
  const file = { sheets, answers: { ...first, reading, asOf }, uploadedAt: now }
  const loaded = await loadFile(read, organizationId, file, now)
  if (loaded.rows.length > ROWS_MAX) throw tooManyRows()
  const preview = checkFile(loaded)
  // Rows with two readings are rejected with both, and what the program says about the file isn't questioned.
  const settled = ["dayOrder", "decimalMark", ...(figures === null ? [] : ["figures"])]
  const open = Object.entries(preview.errors).filter(([field]) => !settled.includes(field))
  const isSheetOpen = first.sheet === null
  return isSheetOpen || open.length > 0
    ? { loaded, errors: Object.fromEntries(open), isSheetOpen }
    : { loaded, preview }
}

/** Who reports a file, and when. */
interface FileReceipt {
  readonly organizationId: number
  readonly actor: Actor
  readonly name: string
  readonly at: Moment
}

/** Stores what is taken of a file. Returns the outcome, and what its row keeps of that. */
async function storeFile(
  tx: Tx,
  { organizationId, actor, name, at }: FileReceipt,
  { loaded, preview }: CheckedUpload,
  isTaken: (entry: FileEntry) => boolean,
) {
  // A large file is checked and stored in turns, so that other requests don't wait for both.
  await nextTurn()
  const taken = preview.entries.filter(isTaken)
  const items = taken.flatMap((entry) => entry.items)
  const codes = taken.flatMap((entry) => entry.codes)
  const days = taken.flatMap((entry) => entry.days)
  const source = fileSource(actor, name)
  if (items.length > 0) await recordTotals(tx, organizationId, items, source, at)
  await saveCodes(tx, organizationId, codes)
  await saveMetrics(tx, days)
  const result = resultOf({ name, kind: loaded.reading.kind, isDryRun: false }, preview, isTaken)
  const sourceId = (await findSource(tx, source))?.id ?? null
  return { result, stored: { state: "reported", reportedAt: at, result: JSON.stringify(result), sourceId } as const }
}

/** Remembers how the file was read, and the lines of its names. Our own headings need no memory. */
async function remember(tx: Tx, organizationId: number, loaded: LoadedFile, at: Moment): Promise<void> {
  const { answers, headings, key } = loaded
  // A reading that was only used again keeps its date.
  if (ourReading(headings) === null && answers.rememberedAt === null)
    await rememberReading(tx, organizationId, key, { reading: lastingReading(loaded), at })
  await rememberNames(tx, organizationId, new Map(Object.entries(answers.names)))
}

/** What is true of the next file with these headings as well. */
function lastingReading({ answers: { reading, line }, currency }: LoadedFile): Reading {
  const { kind, columns, parts, withoutName } = reading
  const { impressions, downloads, ...withoutFigures } = columns
  return {
    ...reading,
    currency,
    // If one line was chosen for all rows, the column of its figures may belong to that line only.
    columns: line === null ? columns : withoutFigures,
    // If every row was counted, the next file may have a day twice.
    parts: parts?.length === 0 ? null : parts,
    // Affiliate networks always list traffic without a code, but a line may be missing in the next file only.
    withoutName: kind === "delivery" ? null : withoutName,
  }
}

/** Withdraws all totals of a file that still count. The history keeps them. */
export async function withdrawUpload(
  { database, clock }: Context,
  by: Withdrawer,
  { organizationId, id }: UploadKey,
  reason: string,
): Promise<{ readonly reports: number; readonly lines: number } | "not allowed" | "not found"> {
  return database.transactReport(async (tx) => {
    const upload = await uploadById(tx, organizationId, id)
    const source = upload?.sourceId == null ? null : await findSource(tx, { id: upload.sourceId })
    if (upload?.state !== "reported" || source === null) return "not found"
    const { reference } = source
    const withdrawn = await withdrawAll(tx, by, { sellerId: organizationId, reference, reason }, clock())
    if (withdrawn !== "not allowed") await updateUpload(tx, organizationId, id, { state: "withdrawn" })
    return withdrawn
  })
}
