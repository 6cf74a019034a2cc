import { readPackageId } from "../../domain/campaign/package-line.ts"
import { readNumber } from "../../domain/text/typed-number.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { type DayForm, dayReader } from "../../domain/time/typed-day.ts"
import type { UploadKind } from "../../domain/upload/columns.ts"
import { columnsProblem, EXTERNAL_ID, LINE_NAME, ourMeaning, UPLOAD_FORMATS } from "../../domain/upload/columns.ts"
import { sumIn } from "../../domain/upload/judge-row.ts"
import type { FileReading } from "../../domain/upload/recognize-file.ts"
import { aboutOf, LINE_OR_CODE } from "../../domain/upload/row-reader.ts"
import { suggestDays, suggestTotals } from "../../domain/upload/suggest-columns.ts"
import type { Upload, UploadChoices } from "../../domain/upload/upload.ts"
import type { Context, ReportContext } from "../context.ts"
import { type OwnNames, ownNames } from "./prepare-rows.ts"
import { fileStart } from "./read-rows.ts"
import { surveyFile } from "./survey.ts"

type Store = Context["store"]

type Sender = Readonly<{ organizationId: number; kind: UploadKind }>

/** The columns of a new file, with those found by their values whose titles do not tell: lines, days and totals. */
export async function suggestColumns(
  { store }: Context,
  sender: Sender & { readonly id: number },
  { choices }: FileReading,
): Promise<readonly string[]> {
  const { header = [], rows = [] } = (await fileStart(store, sender.id, choices)) ?? {}
  const cells = rows.map((row) => row.cells.map((text) => text.trim()))
  const own = await ownNames(store, sender.organizationId)
  const columns = await suggestLines(store, sender, cells, choices.columns ?? [], own)
  const index = columns.findIndex((meaning) => lineMeanings(sender.kind).includes(meaning))
  if (sender.kind !== "delivery" || index < 0) return suggestDays(sender.kind, header, columns, cells, [])
  const names = cells.map((row) => row[index] ?? "")
  const lines = await linesBy(store, sender.organizationId, columns[index] ?? "", names, own)
  return suggestTotals(suggestDays(sender.kind, header, columns, cells, lines), cells, lines)
}

const lineMeanings = (kind: UploadKind) =>
  UPLOAD_FORMATS[kind].needed.find((choice) => choice.includes(LINE_NAME)) ?? []

async function suggestLines(
  store: Store,
  { organizationId, kind }: Sender,
  cells: readonly (readonly string[])[],
  columns: readonly string[],
  own: OwnNames,
): Promise<readonly string[]> {
  const meanings = lineMeanings(kind)
  const guessed = columns.findIndex((meaning) => meanings.includes(meaning))
  // What the heading says comes first; where its values are no lines of ours, those of another column may be.
  const others = columns.flatMap((meaning, index) => (meaning === "" ? [index] : []))
  for (const index of guessed < 0 ? others : [guessed, ...others]) {
    const values = [...new Set(cells.map((row) => row[index] ?? "").filter((text) => text !== ""))]
    for (const meaning of meanings) {
      const lines = await linesBy(store, organizationId, meaning, values, own)
      if (lines.some((line) => line !== undefined))
        return columns.map((given, i) => (i === index ? meaning : i === guessed ? "" : given))
    }
  }
  return columns
}

/** The lines that these texts mean, each undefined where it means none. */
async function linesBy(store: Store, organizationId: number, meaning: string, texts: readonly string[], own: OwnNames) {
  const idOf = meaning === LINE_NAME ? own.byName : meaning === EXTERNAL_ID ? own.byId : readPackageId
  const ids = texts.map((text) => idOf(text) ?? "")
  return store.packageLines.findSold(organizationId, ids)
}

/** A column of a file, with its first values and whether they fit its meaning. */
export interface CheckedColumn {
  readonly index: number
  readonly name: string
  readonly values: readonly string[]
  readonly meaning: string
  /** Whether the column has the name of its meaning. */
  readonly isOurs: boolean
  readonly check: { readonly isGood: boolean; readonly text: string } | null
}

const VALUES_SHOWN = 3
const VALUE_CHARACTERS_MAX = 30

