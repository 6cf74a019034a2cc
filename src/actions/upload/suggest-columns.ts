import { readPackageId } from "../../domain/campaign/package-line.ts"
import { dayReader } from "../../domain/time/typed-day.ts"
import { EXTERNAL_ID, isDays, LINE_NAME, lineMeanings } from "../../domain/upload/columns.ts"
import type { FileReading } from "../../domain/upload/recognize-file.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { ownNames, type Table } from "./open-file.ts"

/** The columns of a new file, where their values are what the titles say: lines may be in another column, and days be none. */
export async function suggestColumns(
  store: StoreReads,
  { organizationId }: { readonly organizationId: number },
  { kind, choices }: FileReading,
  { rows: all }: Table,
): Promise<readonly string[]> {
  const cells = all.slice(0, ROWS_LOOKED_AT).map((row) => row.cells.map((text) => text.trim()))
  const linesBy = await lineFinder(store, organizationId)
  const columns = await suggestLines(lineMeanings(kind), cells, choices.columns ?? [], linesBy)
  const isNoDay = (index: number) => !cells.some((row) => isDay(readDay(row[index] ?? "")))
  return columns.map((meaning, index) => (isDays(meaning) && isNoDay(index) ? "" : meaning))
}

// Enough to see what the columns of a file are.
const ROWS_LOOKED_AT = 200

const readDay = dayReader("UTC", null)
const isDay = (day: ReturnType<typeof readDay>) => day.ok || day.isAmbiguous

type LineFinder = Awaited<ReturnType<typeof lineFinder>>

/** Finds the lines that texts mean, each undefined where it means none. */
async function lineFinder(store: StoreReads, organizationId: number) {
  const own = await ownNames(store, organizationId)
  return (meaning: string, texts: readonly string[]) => {
    const idOf = meaning === LINE_NAME ? own.byName : meaning === EXTERNAL_ID ? own.byId : readPackageId
    const ids = texts.map((text) => idOf(text) ?? "")
    return store.packageLines.findSold(organizationId, ids)
  }
}

async function suggestLines(
  meanings: readonly string[],
  cells: readonly (readonly string[])[],
  columns: readonly string[],
  linesBy: LineFinder,
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
