import type { PacedLine } from "../campaign/pacing.ts"
import { type DeliveryTotal, effectOf } from "../delivery/delivery.ts"
import { type Neighbours, questionsAbout, type TotalQuestion } from "../delivery/total-questions.ts"
import { totalsInOrder } from "../delivery/totals-in-order.ts"
import type { TimeZone } from "../time/time-zone.ts"
import type { PreviewedLine } from "./upload.ts"

/** A line of a file, with its totals in the order of the file. */
export interface LineTotals {
  readonly line: PacedLine & {
    readonly lineId: number
    readonly packageId: string
    readonly name: string
    readonly externalId: string | null
  }
  readonly totals: DeliveryTotal[]
}

/** Whether some total was measured before the current one: then the history of the line decides whether it fits. */
export function hasLate({ line, totals }: LineTotals): boolean {
  const { total } = line
  return total !== null && totals.some(({ asOf }) => asOf < total.asOf)
}

/** What the totals of a line would do, taken in the order of their dates. `history` are earlier reports of the line. */
export function previewLine(
  { line, totals }: LineTotals,
  history: readonly DeliveryTotal[],
  zone: TimeZone,
): PreviewedLine {
  const { lineId, packageId, externalId, name, total: before } = line
  const inOrder = lastOfEachMoment(totals)
  const newest = inOrder.at(-1) ?? null
  const doubtful = firstQuestion(line, inOrder, history, zone)
  const effect = newest === null ? "unchanged" : effectOf(before ?? undefined, newest)
  const result = effect === "applied" ? "update" : effect === "unchanged" ? "unchanged" : "older"
  return {
    id: lineId,
    packageId,
    name,
    ref: externalId ?? packageId,
    rows: totals.length,
    before,
    total: newest,
    result: doubtful === null ? result : "asked",
    question: doubtful?.question ?? null,
    asked: doubtful?.quantity ?? 0,
    text: "",
  }
}

/** Of several totals of one moment the last in the file counts. */
function lastOfEachMoment(totals: readonly DeliveryTotal[]): DeliveryTotal[] {
  const byMoment = new Map(totals.map((total) => [total.asOf, total]))
  return [...byMoment.values()].sort((one, other) => one.asOf - other.asOf)
}

interface Doubtful {
  readonly question: TotalQuestion
  readonly quantity: number
}

const NO_NEIGHBOURS: Neighbours = { earlier: undefined, later: undefined }

function firstQuestion(
  line: PacedLine,
  inOrder: readonly DeliveryTotal[],
  history: readonly DeliveryTotal[],
  zone: TimeZone,
): Doubtful | null {
  const stored = line.total
  const everything = history.length === 0 ? null : totalsInOrder([...history, ...(stored ? [stored] : []), ...inOrder])
  let current = stored
  for (const total of inOrder) {
    const isLate = stored !== null && total.asOf < stored.asOf
    const neighbours = isLate ? (everything?.around(total.asOf) ?? NO_NEIGHBOURS) : NO_NEIGHBOURS
    const [question] = questionsAbout(total, { ...line, total: current }, neighbours, zone)
    if (question !== undefined) return { question, quantity: total.quantity }
    if (!isLate) current = total
  }
  return null
}