/** The columns of a file by what they mean, and what stands above them. */
export async function checkColumns(context: Context, upload: Upload, zone: TimeZone, meanings: readonly string[]) {
  const start = await fileStart(context.store, upload.id, upload.choices)
  // Sums of other rows are left out later, so they say nothing about a column.
  const rows = (start?.rows ?? []).filter(({ cells }) => sumIn(cells, aboutOf(meanings, cells)?.text ?? "") === null)
  const columns = (start?.header ?? []).map(async (name, index): Promise<CheckedColumn> => {
    const cells = rows.map(({ cells }) => (cells[index] ?? "").trim()).filter((text) => text !== "")
    const distinct = [...new Set(cells)]
    const values = distinct.slice(0, VALUES_SHOWN).map((text) => text.slice(0, VALUE_CHARACTERS_MAX))
    const meaning = meanings[index] ?? ""
    const isOurs = meaning !== "" && ourMeaning(upload.kind, name) === meaning
    return { index, name, values, meaning, isOurs, check: await checkOf(context, upload, zone, meaning, distinct) }
  })
  return { columns: await Promise.all(columns), above: start?.above ?? [] }
}

/** What a line of the file would become by either reading of its figures; null where these columns cannot be read. */
export async function figuresExample(
  context: ReportContext,
  { choices, ...upload }: Upload,
  chosen: Pick<UploadChoices, "columns" | "line">,
) {
  if (columnsProblem(upload.kind, chosen.columns ?? [], chosen.line !== null) !== undefined) return null
  return (await surveyFile(context, { ...upload, choices: { ...choices, ...chosen } })).example
}

async function checkOf(context: Context, upload: Upload, zone: TimeZone, meaning: string, values: readonly string[]) {
  if (meaning === "" || values.length === 0) return null
  if (LINE_OR_CODE.includes(meaning)) return knownOf(context, upload, meaning, values)
  if (meaning === "as_of" || meaning === "date") return daysOf(zone, upload.choices.dates, values)
  const field = UPLOAD_FORMATS[upload.kind].csv.numbers[meaning]
  if (field === undefined) return null
  const read = values.map((text) => readNumber(text, field))
  const bad = values.filter((_, i) => read[i]?.ok === false && !isAmbiguous(read[i]))
  if (bad.length > 0)
    return { isGood: false, text: `${bad.length} of ${values.length} cannot be read, such as ${bad[0]}` }
  if (read.some(isAmbiguous)) return { isGood: false, text: "Thousands or decimals? Asked in the preview" }
  return { isGood: true, text: field.decimals === 0 ? "Whole numbers" : "Numbers" }
}

async function knownOf(
  { store }: Context,
  { organizationId, kind }: Upload,
  meaning: string,
  values: readonly string[],
) {
  if (meaning === "code" && kind === "affiliate_codes") return null
  const own = await ownNames(store, organizationId)
  const matches = await (meaning === "code"
    ? store.affiliates.codesSold(organizationId, values).then(({ items }) => items)
    : linesBy(store, organizationId, meaning, values, own))
  const count = matches.filter((line) => line !== undefined).length
  const shared = values.find((text) => meaning === LINE_NAME && (own.meant(text, true).namesakes ?? 0) > 1)
  const why = shared === undefined ? "" : `. Several are called “${shared.slice(0, VALUE_CHARACTERS_MAX)}”`
  return {
    isGood: count === values.length,
    text: `${count} of ${values.length} ${meaning === "code" ? "codes" : "lines"} found${why}`,
  }
}

const FORMS: Readonly<Record<DayForm, string>> = {
  iso: "Year-month-day",
  timestamp: "Times with their zone",
  day_first: "Day.month.year",
  month_first: "Month/day/year",
  local_time: "Times",
}

function daysOf(zone: TimeZone, order: UploadChoices["dates"], values: readonly string[]) {
  const read = values.map(dayReader(zone, order))
  const bad = values.filter((_, i) => read[i]?.ok === false && !isAmbiguous(read[i]))
  if (bad.length > 0)
    return { isGood: false, text: `${bad.length} of ${values.length} cannot be read, such as ${bad[0]}` }
  const forms = new Set(read.flatMap((day) => (day.ok ? [day.form] : [])))
  const [form] = forms
  if (form === undefined || forms.size > 1 || read.some((day) => !day.ok)) {
    return read.every((day) => day.ok)
      ? { isGood: true, text: "Days" }
      : { isGood: false, text: "Day or month first? Asked in the preview" }
  }
  const city = zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone
  if (form === "timestamp") return { isGood: true, text: FORMS[form] }
  return { isGood: true, text: form === "local_time" ? `Times in ${city}` : `${FORMS[form]}, end of day in ${city}` }
}

const isAmbiguous = (read: object | undefined) =>
  read !== undefined && "isAmbiguous" in read && read.isAmbiguous === true
