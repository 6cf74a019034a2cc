import { ANY_UNIT, isUnit } from "../../domain/campaign/pricing-basis.ts"
import type { Preset } from "../../domain/presets/preset.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { type DateOrder, dayReader } from "../../domain/time/typed-day.ts"
import { deliveredBefore, neverFalls, totalsOf } from "../../domain/upload/add-up.ts"
import { columnsProblem, isDays, UPLOAD_FORMATS, type UploadKind } from "../../domain/upload/columns.ts"
import { type FileReading, readingOf } from "../../domain/upload/recognize-file.ts"
import { SAY_DATES } from "../../domain/upload/row-reader.ts"
import type { SentFile, Upload, UploadChange, UploadChoices } from "../../domain/upload/upload.ts"
import { isUndecided, notCsv, rowsOf, unreadable } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import type { ReportContext } from "../context.ts"
import { closingsOf, lineSums } from "./add-up-rows.ts"
import { suggestColumns } from "./match-columns.ts"
import { type FileToRead, fileRows, fileStart, preparedRows, zoneOf } from "./read-rows.ts"

export interface ArrivedFile {
  readonly id: number
  readonly organizationId: number
  /** Null: its columns say what it is. */
  readonly kind: UploadKind | null
  /** The systems whose exports are known. */
  readonly presets: readonly Preset[]
  /** Null for a file that a person uploaded. */
  readonly sent: SentFile | null
}

/** Where a file that has arrived goes: it is read where everything about it is certain, somebody is asked, or a program is refused. */
export const nextStep = (context: ReportContext, file: ArrivedFile): Promise<UploadChange> =>
  stepOf(context, file).catch(notCsv)

async function stepOf(context: ReportContext, file: ArrivedFile): Promise<UploadChange> {
  const text = await context.store.uploads.part(file.id, "file", 0)
  const remembered = await context.store.uploads.remembered(file.organizationId)
  const reading = text === null ? null : readingOf(file.kind, text, file.presets, remembered)
  if (reading === null) return unreadable("This file is empty. Its first row must name the columns.")
  await nextTurn()
  const start = await fileStart(context.store, file.id, reading.choices)
  if (start === null || start.rows.length === 0) return unreadable("There are no rows below the header.")
  if (file.sent !== null) return await takeOrRefuse(context, file, file.sent, reading)
  const { kind, isSure } = reading
  const columns = isSure ? reading.choices.columns : await suggestColumns(context.store, file, reading, start)
  const { choices } = await decided(context, { ...file, kind, choices: { ...reading.choices, columns } }, start.header)
  return { kind, state: !isSure || isUndecided(kind, choices) ? "columns" : "preview", choices }
}

async function takeOrRefuse(context: ReportContext, file: ArrivedFile, sent: SentFile, reading: FileReading) {
  const { kind, header, isSure, isUsual } = reading
  const { figures, dates } = reading.choices
  const readAsAt = sent.figures === null ? reading.choices.readAsAt : null
  const said = { ...reading.choices, figures: sent.figures ?? figures, dates: sent.dates ?? dates, readAsAt }
  // Rows of affiliates may be parts of a day: nobody is asked about those, so that only what is sure is taken.
  if (!isSure && !(isUsual && kind === "delivery")) return unreadable(unknownColumns(file.kind, reading))
  const { choices, against, example } = await decided(context, { ...file, kind, choices: said }, header)
  if (against !== null) return unreadable(`${against} ${SAY_DATES}`)
  if (isUndecided(kind, choices)) return unreadable(bothReadings(example))
  const problem = figuresProblem(choices)
  if (problem !== null) return unreadable(problem)
  return { kind, state: "reporting", choices: { ...choices, sent: asFeed(sent, choices, context.clock()) } } as const
}

