import type { PackageId } from "../../domain/campaign/package-line.ts"
import { ANY_UNIT, isUnit } from "../../domain/campaign/pricing-basis.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Preset } from "../../domain/presets/preset.ts"
import { areOurs, columnsProblem, figuresIn, guessColumns, namesLine } from "../../domain/upload/columns.ts"
import { choicesOf, headingsKey } from "../../domain/upload/recognize-file.ts"
import type { Upload, UploadChoices, UploadState } from "../../domain/upload/upload.ts"
import { EMPTY_SUMMARY, isUndecided, UNDECIDED } from "../../domain/upload/upload.ts"
import { type Context, type ReportContext, transact } from "../context.ts"
import { forget, moveFile } from "./file-state.ts"
import { datesOf, dayColumn, figuresProblem, nextStep } from "./next-step.ts"
import { fileStart } from "./read-rows.ts"

export type ColumnWishes = Pick<UploadChoices, "remember" | "figures" | "line"> &
  Readonly<{ columns: readonly string[] }>

/** Says what the columns of a file mean; or what is wrong, by the field of the form. Does nothing where the file has moved on meanwhile. */
export async function chooseColumns(
  context: ReportContext,
  upload: Upload,
  { columns, remember, figures, line: wanted }: ColumnWishes,
  author: Change,
): Promise<Readonly<Record<string, string>> | null> {
  const isNamed = namesLine(upload.kind, columns)
  const [own] = await context.store.packageLines.findSold(upload.organizationId, [wanted ?? ""])
  const line = isNamed ? null : (own?.packageId ?? null)
  const problem = columnsProblem(upload.kind, columns, line !== null)
  if (problem !== undefined) return { [isNamed ? "" : "line"]: problem }
  const start = await fileStart(context.store, upload.id, upload.choices)
  if (start === null || columns.length !== start.header.length) return null
  const isCounted = upload.kind !== "delivery" || columns.some(isUnit)
  if (!isCounted && figuresIn(upload.kind, start.header, columns).some((label) => label !== null))
    return { "": `Say which column has the figures: ${ANY_UNIT}.` }
  const isOurs = upload.choices.preset === null && areOurs(upload.kind, start.header, columns)
  // What was said, or seen, of the days of one column says nothing about another.
  const isSameDay = dayColumn(columns) === dayColumn(upload.choices.columns)
  const days = isSameDay ? upload.choices.dates : (upload.choices.preset?.dates ?? null)
  // Nor does what was said of one line about another.
  const said = { ...upload.choices, dates: days, nothingBefore: false, readAsAt: null }
  const chosen = { ...said, line, columns, remember, isOurs, figures: isOurs ? null : figures }
  const wrong = isUndecided(upload.kind, chosen) ? "Say what the figures are." : figuresProblem(chosen)
  if (wrong !== null) return { figures: wrong }
  const { dates } = await datesOf(context, { ...upload, choices: chosen })
  await readWith(context, upload, { ...chosen, dates }, UNDECIDED, author)
  return null
}

/** Says in which row the headings are, and looks at the columns below it. False when there are none. */
export async function chooseHeader(context: ReportContext, upload: Upload, headerRow: number, author: Change) {
  const { delimiter } = upload.choices.layout
  const start = await fileStart(context.store, upload.id, { layout: { delimiter, headerRow } })
  if (start === null || start.rows.length === 0) return false
  const { columns } = guessColumns(upload.kind, start.header)
  const choices = choicesOf(upload.kind, { delimiter, headerRow, header: start.header }, columns)
  const next = { state: "columns", choices, summary: EMPTY_SUMMARY } as const
  return transact(context, (tx) => moveFile(tx, upload.id, UNDECIDED, next, { ...author, action: null }))
}

/** Says how to read what can be read in two ways, or that sums count, for the whole file, and has it read again; or why it cannot be. */
export async function chooseReadings(
  context: ReportContext,
  upload: Upload,
  readings: Partial<Pick<UploadChoices, "numbers" | "dates" | "keepSums" | "figures" | "nothingBefore">>,
  author: Change,
): Promise<boolean | string> {
  const { dates } = readings
  const said = dates == null ? null : await datesOf(context, { ...upload, choices: { ...upload.choices, dates } })
  return said?.against ?? readWith(context, upload, readings, ["preview"], author)
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
  return readWith(context, upload, { matches }, ["preview"], author)
}

// More than anybody chooses by hand.
const MATCHES_MAX = 1_000

/** Takes back which line is meant by a name, in this file and in later ones. */
export async function undoMatch(context: Context, upload: Upload, text: string, author: Change): Promise<boolean> {
  const { [text]: _, ...matches } = upload.choices.matches
  await transact(context, (tx) => forget(tx, upload.organizationId, "line", text))
  return readWith(context, upload, { matches }, ["preview"], author)
}

/** Forgets how files with these headings are read, and has this one read as if nobody had said it. */
export async function forgetReading(
  context: ReportContext,
  upload: Upload,
  presets: readonly Preset[],
  author: Change,
) {
  const start = await fileStart(context.store, upload.id, upload.choices)
  if (start === null) return false
  await transact(context, (tx) => forget(tx, upload.organizationId, "reading", headingsKey(start.header)))
  const next = await nextStep(context, { ...upload, presets, sent: null })
  return transact(context, (tx) => moveFile(tx, upload.id, UNDECIDED, next, { ...author, action: null }))
}

function readWith(
  context: Context,
  upload: Upload,
  chosen: Partial<UploadChoices>,
  from: readonly UploadState[],
  author: Change,
): Promise<boolean> {
  const choices = { ...upload.choices, ...chosen, anyway: [] }
  const next = { state: "preview", choices, summary: EMPTY_SUMMARY } as const
  return transact(context, (tx) => moveFile(tx, upload.id, from, next, { ...author, action: null }))
}

/** Has a previewed file reported. Odd lines are left out, except those in `anyway`. False when it was decided about already. */
export function reportUpload(
  context: Context,
  upload: Upload,
  decision: Pick<UploadChoices, "anyway" | "seen">,
  author: Change,
): Promise<boolean> {
  const next = {
    state: "reporting",
    rowsDone: 0,
    choices: { ...upload.choices, ...decision },
    summary: EMPTY_SUMMARY,
    // If it was interrupted before, what was reported then belongs to it.
    receivedAt: upload.receivedAt ?? author.at,
  } as const
  return transact(context, (tx) => moveFile(tx, upload.id, ["preview"], next, { ...author, action: "report upload" }))
}

/** Discards a file. False when it is being reported, or was. */
export function discardUpload(context: Context, uploadId: number, author: Change): Promise<boolean> {
  const by = { ...author, action: "discard upload" }
  return transact(context, (tx) => moveFile(tx, uploadId, UNDECIDED, { state: "discarded" }, by))
}
