import { inParts } from "../../domain/event-loop.ts"
import { compareNames } from "../../domain/lists/list-query.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { earliestLate, goesDown, type LineTotals, previewLine } from "../../domain/upload/preview-lines.ts"
import { problemList } from "../../domain/upload/problem-list.ts"
import { inSteps, sortInSteps } from "../../domain/upload/sort-in-steps.ts"
import {
  EMPTY_SUMMARY,
  type LinesAndRows,
  PREVIEW_PAGE_LINES,
  type PreviewedLine,
  unreadable,
} from "../../domain/upload/upload.ts"
import { type ReportContext, transactBeside } from "../context.ts"
import { historySince } from "../delivery/history-since.ts"
import { checkedRows, isIgnored } from "./check-file.ts"
import type { CheckedRow } from "./check-rows.ts"
import { savePart, type UploadJob } from "./file-state.ts"
import { zoneOf } from "./read-rows.ts"

// More codes than this are counted, but not listed.
const CODES_LISTED_MAX = 10_000

/** Reads a whole file and writes down what it would do. Starts from the beginning after a restart, because it changes nothing. */
export async function readUpload(context: ReportContext, job: UploadJob): Promise<void> {
  const { upload, pause } = job
  const now = context.clock()
  const zone = await zoneOf(context.store, upload.organizationId)
  const problems = problemList()
  const warnings = { first: "", count: 0 }
  const lines = upload.kind === "delivery" ? deliveryLines(context, zone) : affiliateCodes()
  const problemsSoFar = () => ({
    problems: problems.list(),
    problemKinds: problems.kinds,
    refused: problems.count - ignored,
    ignored,
  })
  let [rowsDone, ignored] = [0, 0]
  for await (const { rows, read } of checkedRows(context, upload, { zone, now, pause })) {
    rowsDone += read
    for (const row of rows) {
      if (row.refusal === null) lines.add(row)
      else {
        problems.add(row.number, row.refusal)
        if (isIgnored(upload, row.refusal)) ignored++
      }
      if (row.warning !== undefined && warnings.count++ === 0) warnings.first = row.warning
    }
    await job.noteProgress(rowsDone, () => ({ summary: { ...EMPTY_SUMMARY, ...problemsSoFar() } }))
  }
  if (rowsDone === 0) return job.save(unreadable("There are no rows below the header."))
  const previews = await lines.previews(pause)
  await savePages(context, job, previews)
  const notice = [upload.summary.notice, warningText(warnings)].filter(Boolean).join(" ")
  const summary = { ...EMPTY_SUMMARY, readAt: now, notice, ...problemsSoFar(), ...counts(previews) }
  const read = { rows: rowsDone, rowsDone, summary, receivedAt: now }
  const { sent } = upload.choices
  if (sent === null) return job.save({ ...read, state: "preview" })
  // Nobody is asked about a file that a program sent.
  const isLeftOut = ({ question }: PreviewedLine) => !sent.allowLower && question !== null && goesDown(question)
  const reported = previews.filter((line) => !isLeftOut(line))
  if (sent.dryRun) {
    const checked = {
      ...summary,
      notice: DRY_RUN,
      leftOut: rowsOf(previews) - rowsOf(reported),
      wouldReport: rowsOf(reported),
    }
    return job.save({ ...read, state: "done", summary: checked })
  }
  const anyway = reported.map(({ id }) => id)
  await job.save({ ...read, rowsDone: 0, state: "reporting", choices: { ...upload.choices, anyway } })
}

const DRY_RUN = "This file was only checked. None of it was stored."

const rowsOf = (lines: readonly PreviewedLine[]) => lines.reduce((sum, { rows }) => sum + rows, 0)

function warningText({ first, count }: { readonly first: string; readonly count: number }): string {
  return count > 1 ? `${first} There are ${count - 1} more such days.` : first
}

async function savePages(context: ReportContext, job: UploadJob, lines: readonly PreviewedLine[]): Promise<void> {
  for (const [page, some] of [...inParts(lines, PREVIEW_PAGE_LINES)].entries()) {
    const content = JSON.stringify(some)
    const at = context.clock()
    await transactBeside(context, (tx) => savePart(tx, job.upload.id, "preview", page, content, at))
    await job.noteProgress(job.upload.rows, () => ({}))
    await job.pause()
  }
}

/** What the accepted rows of a file add up to. */
interface FoundLines {
  add(row: CheckedRow): void
  /** Those that somebody has to decide about come first, then by name. */
  previews(pause: () => Promise<void>): Promise<PreviewedLine[]>
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
    async previews(pause) {
      const previews: PreviewedLine[] = []
      for (const line of byLine.values()) {
        const { lineId } = line.line
        const late = earliestLate(line)
        const history = late === null ? [] : await historySince(store, lineId, late)
        previews.push(await inSteps(previewLine(line, history, zone), pause))
        await pause()
      }
      const rank = ({ result }: PreviewedLine) => (result === "asked" ? 0 : 1)
      const inOrder = sortInSteps(previews, (a, b) => rank(a) - rank(b) || byName(a, b))
      return inSteps(inOrder, pause)
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
    async previews(pause) {
      const codes = [...byCode].map(([name, { id, rows, text }]) => ({ ...CODE, id, name, rows, text }))
      const listed = await inSteps(sortInSteps<PreviewedLine>(codes, byName), pause)
      return unlisted === 0 ? listed : [...listed, { ...CODE, id: 0, name: "More codes", rows: unlisted, text: "" }]
    },
  }
}

const CODE = { packageId: "", ref: "", before: null, total: null, result: "update", question: null, asked: 0 } as const

function counts(lines: readonly PreviewedLine[]) {
  const of = (...results: PreviewedLine["result"][]): LinesAndRows => {
    const these = lines.filter(({ result }) => results.includes(result))
    return { lines: these.length, rows: rowsOf(these) }
  }
  return { update: of("update"), asked: of("asked"), unchanged: of("unchanged", "older") }
}
