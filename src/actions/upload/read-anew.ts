import { ANY_UNIT, isUnit } from "../../domain/campaign/pricing-basis.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { endOfDay } from "../../domain/time/time-zone.ts"
import { dayReader } from "../../domain/time/typed-day.ts"
import { deliveredBefore, NO_DAY, neverFalls, totalsOf } from "../../domain/upload/add-up.ts"
import { columnsProblem, otherFigures, UPLOAD_FORMATS, type UploadKind } from "../../domain/upload/columns.ts"
import { type FileReading, readingOf } from "../../domain/upload/recognize-file.ts"
import { SAY_DATES } from "../../domain/upload/row-reader.ts"
import type { SentFile, Sheet, UploadChoices } from "../../domain/upload/upload.ts"
import { isUndecided, notCsv, rowsOf, sheetNames } from "../../domain/upload/upload.ts"
import type { ReportContext } from "../context.ts"
import { closingsOf, lineSums } from "./add-up-rows.ts"
import { type OpenFile, preparedRows, tableIn, zoneOf } from "./open-file.ts"
import { ownLines } from "./own-lines.ts"
import { datesOf, numbersOf } from "./shown-by-rows.ts"
import { suggestColumns } from "./suggest-columns.ts"

export interface NewFile {
  readonly organizationId: number
  /** Null: its columns say what it is. */
  readonly kind: UploadKind | null
  /** Null for a file that a person uploaded. */
  readonly sent: SentFile | null
}

/** How a file is read; or why it is not, in a sentence. */
export type NewReading = Readonly<
  (Pick<OpenFile, "table" | "own" | "zone"> & { ok: true; kind: UploadKind; choices: UploadChoices }) | Refused
>
type Refused = { ok: false; problem: string }

const refused = (problem: string): Refused => ({ ok: false, problem })

/** How a text is read: where everything about it is certain, as it is; otherwise a person is asked, and a program refused. */
export const readAnew = (context: ReportContext, file: NewFile, sheet: Sheet): Promise<NewReading> =>
  reading(context, file, sheet).catch((cause) => refused(notCsv(cause)))

async function reading(context: ReportContext, file: NewFile, sheet: Sheet): Promise<NewReading> {
  const { text } = sheet
  const remembered = await context.store.uploads.remembered(file.organizationId)
  const found = readingOf(file.kind, text, remembered)
  if (found === null) return refused("This file is empty. Its first row must name the columns.")
  const table = await tableIn(text, found.choices)
  const days = found.choices.preset ? [] : dayHeadings(table.header)
  if (days.length > 0) return refused(wide(days))
  if (table.rows.length === 0) return refused("There are no rows below the header.")
  const { kind, isSure } = found
  const own = await ownLines(context.store, { ...file, kind }, remembered)
  const columns = isSure || file.sent ? found.choices.columns : suggestColumns(own, found, table)
  const zone = await zoneOf(context.store, file.organizationId)
  const choices = { ...found.choices, columns, sheets: sheetNames([sheet]) }
  const open = { upload: { ...file, kind, choices }, table, own, zone }
  if (file.sent !== null) return takeOrRefuse(context, open, file, file.sent, found)
  const settled = (await settle(context, open)).choices
  const asks = !isSure || isUndecided(kind, settled)
  return { ...open, ok: true, kind, choices: { ...settled, asks } }
}

const DAY_HEADINGS_MIN = 2
// Some leave out the year: "1 Nov", "01.11.", "11/1". Any one that has a 29 February does.
const YEARS = ["", " 2024", "2024", "/2024"]

/** The headings that are days, where there are several: then each is the day of a column of figures. */
function dayHeadings(header: readonly string[]): string[] {
  const read = dayReader("UTC", null)
  const isDay = (text: string) => {
    const day = read(text)
    return day.ok || day.isAmbiguous
  }
  const days = header.filter((name) => YEARS.some((year) => isDay(name + year)))
  return days.length >= DAY_HEADINGS_MIN ? days : []
}

const wide = (days: readonly string[]) =>
  `This file has a column for each day (${days[0]} to ${days.at(-1)}). Turn it, so that each row has one line, one day and one figure: ` +
  "choose daily rows in the export, or in Excel Data, From Table, Unpivot Other Columns."

async function takeOrRefuse(
  context: ReportContext,
  open: OpenFile,
  { kind: wanted }: NewFile,
  sent: SentFile,
  found: FileReading,
): Promise<NewReading> {
  const { kind, isSure, isUsual } = found
  // Rows of affiliates may be parts of a day: nobody is asked about those, so that only what is sure is taken.
  if (!isSure && !(isUsual && kind === "delivery")) return refused(unknownColumns(wanted, found))
  const { figures, dates, readAsAt } = open.upload.choices
  const said = {
    ...open.upload.choices,
    figures: sent.figures ?? figures,
    dates: sent.dates ?? dates,
    readAsAt: sent.figures === null ? readAsAt : null,
  }
  const { choices, against, example } = await settle(context, { ...open, upload: { ...open.upload, choices: said } })
  if (against !== null) return refused(`${against} ${SAY_DATES}`)
  if (isUndecided(kind, choices)) return refused(bothReadings(example))
  const problem = figuresProblem(choices)
  if (problem !== null) return refused(problem)
  const feed = { ...choices, sent: asFeed(sent, choices, context.clock()) }
  return { ...open, ok: true, kind, choices: feed }
}

