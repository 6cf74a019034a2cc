import { hash } from "node:crypto"
import type { LineDay } from "../../domain/delivery/day.ts"
import { receiptAt } from "../../domain/delivery/delivery.ts"
import type { Errors } from "../../domain/errors.ts"
import { type CalendarDate, datesFrom, type Moment } from "../../domain/time/moment.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import { checkCodes } from "../../domain/upload/check-codes.ts"
import { checkDelivery } from "../../domain/upload/check-delivery.ts"
import { checkMetrics, codeDayKey } from "../../domain/upload/check-metrics.ts"
import { headingsOf, tooManyRows } from "../../domain/upload/csv.ts"
import { headingsKey, openQuestions } from "../../domain/upload/reading.ts"
import type { CheckedFile } from "../../domain/upload/result.ts"
import { type FileToCheck, lineFinder, rowReader } from "../../domain/upload/rows.ts"
import { type Answers, cellOf, type Reading, ROWS_MAX, type Sheet } from "../../domain/upload/upload.ts"
import { codesByName } from "../../storage/campaigns/affiliates.ts"
import { linesSoldBy, type StoredLine } from "../../storage/campaigns/lines.ts"
import type { ReadTx } from "../../storage/database.ts"
import { dayRows, lastDayBefore, measuredDays } from "../../storage/delivery/days.ts"
import { timeZoneOf } from "../../storage/organizations.ts"
import { daysOfCodes, rememberedNames } from "../../storage/uploads.ts"
import { nextTurn } from "../../within.ts"

/** A file with everything that people answered about it. This is all that an open file consists of. */
export interface OpenFile {
  readonly sheets: readonly Sheet[]
  readonly answers: Answers
  readonly uploadedAt: Moment
}

/** An open file with its lines and codes. */
export interface LoadedFile extends FileToCheck {
  readonly answers: Answers
  readonly lines: readonly StoredLine[]
  readonly key: string
}

/** What reporting a file would do. */
export interface FilePreview extends CheckedFile {
  /** Open questions, by field of the reading form. Nothing can be reported before they are answered. */
  readonly errors: Errors
  /** Differs as soon as reporting would do something else. */
  readonly digest: string
}

/** The table of a file: its headings, the rows below them, and under which key its reading is remembered. */
export function tableOf({ sheets, answers }: Pick<OpenFile, "sheets" | "answers">) {
  const { rows: all = [], separator = "" } = sheets[answers.sheet ?? 0] ?? {}
  const header = all.find(({ number }) => number === answers.headerRow)
  const rows = all.filter(({ number }) => number > answers.headerRow)
  if (rows.length > ROWS_MAX) throw tooManyRows()
  const headings = header === undefined ? [] : headingsOf(header)
  return { headings, rows, key: headingsKey(headings, separator) }
}

/** Loads everything that decides how a file is read and judged. */
export async function loadFile(read: ReadTx, organizationId: number, file: OpenFile, now: Moment): Promise<LoadedFile> {
  const { answers, uploadedAt } = file
  const { headings, rows, key } = tableOf(file)
  const timeZone = await timeZoneOf(read, organizationId)
  const lines = await linesSoldBy(read, organizationId, { withArchived: true })
  const names = new Map([...(await rememberedNames(read, organizationId)), ...Object.entries(answers.names)])
  const findLine = lineFinder(lines, names)
  const onlyLine = lines.find(({ packageId }) => packageId === answers.line) ?? null
  const { reading } = answers
  const isRemembered = answers.rememberedAt !== null
  const reader = rowReader(rows, headings, reading, { ...reading, isRemembered }, timeZone)
  const asOf = answers.asOf ?? uploadedAt
  const receipt = receiptAt(now, timeZone)
  const found = { headings, rows, reading, isRemembered, reader, asOf, receipt, findLine, names, onlyLine }
  const loaded = { ...found, answers, lines, key }
  const { lineIds, firstDay } = extentOf(found)
  if (reading.kind !== "delivery")
    return { ...loaded, daysOf: () => [], ...(await loadCodes(read, organizationId, found, firstDay)) }
  const days = await knownDays(read, lineIds, firstDay)
  return { ...loaded, daysOf: ({ id }) => days.get(id) ?? [], known: new Map(), storedDays: new Map() }
}

type KnownDays = "daysOf" | "known" | "storedDays"

/** The lines in a file, and the first day that it says something about. */
function extentOf({ rows, reader, findLine, onlyLine, asOf, receipt }: Omit<FileToCheck, KnownDays>) {
  const lineIds = new Set<number>(onlyLine === null ? [] : [onlyLine.id])
  let firstDay = typeof asOf === "number" ? dayOf(asOf, receipt.timeZone) : asOf
  for (const row of rows) {
    const { name, day } = reader.read(row)
    if (day !== undefined && day < firstDay) firstDay = day
    const line = findLine(name)
    if (line !== null) lineIds.add(line.id)
  }
  return { lineIds: [...lineIds], firstDay }
}

/** The days of these lines from one day on, and the last one before it, oldest first. */
async function knownDays(
  read: ReadTx,
  lineIds: readonly number[],
  from: CalendarDate,
): Promise<Map<number, LineDay[]>> {
  const measured = await measuredDays(read, lineIds)
  if (measured === null) return new Map()
  const before = await lastDayBefore(read, lineIds, from, measured)
  const dates = datesFrom(from > measured.first ? from : measured.first, measured.last)
  const rows = await dayRows(read, lineIds, dates)
  return Map.groupBy([...before.values(), ...rows], ({ lineId }) => lineId)
}

const ROWS_SEARCHED = 1_000

async function loadCodes(
  read: ReadTx,
  organizationId: number,
  { rows, reading }: Pick<FileToCheck, "rows" | "reading">,
  firstDay: CalendarDate,
): Promise<Pick<FileToCheck, "known" | "storedDays">> {
  const { columns, kind } = reading
  // Before the column is chosen, any column may have codes.
  const isChosen = columns.code !== undefined
  const cells = isChosen
    ? rows.map((row) => cellOf(row, columns.code))
    : rows.slice(0, ROWS_SEARCHED).flatMap((row) => row.cells)
  const codes = new Set(cells)
  const known = await codesByName(read, organizationId, [...codes])
  const ids = kind === "affiliate_codes" ? [] : [...known.values()].map(({ id }) => id)
  const days = await daysOfCodes(read, ids, firstDay)
  return { known, storedDays: new Map(days.map((day) => [codeDayKey(day), day])) }
}

/** Checks a file as it's read, or with other answers. Writes nothing. */
export function checkFile(loaded: LoadedFile, others: Partial<Reading> = {}): FilePreview {
  const file = { ...loaded, reading: { ...loaded.reading, ...others } }
  const checked = CHECKS[file.reading.kind](file)
  const { entries, rejected, skipped } = checked
  // A total of today is measured now, so its time isn't the same when it's reported.
  const shown = entries.map(({ after, ...entry }) => [entry, after?.quantity])
  const digest = hash("sha256", JSON.stringify([shown, rejected, [...skipped]]), "hex").slice(0, 32)
  return { ...checked, errors: openQuestions(file, checked), digest }
}

const CHECKS = { delivery: checkDelivery, affiliate_codes: checkCodes, affiliate_metrics: checkMetrics } as const

/** What reporting a file would do now. */
export async function previewFile(read: ReadTx, organizationId: number, file: OpenFile, now: Moment) {
  const loaded = await loadFile(read, organizationId, file, now)
  // Others may have a turn between reading a large file and checking it.
  await nextTurn()
  return { loaded, preview: checkFile(loaded) }
}