/** How a file is read, with what follows from the whole of it. */
async function decided(context: ReportContext, file: FileToRead, header: readonly string[]) {
  const { kind, choices } = file
  const columns = choices.columns ?? []
  if (columnsProblem(kind, columns) !== undefined) return { choices, against: null, example: null }
  const { dates, against } = await datesOf(context, file)
  const read = { ...choices, dates }
  // What was said of another file with these headings is asked again where the figures of this one look like totals so far.
  const isRemembered = read.readAsAt !== null && rowsOf(read) === "daily"
  if (!isUndecided(kind, read) && !isRemembered) return { choices: read, against, example: null }
  const { hasSeveralDays, hasNoFall, example } = await surveyFile(context, { ...file, choices: read })
  if (isRemembered) return { choices: hasNoFall ? { ...read, figures: null } : read, against, example }
  return { choices: { ...read, figures: hasSeveralDays ? null : figuresSaid(header, columns) }, against, example }
}

/** What a line of a file would become. */
export type FiguresExample = NonNullable<Awaited<ReturnType<typeof surveyFile>>["example"]>

/**
 * Whether a line of a file has figures of more than one day, whether those of one never fall, and what such a line, or one with as many days
 * as any, would become; null where a row of it cannot be read, since that is not known then.
 */
async function surveyFile({ store }: ReportContext, upload: FileToRead) {
  const zone = await zoneOf(store, upload.organizationId)
  // Read as parts, so that every time is one of a day.
  const choices = { ...upload.choices, figures: "daily" }
  const sums = lineSums(false)
  for await (const rows of preparedRows(store, { ...upload, choices }, zone)) for (const row of rows) sums.add(row)
  const lines = [...sums.lines.values()]
    .filter(({ parts }) => parts.size > 0)
    .sort((a, b) => b.parts.size - a.parts.size)
  const rising = lines.find(({ parts }) => neverFalls(parts))
  const hasSeveralDays = lines.some(({ parts }) => parts.size > 1)
  const known = { hasSeveralDays, hasNoFall: rising !== undefined }
  const shown = rising ?? lines[0]
  if (shown === undefined || shown.broken !== null || sums.broken !== null) return { ...known, example: null }
  const { line, parts } = shown
  const { firstDay } = sums
  const before = firstDay === null ? null : deliveredBefore(firstDay, line, await closingsOf(store, line), zone)
  const totals = typeof before === "number" ? totalsOf(parts, before, line.flightStart) : []
  const [, lastDay] = [...parts].reduce((last, next) => (next[0] > last[0] ? next : last))
  const example = {
    name: line.name,
    now: line.total?.quantity ?? null,
    /** If each row is a total so far; null where that day has several. */
    totals: lastDay.sum === lastDay.last ? lastDay.last : null,
    /** If each row is one day; null where nobody knows what was delivered before. */
    daily: totals.at(-1)?.quantity ?? null,
  }
  return { ...known, example }
}

/** What a line of the file would become by either reading of its figures; null where these columns cannot be read. */
export async function figuresExample(context: ReportContext, upload: Upload) {
  const { kind, choices } = upload
  if (columnsProblem(kind, choices.columns ?? [], choices.line !== null) !== undefined) return null
  const { dates } = await datesOf(context, upload)
  return (await surveyFile(context, { ...upload, choices: { ...choices, dates } })).example
}

/** The index of the column with the days; negative without one. */
export const dayColumn = (columns: UploadChoices["columns"]): number => columns?.findIndex(isDays) ?? -1

/**
 * Which number of the days of a file comes first: as was said, or else as the whole column shows. Null where it does not, or not with one
 * voice, or contradicts what was said.
 */
export async function datesOf({ store }: ReportContext, upload: Pick<Upload, "id" | "choices">) {
  const said = upload.choices.dates
  const dayIndex = dayColumn(upload.choices.columns)
  if (dayIndex < 0) return { dates: said, against: null }
  const read = dayReader("UTC", null)
  // The first day that shows an order.
  const shown = new Map<DateOrder, string>()
  let twoReadings = ""
  for await (const rows of fileRows(store, upload)) {
    for (const { number, cells } of rows) {
      const text = (cells[dayIndex] ?? "").trim()
      const day = read(text)
      if (!day.ok && day.isAmbiguous) twoReadings ||= ` ${day.message}`
      if (!day.ok || day.order === null || shown.has(day.order)) continue
      shown.set(day.order, `${text} in row ${number} can only be ${day.value}, with the ${FIRST[day.order]} first.`)
    }
  }
  const [order = null, ...others] = shown.keys()
  if (said === null) return { dates: others.length === 0 ? order : null, against: null }
  const contradiction = shown.get(said === "day_first" ? "month_first" : "day_first")
  if (contradiction === undefined) return { dates: said, against: null }
  const against = `The ${FIRST[said]} of its days is said to come first, but ${contradiction}${twoReadings}`
  return { dates: null, against }
}