/** How a file is read, with what follows from the whole of it. */
async function settle(context: ReportContext, file: OpenFile) {
  const { kind, choices } = file.upload
  const columns = choices.columns ?? []
  if (columnsProblem(kind, columns) !== undefined) return { choices, against: null, example: null }
  const { dates, against } = await datesOf(file.table, choices)
  const read = { ...choices, dates, numbers: await numbersOf(file.table, kind, choices) }
  // What was said of another file with these headings is asked again where the figures of this one look like totals so far.
  const isRemembered = read.readAsAt !== null && rowsOf(read) === "daily"
  if (!isUndecided(kind, read) && !isRemembered) return { choices: read, against, example: null }
  const { hasNoFall, example } = await surveyFile(context, { ...file, upload: { ...file.upload, choices: read } })
  return { choices: isRemembered && hasNoFall ? { ...read, figures: null } : read, against, example }
}

/** What a line of a file would become. */
export type FiguresExample = NonNullable<Awaited<ReturnType<typeof surveyFile>>["example"]>

/**
 * Whether the figures of a line of a file never fall over its days, and what such a line, or one with as many days as any, would become;
 * null where a row of it cannot be read, since that is not known then, or where it keeps a later total.
 */
async function surveyFile({ store }: ReportContext, file: OpenFile) {
  // Read as parts, so that every time is one of a day.
  const choices = { ...file.upload.choices, figures: "daily" }
  const sums = lineSums(false)
  for (const row of await preparedRows({ ...file, upload: { ...file.upload, choices } })) sums.add(row)
  const lines = [...sums.lines.values()]
    .filter(({ parts }) => parts.size > 0)
    .sort((a, b) => b.parts.size - a.parts.size)
  const rising = lines.find(({ parts }) => neverFalls(parts))
  const known = { hasNoFall: rising !== undefined }
  const shown = rising ?? lines[0]
  if (shown === undefined || shown.broken !== null || sums.broken !== null) return { ...known, example: null }
  const { line, parts } = shown
  const { firstDay } = sums
  const before = firstDay === null ? null : deliveredBefore(firstDay, line, await closingsOf(store, line), file.zone)
  const totals = typeof before === "number" ? totalsOf(parts, before, line.flightStart) : []
  const [day, lastDay] = [...parts].reduce((last, next) => (next[0] > last[0] ? next : last))
  // Where a later total is known, it stays by either reading.
  if (line.total !== null && day !== NO_DAY && line.total.asOf > endOfDay(day, file.zone))
    return { ...known, example: null }
  const example = {
    name: line.name,
    now: line.total?.quantity ?? null,
    /** If each row is a total so far; null where that day has several. */
    totals: lastDay.sum === lastDay.last ? lastDay.last : null,
    /** If each row is one day; null where it is unknown what was delivered before. */
    daily: totals.at(-1)?.quantity ?? null,
  }
  return { ...known, example }
}

/** What a line of the file would become by either reading of its figures; null where these columns cannot be read. */
export async function figuresExample(context: ReportContext, file: OpenFile) {
  const { kind, choices } = file.upload
  if (columnsProblem(kind, choices.columns ?? [], choices.line !== null) !== undefined) return null
  const { dates } = await datesOf(file.table, choices)
  const read = { ...choices, dates, numbers: await numbersOf(file.table, kind, choices) }
  return (await surveyFile(context, { ...file, upload: { ...file.upload, choices: read } })).example
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

function bothReadings(example: FiguresExample | null): string {
  const at = (total: number | null) => (total === null ? "not known" : `at ${total.toLocaleString("en")}`)
  const becomes =
    example && ` As totals so far, ${example.name} is ${at(example.totals)}; as single days, ${at(example.daily)}.`
  return `Its figures can be read in two ways: each row is a total so far, or each row is one day.${becomes ?? ""} Say which: figures=totals or figures=daily (adbooth report --figures totals or --figures daily), or answer once in the app.`
}

const COLUMNS_NAMED_MAX = 12
const MATCH_ONCE =
  "Upload it once in the app and match the columns: the next file with the same headings is then read the same way."
const anyOf = new Intl.ListFormat("en-GB", { type: "disjunction" })
const quoted = (name: string) => `"${name.slice(0, 40)}"`

function unknownColumns(wanted: UploadKind | null, { kind, header, choices }: FileReading): string {
  const more = header.length > COLUMNS_NAMED_MAX ? ` and ${header.length - COLUMNS_NAMED_MAX} more` : ""
  const columns = header.slice(0, COLUMNS_NAMED_MAX).map(quoted).join(", ") + more
  const twice = header.find((name, i) => choices.columns?.[i] && header.indexOf(name) !== i)
  if (twice !== undefined) return `Two columns are called "${twice.slice(0, 40)}". Leave one of them out.`
  const figures = otherFigures(kind, header, choices.columns ?? [])
  if (kind === "delivery" && figures.length > 1)
    return `Its figures may be in the column ${anyOf.format(figures.map(quoted))}. ${MATCH_ONCE}`
  const isMissing = (choice: readonly string[]) => !choice.some((name) => choices.columns?.includes(name))
  const missing = wanted === null ? [] : UPLOAD_FORMATS[kind].needed.filter(isMissing)
  if (missing.length > 0)
    return `It has no column ${missing.map(([name]) => name).join(" and ")}. Its columns are ${columns}.`
  return `No preset fits the columns of this file, and they do not have our names: ${columns}. ${MATCH_ONCE}`
}
