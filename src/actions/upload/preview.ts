import { inNaturalOrder } from "../../domain/lists/list-query.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { digestOf, hasLate, type LineTotals, previewLine } from "../../domain/upload/preview-lines.ts"
import { problemsIn } from "../../domain/upload/problem-list.ts"
import { countsOf, EMPTY_SUMMARY, type PreviewedLine } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import { closingsOf } from "./add-up-rows.ts"
import { checkFile, isIgnored } from "./check-file.ts"
import type { CheckedRow, UploadedFile } from "./checked-row.ts"

export type Preview = Awaited<ReturnType<typeof previewOf>>

/**
 * Works out what a file would do, and writes nothing: the file with what was found in it, what would be stored, and its lines, those that
 * somebody has to decide about first, then by name.
 */
export async function previewOf(context: ReportContext, file: UploadedFile) {
  const { upload, table, zone } = file
  const { accepted, refused, chosen } = await checkFile(context, file)
  const problems = problemsIn(refused, (refusal) => isIgnored(upload, refusal))
  const isDelivery = upload.kind === "delivery"
  const lines = isDelivery ? await deliveryLines(context.store, accepted, zone) : await affiliateCodes(accepted)
  const notice = warningText(accepted.flatMap(({ warning }) => warning ?? []))
  const summary = { ...EMPTY_SUMMARY, notice, ...problems, ...countsOf(lines) }
  return {
    upload: { ...upload, rows: table.rows.length, summary },
    accepted,
    refused,
    lines,
    chosen,
    digest: digestOf(lines),
  }
}

function warningText([first = "", ...others]: readonly string[]): string {
  if (others.length === 0) return first
  const days = others.length === 1 ? "another day" : `${others.length.toLocaleString("en")} other days`
  return `${first} It is so on ${days}, too.`
}

async function deliveryLines(store: StoreReads, accepted: readonly CheckedRow[], zone: TimeZone) {
  const byLine = new Map<number, LineTotals>()
  for (const { line, total } of accepted) {
    await nextTurn()
    if (line === undefined || total === null) continue
    const totals = byLine.get(line.lineId)
    if (totals === undefined) byLine.set(line.lineId, { line, totals: [total] })
    else totals.totals.push(total)
  }
  const previews: PreviewedLine[] = []
  for (const line of byLine.values()) {
    const days = hasLate(line) ? await closingsOf(store, line.line) : []
    previews.push(previewLine(line, days, zone))
    await nextTurn()
  }
  return inOrder(previews)
}

function inOrder(lines: readonly PreviewedLine[]): PreviewedLine[] {
  const named = lines.map((line) => ({ line, name: line.name, lineId: line.id }))
  const sorted = inNaturalOrder(named, ({ line }) => (line.result === "asked" ? 0 : 1))
  return sorted.map(({ line }) => line)
}

async function affiliateCodes(accepted: readonly CheckedRow[]): Promise<PreviewedLine[]> {
  const byCode = new Map<string, { id: number; rows: number; text: string }>()
  for (const {
    rows: [id = 0],
    element,
    line,
  } of accepted) {
    await nextTurn()
    const code = String(element["code"] ?? "")
    const text = typeof element["date"] === "string" ? `up to ${element["date"]}` : (line?.name ?? "")
    const found = byCode.getOrInsertComputed(code, () => ({ id, rows: 0, text }))
    found.rows++
    if (text > found.text) found.text = text
  }
  return inOrder([...byCode].map(([name, found]) => ({ ...CODE, name, ...found })))
}

const CODE = { ref: "", before: null, total: null, result: "update", question: null, asked: 0 } as const
