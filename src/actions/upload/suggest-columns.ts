import { readPackageId } from "../../domain/campaign/package-line.ts"
import { readNumber } from "../../domain/text/typed-number.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { type DayForm, dayReader } from "../../domain/time/typed-day.ts"
import {
  EXTERNAL_ID,
  figuresIn,
  isDays,
  LINE_NAME,
  lineMeanings,
  meaningOf,
  ourMeaning,
} from "../../domain/upload/columns.ts"
import { sumIn } from "../../domain/upload/judge-row.ts"
import type { FileReading } from "../../domain/upload/recognize-file.ts"
import { aboutReader, LINE_OR_CODE } from "../../domain/upload/row-reader.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import type { Context } from "../context.ts"
import { type FileToRead, type OpenFile, ownNames, type Table } from "./open-file.ts"

/** The columns of a new file, where their values are what the titles say: lines may be in another column, and days be none. */
export async function suggestColumns(
  store: StoreReads,
  { organizationId }: { readonly organizationId: number },
  { kind, choices }: FileReading,
  { rows: all }: Table,
): Promise<readonly string[]> {
  const cells = all.slice(0, ROWS_LOOKED_AT).map((row) => row.cells.map((text) => text.trim()))
  const { linesBy } = await linesOf(store, organizationId)
  const columns = await suggestLines(lineMeanings(kind), cells, choices.columns ?? [], linesBy)
  const isNoDay = (index: number) => !cells.some((row) => isDay(readDay(row[index] ?? "")))
  return columns.map((meaning, index) => (isDays(meaning) && isNoDay(index) ? "" : meaning))
}

// Enough to see what the columns of a file are.
const ROWS_LOOKED_AT = 200

const readDay = dayReader("UTC", null)
const isDay = (day: ReturnType<typeof readDay>) => day.ok || day.isAmbiguous

type LinesBy = Awaited<ReturnType<typeof linesOf>>["linesBy"]

/** Finds the lines that texts mean, each undefined where it means none. */
async function linesOf(store: StoreReads, organizationId: number) {
  const own = await ownNames(store, organizationId)
  const linesBy = (meaning: string, texts: readonly string[]) => {
    const idOf = meaning === LINE_NAME ? own.byName : meaning === EXTERNAL_ID ? own.byId : readPackageId
    return store.packageLines.findSold(
      organizationId,
      texts.map((text) => idOf(text) ?? ""),
    )
  }
  return { own, linesBy }
}

async function suggestLines(
  meanings: readonly string[],
  cells: readonly (readonly string[])[],
  columns: readonly string[],
  linesBy: LinesBy,
): Promise<readonly string[]> {
  const guessed = columns.findIndex((meaning) => meanings.includes(meaning))
  // What the heading says comes first; where its values are no lines of ours, those of another column may be.
  const others = columns.flatMap((meaning, index) => (meaning === "" ? [index] : []))
  for (const index of guessed < 0 ? others : [guessed, ...others]) {
    const values = [...new Set(cells.map((row) => row[index] ?? "").filter((text) => text !== ""))]
    for (const meaning of meanings) {
      const lines = await linesBy(meaning, values)
      if (lines.some((line) => line !== undefined))
        return columns.map((given, i) => (i === index ? meaning : i === guessed ? "" : given))
    }
  }
  return columns
}

const VALUES_SHOWN = 3
const VALUE_CHARACTERS_MAX = 30

export type CheckedColumn = Awaited<ReturnType<typeof checkColumns>>[number]

/** The columns of a file with their first values, and whether these fit what they mean. */
export async function checkColumns({ store }: Context, { upload, table, zone }: OpenFile) {
  const meanings = upload.choices.columns ?? []
  // Sums of other rows are left out later, so they say nothing about a column.
  const aboutOf = aboutReader(meanings)
  const rows = table.rows
    .slice(0, ROWS_LOOKED_AT)
    .filter(({ cells }) => sumIn(cells, aboutOf(cells)?.text ?? "") === null)
  const perhaps = figuresIn(upload.kind, table.header, meanings)
  const columns = table.header.map(async (name, index) => {
    const distinct = [...new Set(rows.map(({ cells }) => (cells[index] ?? "").trim()).filter(Boolean))]
    const values = distinct.slice(0, VALUES_SHOWN).map((text) => text.slice(0, VALUE_CHARACTERS_MAX))
    const meaning = meanings[index] ?? ""
    const hasOurName = meaning !== "" && ourMeaning(upload.kind, name) === meaning
    const check = await checkOf(store, upload, zone, meaning, distinct)
    return { index, name, values, meaning, hasOurName, check, perhaps: perhaps[index] ?? null }
  })
  return Promise.all(columns)
}

async function checkOf(
  store: StoreReads,
  upload: FileToRead,
  zone: TimeZone,
  meaning: string,
  values: readonly string[],
) {
  if (meaning === "" || values.length === 0) return null
  if (LINE_OR_CODE.includes(meaning)) return knownOf(store, upload, meaning, values)
  if (isDays(meaning)) {
    const read = values.map(dayReader(zone, upload.choices.dates))
    return readOf(values, read, "Day or month first?", daysText(zone, read))
  }
  const field = meaningOf(upload.kind, meaning)?.number
  if (field === undefined) return null
  const read = values.map((text) => readNumber(text, field))
  return readOf(values, read, "Thousands or decimals?", field.decimals === 0 ? "Whole numbers" : "Numbers")
}

type Read = Readonly<{ ok: boolean; isAmbiguous?: boolean }>

/** Whether values can be read, and in one way only; `text` says as what. */
function readOf(values: readonly string[], read: readonly Read[], question: string, text: string) {
  const bad = values.filter((_, i) => read[i]?.ok === false && read[i].isAmbiguous !== true)
  if (bad.length > 0)
    return { isGood: false, text: `${bad.length} of ${values.length} cannot be read, such as ${bad[0]}` }
  if (read.some(({ ok }) => !ok)) return { isGood: false, text: `${question} Asked in the preview` }
  return { isGood: true, text }
}

type Seller = Pick<FileToRead, "organizationId" | "kind">

async function knownOf(
  store: StoreReads,
  { organizationId, kind }: Seller,
  meaning: string,
  values: readonly string[],
) {
  const isCode = meaning === "code"
  if (isCode && kind === "affiliate_codes") return null
  const { own, linesBy } = await linesOf(store, organizationId)
  const codes = isCode ? (await store.affiliates.codesSold(organizationId, values)).items : null
  const count = (codes ?? (await linesBy(meaning, values))).filter((found) => found !== undefined).length
  const shared = values.find((text) => meaning === LINE_NAME && (own.meant(text, true).namesakes ?? 0) > 1)
  const why = shared === undefined ? "" : `. Several are called “${shared.slice(0, VALUE_CHARACTERS_MAX)}”`
  return {
    isGood: count === values.length,
    text: `${count} of ${values.length} ${isCode ? "codes" : "lines"} found${why}`,
  }
}

function daysText(zone: TimeZone, read: readonly ReturnType<ReturnType<typeof dayReader>>[]): string {
  const [form, ...others] = new Set(read.flatMap((day) => (day.ok ? [day.form] : [])))
  if (form === undefined || others.length > 0) return "Days"
  const city = zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone
  const forms: Readonly<Record<DayForm, string>> = {
    iso: `Year-month-day, end of day in ${city}`,
    timestamp: "Times with their zone",
    day_first: `Day.month.year, end of day in ${city}`,
    month_first: `Month/day/year, end of day in ${city}`,
    local_time: `Times in ${city}`,
  }
  return forms[form]
}