const FIRST: Readonly<Record<DateOrder, string>> = { day_first: "day", month_first: "month" }

const SO_FAR = /\b(to date|so far|cumulative|kumuliert|lifetime|bisher|all[- ]time)\b/i
const TOTAL = /\b(totals?|gesamt|insgesamt)\b/i
const DAILY = /\b(daily|per day|täglich|pro tag)\b/i

/** What headings say about figures, beyond doubt: "Total impressions" of a day are those of the day. */
function figuresSaid(header: readonly string[], columns: readonly string[]): string | null {
  const names = header.filter((_, index) => columns[index]).join("; ")
  if (DAILY.test(names)) return columns.includes("as_of") ? "daily" : null
  const says = columns.includes("as_of") ? SO_FAR : new RegExp(`${SO_FAR.source}|${TOTAL.source}`, "i")
  return says.test(names) ? "totals" : null
}

/** Why a file cannot be read with its figures as they are said to be; null when it can. */
export function figuresProblem({ figures, columns }: Pick<UploadChoices, "figures" | "columns">): string | null {
  if (figures !== "daily") return null
  if (!columns?.some(isUnit)) return `Say which column has the figures: ${ANY_UNIT}.`
  if (columns.includes("as_of")) return null
  return "Figures of single days need a column with the day. Say which column it is, or export the file with the day."
}

/** A file with the fields of the API means what the API does: measured when it is received, and a lower total is a correction. */
const asFeed = (sent: SentFile, { isOurs, columns }: UploadChoices, now: Moment): SentFile =>
  isOurs && columns?.includes("package_id") ? { ...sent, modifiedAt: now, allowLower: true } : sent

const inWords = (quantity: number) => quantity.toLocaleString("en")

function bothReadings(example: FiguresExample | null): string {
  const daily = example?.daily == null ? "nobody knows at what" : `at ${inWords(example.daily)}`
  const totals = example?.totals == null ? "nobody knows at what" : `at ${inWords(example.totals)}`
  const becomes = example && ` As totals so far, ${example.name} is ${totals}; as single days, ${daily}.`
  return `Its figures can be read in two ways: each row is a total so far, or each row is one day.${becomes ?? ""} Say which: figures=totals or figures=daily (adbooth report --figures totals or --figures daily), or answer once in the app.`
}

const COLUMNS_NAMED_MAX = 12

function unknownColumns(wanted: UploadKind | null, { kind, header, choices }: FileReading): string {
  const more = header.length > COLUMNS_NAMED_MAX ? ` and ${header.length - COLUMNS_NAMED_MAX} more` : ""
  const names = header.slice(0, COLUMNS_NAMED_MAX).map((name) => `"${name.slice(0, 40)}"`)
  const columns = names.join(", ") + more
  const twice = header.find((name, i) => choices.columns?.[i] && header.indexOf(name) !== i)
  if (twice !== undefined) return `Two columns are called "${twice.slice(0, 40)}". Leave one of them out.`
  const isMissing = (choice: readonly string[]) => !choice.some((name) => choices.columns?.includes(name))
  const missing = wanted === null ? [] : UPLOAD_FORMATS[kind].needed.filter(isMissing)
  if (missing.length > 0)
    return `It has no column ${missing.map(([name]) => name).join(" and ")}. Its columns are ${columns}.`
  return `No preset fits the columns of this file, and they do not have our names: ${columns}. Add a preset, or upload it once in the app and match the columns: the next file with the same headings is then read the same way.`
}
