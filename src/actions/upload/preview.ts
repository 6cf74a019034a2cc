import { hash } from "node:crypto"
import type { LineDay } from "../../domain/delivery/day.ts"
import { receiptAt } from "../../domain/delivery/delivery.ts"
import type { Errors } from "../../domain/errors.ts"
import { type CalendarDate, datesFrom, type Moment } from "../../domain/time/moment.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import { type CheckedFile, codeDayKey, type FileToCheck } from "../../domain/upload/check.ts"
import { checkCodes, checkMetrics } from "../../domain/upload/check-affiliates.ts"
import { checkDelivery } from "../../domain/upload/check-delivery.ts"
import { headingsOf, tooManyRows } from "../../domain/upload/csv.ts"
import { headingsKey, openQuestions } from "../../domain/upload/reading.ts"
import { type FileRow, idFinder, lineFinder, readRows } from "../../domain/upload/rows.ts"
import {
  type Answers,
  cellOf,
  type Figures,
  type Reading,
  ROWS_MAX,
  type Row,
  type Sheet,
} from "../../domain/upload/upload.ts"
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
  /** Under which its reading is remembered. */
  readonly key: string
}

/** What reporting a file would do. */
export interface FilePreview extends CheckedFile {
  /** Open questions, by field of the reading form. Nothing can be reported before they are answered. */
  readonly errors: Errors
}

/** The table of a file: its headings, the rows below them, and under which key its reading is remembered. */
export function tableOf({ sheets, answers }: Pick<OpenFile, "sheets" | "answers">) {
  const { rows: all = [], separator = "" } = sheets[answers.sheet ?? 0] ?? {}
  const header = all.find(({ number }) => number === answers.headerRow)
  const rows = all.filter(({ number }) => number > answers.headerRow)
  const above = all.filter(({ number }) => number < answers.headerRow).flatMap(({ cells }) => cells)
  if (rows.length > ROWS_MAX) throw tooManyRows()
  const headings = header === undefined ? [] : headingsOf(header)
  return { headings, above, rows, key: headingsKey(headings, separator) }
}

/** Loads everything that decides how a file is read and judged. */
export async function loadFile(read: ReadTx, organizationId: number, file: OpenFile, now: Moment): Promise<LoadedFile> {
  const { answers, uploadedAt } = file
  const { reading } = answers
  const { headings, above, rows: tableRows, key } = tableOf(file)
  const timeZone = await timeZoneOf(read, organizationId)
  const lines = await linesSoldBy(read, organizationId, { withArchived: true })
  const names = new Map([...(await rememberedNames(read, organizationId)), ...Object.entries(answers.names)])
  const findLine = lineFinder(lines, names)
  const onlyLine = lines.find(({ packageId }) => packageId === answers.line) ?? null
  const isRemembered = answers.rememberedAt !== null
  // A large file is unpacked, read and checked in turns, so that other requests don't wait for all of it.
  await nextTurn()
  const { rows, open } = readRows(tableRows, headings, reading, { ...reading, isRemembered }, timeZone)
  await nextTurn()
  const asOf = answers.asOf ?? uploadedAt
  const begin = beginOf(rows)
  const asOfDay = typeof asOf === "number" ? dayOf(asOf, timeZone) : asOf
  const firstDay = begin.day !== null && begin.day < asOfDay ? begin.day : asOfDay
  const isDelivery = reading.kind === "delivery"
  const found = onlyLine === null ? rows.map(({ name }) => findLine(name)) : [onlyLine]
  const lineIds = new Set(found.flatMap((line) => (isDelivery && line !== null ? [line.id] : [])))
  const days = await knownDays(read, [...lineIds], firstDay)
  const codes = await loadCodes(read, organizationId, { rows: tableRows, reading, firstDay })
  await nextTurn()
  return {
    ...{
      headings,
      above,
      rows,
      open,
      reading,
      isRemembered,
      begin,
      asOf,
      names,
      findLine,
      onlyLine,
      answers,
      lines,
      key,
    },
    ...codes,
    lineOfId: idFinder(lines),
    receipt: receiptAt(now, timeZone),
    daysOf: ({ id }) => days.get(id) ?? [],
  }
}

function beginOf(rows: readonly FileRow[]): FileToCheck["begin"] {
  let day: CalendarDate | null = null
  let lastDay: CalendarDate | null = null
  for (const row of rows) {
    if (row.day !== undefined && (day === null || row.day < day)) day = row.day
    if (row.day !== undefined && (lastDay === null || row.day > lastDay)) lastDay = row.day
  }
  return { day, lastDay }
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

interface CodesFile {
  readonly rows: readonly Row[]
  readonly reading: Reading
  readonly firstDay: CalendarDate
}

/** The codes that a file names, and what is known of their days. */
async function loadCodes(
  read: ReadTx,
  organizationId: number,
  { rows, reading: { columns, kind }, firstDay }: CodesFile,
): Promise<Pick<FileToCheck, "known" | "storedDays">> {
  if (kind === "delivery") return { known: new Map(), storedDays: new Map() }
  // Before the column is chosen, any column may have codes.
  const cells =
    columns.code === undefined
      ? rows.slice(0, ROWS_SEARCHED).flatMap((row) => row.cells)
      : rows.map((row) => cellOf(row, columns.code))
  const known = await codesByName(read, organizationId, [...new Set(cells)])
  const ids = kind === "affiliate_codes" ? [] : [...known.values()].map(({ id }) => id)
  const days = await daysOfCodes(read, ids, firstDay)
  return { known, storedDays: new Map(days.map((day) => [codeDayKey(day), day])) }
}

const CHECKS = { delivery: checkDelivery, affiliate_codes: checkCodes, affiliate_metrics: checkMetrics } as const

/** Checks a file as it's read, or with other answers. Writes nothing. */
export function checkFile(loaded: LoadedFile, others: Partial<Reading> = {}): FilePreview {
  const file = { ...loaded, reading: { ...loaded.reading, ...others } }
  const checked = CHECKS[file.reading.kind](file)
  return { ...checked, errors: openQuestions(file, checked) }
}

/** Differs as soon as reporting would do something else. */
export function digestOf({ entries, rejected, skipped }: CheckedFile): string {
  // A total of today is measured now, so its time isn't the same when it's reported.
  const shown = entries.map(({ after, ...entry }) => [entry, after?.quantity])
  return hash("sha256", JSON.stringify([shown, rejected, [...skipped]]), "hex").slice(0, 32)
}

export interface BothReadings {
  readonly totals: FilePreview
  readonly daily: FilePreview
}

/** The previews of a file as totals and as daily figures. One of them may have been made before. */
export async function bothReadings(loaded: LoadedFile, checked: FilePreview | null = null): Promise<BothReadings> {
  async function as(figures: Figures): Promise<FilePreview> {
    if (checked !== null && loaded.reading.figures === figures) return checked
    await nextTurn()
    return checkFile(loaded, { figures })
  }
  const totals = await as("totals")
  return { totals, daily: await as("daily") }
}
