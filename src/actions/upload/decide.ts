import type { PackageId } from "../../domain/campaign/package-line.ts"
import { ANY_UNIT, isUnit } from "../../domain/campaign/pricing-basis.ts"
import type { Change } from "../../domain/people/audit.ts"
import { areOurs, columnsProblem, figuresIn, namesLine } from "../../domain/upload/columns.ts"
import { headingsKey } from "../../domain/upload/recognize-file.ts"
import type { Upload, UploadChoices } from "../../domain/upload/upload.ts"
import { isUndecided } from "../../domain/upload/upload.ts"
import { type Context, type ReportContext, transact } from "../context.ts"
import { forget, moveFile, removeFile } from "./file-state.ts"
import { type OpenFile, openFile, textIn } from "./open-file.ts"
import { figuresProblem, readAnew } from "./read-anew.ts"
import { datesOf, dayColumn, numbersOf } from "./shown-by-rows.ts"

export type ColumnWishes = Pick<UploadChoices, "remember" | "figures" | "line" | "dates" | "numbers"> &
  Readonly<{ columns: readonly string[] }>

/** Says what the columns of a file mean; or what is wrong, by the field of the form. Does nothing where the file has moved on meanwhile. */
export async function chooseColumns(
  context: ReportContext,
  { upload, table }: OpenFile & { readonly upload: Upload },
  { columns, remember, figures, line: wanted, ...wishes }: ColumnWishes,
  author: Change,
): Promise<Readonly<Record<string, string>> | null> {
  const { kind, choices, organizationId } = upload
  const isNamed = namesLine(kind, columns)
  const [own] = await context.store.packageLines.findSold(organizationId, [wanted ?? ""])
  const line = isNamed ? null : (own?.packageId ?? null)
  const problem = columnsProblem(kind, columns, line !== null)
  if (problem !== undefined) return { [isNamed ? "" : "line"]: problem }
  if (columns.length !== table.header.length) return null
  const isCounted = kind !== "delivery" || columns.some(isUnit)
  if (!isCounted && figuresIn(kind, table.header, columns).some((label) => label !== null))
    return { "": `Say which column has the figures: ${ANY_UNIT}.` }
  const isOurs = choices.preset === null && areOurs(kind, table.header, columns)
  // What was said, or seen, of the days of one column says nothing about another.
  const isSameDay = dayColumn(columns) === dayColumn(choices.columns)
  const days = isSameDay ? choices.dates : null
  const numbers = wishes.numbers ?? (await numbersOf(table, kind, { ...choices, columns }))
  // Nor does what was said of one line about another.
  const said = { ...choices, numbers, dates: wishes.dates ?? days, nothingBefore: false, readAsAt: null, asks: false }
  const chosen = { ...said, line, columns, remember, isOurs, figures: isOurs ? null : figures }
  const wrong = isUndecided(kind, chosen) ? "Say what the figures are." : figuresProblem(chosen)
  if (wrong !== null) return { figures: wrong }
  const { dates, against } = await datesOf(table, chosen)
  if (against !== null && wishes.dates !== null) return { dates: against }
  await readWith(context, upload, { ...chosen, dates }, author)
  return null
}

/** Says which sheet of a workbook is meant; or why that cannot be read. */
export async function chooseSheet(
  context: ReportContext,
  upload: Upload,
  sheet: number,
  author: Change,
): Promise<boolean | string> {
  if (upload.choices.sheets[sheet] === undefined) return "Choose one of the sheets."
  return readFresh(context, { ...upload, choices: { ...upload.choices, sheet } }, author)
}

/** Forgets how files with these headings are read, and has this one read as if nobody had said it. */
export async function forgetReading(
  context: ReportContext,
  { upload, table }: OpenFile & { readonly upload: Upload },
  author: Change,
): Promise<boolean | string> {
  await transact(context, (tx) => forget(tx, upload.organizationId, "reading", headingsKey(table.header)))
  return readFresh(context, upload, author)
}

/** Reads a file as when it came. */
async function readFresh(context: ReportContext, upload: Upload, author: Change) {
  const text = await textIn(context.store, upload)
  if (text === null) return "We no longer have this file."
  const { sheets, sheet, matches } = upload.choices
  const reading = await readAnew(context, { ...upload, sent: null }, { name: sheets[sheet ?? 0] ?? "", text })
  if (!reading.ok) return reading.problem
  const { kind, table } = reading
  const rows = table.rows.length
  const choices = { ...reading.choices, sheets, sheet, matches }
  const by = { ...author, action: null }
  return transact(context, (tx) => moveFile(tx, upload.id, "open", { kind, rows, choices }, by))
}

/** Says how to read what can be read in two ways, or that sums count, for the whole file, and has it read again; or why it cannot be. */
export async function chooseReadings(
  context: ReportContext,
  upload: Upload,
  readings: Partial<Pick<UploadChoices, "numbers" | "dates" | "keepSums" | "figures" | "nothingBefore">>,
  author: Change,
): Promise<boolean | string> {
  const { dates } = readings
  const file = dates == null ? null : await openFile(context.store, upload)
  const said = file && (await datesOf(file.table, { ...upload.choices, dates: dates ?? null }))
  return said?.against ?? readWith(context, upload, readings, author)
}

/**
 * Says which line a file means by a name or an ID, or that it is none of the organization's, and has it read again. Later files mean the same
 * once this one is reported.
 */
export async function matchLine(
  context: Context,
  upload: Upload,
  { text, packageId }: { readonly text: string; readonly packageId: PackageId | null },
  author: Change,
): Promise<boolean> {
  const [line] = await context.store.packageLines.findSold(upload.organizationId, [packageId ?? ""])
  if (text === "" || (packageId !== null && line === undefined)) return false
  const matches = { ...upload.choices.matches, [text]: packageId ?? "" }
  if (Object.keys(matches).length > MATCHES_MAX) return false
  return readWith(context, upload, { matches }, author)
}

// More than anybody chooses by hand.
const MATCHES_MAX = 1_000

/** Takes back which line is meant by a name, in this file and in later ones. */
export async function undoMatch(context: Context, upload: Upload, text: string, author: Change): Promise<boolean> {
  const { [text]: _, ...matches } = upload.choices.matches
  await transact(context, (tx) => forget(tx, upload.organizationId, "line", text))
  return readWith(context, upload, { matches }, author)
}

function readWith(context: Context, upload: Upload, chosen: Partial<UploadChoices>, author: Change): Promise<boolean> {
  const choices = { ...upload.choices, ...chosen, anyway: [] }
  const by = { ...author, action: null }
  return transact(context, (tx) => moveFile(tx, upload.id, "open", { choices }, by))
}

/** Discards a file. False when it was reported. */
export const discardUpload = (context: Context, uploadId: number, author: Change): Promise<boolean> =>
  transact(context, (tx) => removeFile(tx, uploadId, author))
