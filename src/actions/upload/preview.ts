import { hash } from "node:crypto"
import type { LineDay } from "../../domain/delivery/day.ts"
import { receiptAt } from "../../domain/delivery/delivery.ts"
import type { Errors } from "../../domain/errors.ts"
import { type CalendarDate, datesFrom, daysBetween, type Moment } from "../../domain/time/moment.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import { type CheckedFile, codeDayKey, type FileSpan, type FileToCheck } from "../../domain/upload/check.ts"
import { checkCodes, checkMetrics } from "../../domain/upload/check-affiliates.ts"
import { checkDelivery } from "../../domain/upload/check-delivery.ts"
import { headingsOf } from "../../domain/upload/csv.ts"
import { headingsKey, openQuestions } from "../../domain/upload/reading.ts"
import { type FileLine, type FileRow, idFinder, lineFinder, readRows } from "../../domain/upload/rows.ts"
import {
  type Answers,
  cellOf,
  type Figures,
  NEARLY_ALL,
  type Reading,
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
  const rows = all.filter(({ number }) => number > answers.headerRow)
  const above = all.filter(({ number }) => number < answers.headerRow).flatMap(({ cells }) => cells)
  const headings = headingsAt(all, answers.headerRow)
  return { headings, above, rows, key: headingsKey(headings, separator) }
}

/** The headings in a row. There are none if there is no such row. */
export function headingsAt(rows: readonly Row[], headerRow: number): readonly string[] {
  const header = rows.find(({ number }) => number === headerRow)
  return header === undefined ? [] : headingsOf(header)
}

/** Loads everything that decides how a file is read and judged. */
export async function loadFile(read: ReadTx, organizationId: number, file: OpenFile, now: Moment): Promise<LoadedFile> {
  const { answers } = file
  const { reading } = answers
  const { rows: tableRows, ...table } = tableOf(file)
  const timeZone = await timeZoneOf(read, organizationId)
  const lines = await linesSoldBy(read, organizationId, { withArchived: true })
  const names = new Map([...(await rememberedNames(read, organizationId)), ...Object.entries(answers.names)])
  const isRemembered = answers.rememberedAt !== null
  // A large file is unpacked, read and checked in turns, so that other requests don't wait for all of it.
  await nextTurn()
  const { rows, open, currency } = readRows(tableRows, table.headings, reading, { ...reading, isRemembered }, timeZone)
  await nextTurn()
  const asOf = answers.asOf ?? file.uploadedAt
  const asOfDay = typeof asOf === "number" ? dayOf(asOf, timeZone) : asOf
  const begin = spanOf(rows)
  const firstDay = begin.day !== null && begin.day < asOfDay ? begin.day : asOfDay
  const findLine = lineFinder(
    lines,
    names,
    rows.map(({ name }) => name),
  )
  const onlyLine = lines.find(({ packageId }) => packageId === answers.line) ?? null
  const found = onlyLine === null ? rows.map(({ name }) => findLine(name)) : [onlyLine]
  const days = await knownDays(read, reading.kind === "delivery" ? idsOf(found) : [], firstDay)
  const codes = await codesByName(read, organizationId, codesIn(tableRows, reading))
  const codeIds = reading.kind === "affiliate_metrics" ? [...codes.values()].map(({ id }) => id) : []
  const codeDays = await daysOfCodes(read, codeIds, firstDay)
  await nextTurn()
  return {
    ...table,
    answers,
    reading,
    isRemembered,
    rows,
    open,
    currency,
    begin,
    asOf,
    receipt: receiptAt(now, timeZone),
    lines,
    names,
    findLine,
    lineOfId: idFinder(lines),
    onlyLine,
    daysOf: ({ id }) => days.get(id) ?? [],
    known: codes,
    storedDays: new Map(codeDays.map((day) => [codeDayKey(day), day])),
  }
}

function spanOf(rows: readonly FileRow[]): FileSpan {
  const days = new Set(rows.flatMap(({ day }) => day ?? []))
  const inOrder = [...days].sort()
  const [first, last] = [inOrder[0], inOrder.at(-1)]
  if (first === undefined || last === undefined) return { day: null, lastDay: null, holes: [] }
  const isDaily = days.size >= NEARLY_ALL * (daysBetween(first, last) + 1)
  return { day: first, lastDay: last, holes: isDaily ? datesFrom(first, last).filter((day) => !days.has(day)) : [] }
}

const idsOf = (lines: readonly (FileLine | null)[]): number[] => [...new Set(lines.flatMap((line) => line?.id ?? []))]

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

/** The texts in a file that may be codes. */
function codesIn(rows: readonly Row[], { kind, columns: { code } }: Reading): string[] {
  if (kind === "delivery") return []
  if (code !== undefined) return [...new Set(rows.map((row) => cellOf(row, code)))]
  // Before the column is chosen, any column may have codes.
  return [...new Set(rows.slice(0, ROWS_SEARCHED).flatMap(({ cells }) => cells))]
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
