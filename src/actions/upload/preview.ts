import { nextTurn } from "../../domain/event-loop.ts"
import { compareNames, sortInTurns } from "../../domain/lists/list-query.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { digestOf, earliestLate, type LineTotals, previewLine } from "../../domain/upload/preview-lines.ts"
import { problemList } from "../../domain/upload/problem-list.ts"
import { countsOf, EMPTY_SUMMARY, type PreviewedLine, type Upload } from "../../domain/upload/upload.ts"
import type { ReportContext } from "../context.ts"
import { historySince } from "../delivery/history-since.ts"
import { checkedRows, isIgnored } from "./check-file.ts"
import type { CheckedRow } from "./check-rows.ts"
import { zoneOf } from "./read-rows.ts"

// More codes than this are counted, but not listed.
const CODES_LISTED_MAX = 10_000

export interface Preview {
  /** The file with what was found in it. */
  readonly upload: Upload
  /** Those that somebody has to decide about come first, then by name. */
  readonly lines: readonly PreviewedLine[]
  readonly digest: string
}

/** Told how many rows were read or reported so far. Throws where the work shall end. */
export type Progress = (rowsDone: number) => Promise<void>

/** Works out what a file would do, in turns. Writes nothing. Throws for a file that is not CSV. */
export async function workOut(context: ReportContext, upload: Upload, progress: Progress): Promise<Preview> {
  const zone = await zoneOf(context.store, upload.organizationId)
  const problems = problemList()
  const warnings = { first: "", count: 0 }
  const found = upload.kind === "delivery" ? deliveryLines(context, zone) : affiliateCodes()
  let [rows, ignored] = [0, 0]
  for await (const group of checkedRows(context, upload, zone)) {
    rows += group.read
    for (const row of group.rows) {
      if (row.refusal === null) found.add(row)
      else {
        problems.add(row.number, row.refusal)
        if (isIgnored(upload, row.refusal)) ignored++
      }
      if (row.warning !== undefined && warnings.count++ === 0) warnings.first = row.warning
    }
    await progress(rows)
  }
  const lines = await found.previews()
  const notice = [upload.summary.notice, warningText(warnings)].filter(Boolean).join(" ")
  const refused = problems.count - ignored
  const listed = { problems: problems.list(), problemKinds: problems.kinds, refused, ignored }
  const summary = { ...EMPTY_SUMMARY, notice, ...listed, ...countsOf(lines) }
  return { upload: { ...upload, rows, summary }, lines, digest: await digestOf(lines) }
}

function warningText({ first, count }: { readonly first: string; readonly count: number }): string {
  if (count <= 1) return first
  return count === 2
    ? `${first} It is so on another day, too.`
    : `${first} It is so on ${(count - 1).toLocaleString("en")} other days, too.`
}

/** What the accepted rows of a file add up to. */
interface FoundLines {
  add(row: CheckedRow): void
  previews(): Promise<PreviewedLine[]>
}

function deliveryLines({ store }: ReportContext, zone: TimeZone): FoundLines {
  const byLine = new Map<number, LineTotals>()
  return {
    add({ line, total }) {
      if (line === undefined || total === null) return
      const totals = byLine.get(line.lineId)
      if (totals === undefined) byLine.set(line.lineId, { line, totals: [total] })
      else totals.totals.push(total)
    },
    async previews() {
      const previews: PreviewedLine[] = []
      for (const line of byLine.values()) {
        const late = earliestLate(line)
        const history = late === null ? [] : await historySince(store, line.line.lineId, late)
        previews.push(await previewLine(line, history, zone))
        await nextTurn()
      }
      const rank = ({ result }: PreviewedLine) => (result === "asked" ? 0 : 1)
      return sortInTurns(previews, (a, b) => rank(a) - rank(b) || byName(a, b))
    },
  }
}

const byName = (a: PreviewedLine, b: PreviewedLine) => compareNames(a.name, b.name)

function affiliateCodes(): FoundLines {
  const byCode = new Map<string, { id: number; rows: number; text: string }>()
  let unlisted = 0
  return {
    add({ number, element, line }) {
      const code = String(element["code"] ?? "")
      const existing = byCode.get(code)
      const day = typeof element["date"] === "string" ? `up to ${element["date"]}` : (line?.name ?? "")
      if (existing !== undefined) {
        existing.rows++
        if (day > existing.text) existing.text = day
      } else if (byCode.size < CODES_LISTED_MAX) byCode.set(code, { id: number, rows: 1, text: day })
      else unlisted++
    },
    async previews() {
      const codes = [...byCode].map(([name, { id, rows, text }]) => ({ ...CODE, id, name, rows, text }))
      const listed = await sortInTurns<PreviewedLine>(codes, byName)
      return unlisted === 0 ? listed : [...listed, { ...CODE, id: 0, name: "More codes", rows: unlisted, text: "" }]
    },
  }
}

const CODE = { packageId: "", ref: "", before: null, total: null, result: "update", question: null, asked: 0 } as const
