import { createHash } from "node:crypto"
import type { PacedLine } from "../campaign/line-state.ts"
import { arrivalOf } from "../delivery/current-total.ts"
import type { DeliveryEffect, DeliveryTotal } from "../delivery/delivery.ts"
import { type Neighbours, neighboursIn, questionsAbout, type TotalQuestion } from "../delivery/total-questions.ts"
import type { TimeZone } from "../time/time-zone.ts"
import type { PreviewedLine } from "./upload.ts"

export interface LineTotals {
  readonly line: PacedLine & {
    readonly lineId: number
    readonly packageId: string
    readonly name: string
    readonly externalId: string | null
  }
  readonly totals: DeliveryTotal[]
}

/** Whether any of them was measured before the current total: then the days of the line decide whether it fits. */
export const hasLate = ({ line: { total }, totals }: LineTotals): boolean =>
  total !== null && totals.some(({ asOf }) => asOf < total.asOf)

/** What the totals of a line would do, taken in the order of their dates. `history` are the last totals of its days. */
export function previewLine(
  { line, totals }: LineTotals,
  history: readonly DeliveryTotal[],
  zone: TimeZone,
): PreviewedLine {
  const { lineId, packageId, externalId, name, total: before } = line
  const inOrder = totals.toSorted((a, b) => a.asOf - b.asOf)
  const newest = inOrder.at(-1) ?? null
  const doubtful = firstQuestion(line, inOrder, history, zone)
  // Of all that arrive, the last of the newest is what counts in the end.
  const arrival = newest === null ? null : arrivalOf(before ?? undefined, newest)
  return {
    id: lineId,
    name,
    ref: externalId ?? packageId,
    rows: totals.length,
    before,
    total: arrival?.isCurrent ? newest : before,
    result: doubtful !== null ? "asked" : arrival === null ? "unchanged" : RESULTS[arrival.effect],
    question: doubtful?.question ?? null,
    asked: doubtful?.quantity ?? 0,
    text: "",
  }
}

const RESULTS = {
  applied: "update",
  unchanged: "unchanged",
  older_than_current: "older",
} as const satisfies Record<DeliveryEffect, PreviewedLine["result"]>

const NO_NEIGHBOURS: Neighbours = { earlier: undefined, later: undefined }

/** Whether a line was asked about because its total would go down, or because a late one is below an earlier one. */
export const goesDown = ({ kind }: TotalQuestion): boolean => kind === "lower" || kind === "below_earlier"

type Doubtful = Readonly<{ question: TotalQuestion; quantity: number }> | null

function firstQuestion(
  line: PacedLine,
  inOrder: readonly DeliveryTotal[],
  history: readonly DeliveryTotal[],
  zone: TimeZone,
): Doubtful {
  const stored = line.total
  const storedNeighbours = neighboursIn([...history, ...(stored === null ? [] : [stored])])
  let current = stored
  let previous: DeliveryTotal | undefined
  let first: Doubtful = null
  for (const [i, total] of inOrder.entries()) {
    const next = inOrder[i + 1]
    // Of several totals of one moment the last in the file counts.
    if (next?.asOf === total.asOf) continue
    const isLate = stored !== null && total.asOf < stored.asOf
    const neighbours = isLate ? around(storedNeighbours, total, previous, next) : NO_NEIGHBOURS
    const [question] = questionsAbout(total, { ...line, total: current }, neighbours, zone)
    // A total that goes down is asked about before anything else that is odd.
    if (question !== undefined && goesDown(question)) return { question, quantity: total.quantity }
    if (question !== undefined) first ??= { question, quantity: total.quantity }
    if (!isLate) current = total
    previous = total
  }
  return first
}

/** The totals next to a late one, in the history or in the file. The file's replaces one of the same moment. */
function around(
  neighbours: ReturnType<typeof neighboursIn>,
  { asOf }: DeliveryTotal,
  previous: DeliveryTotal | undefined,
  next: DeliveryTotal | undefined,
): Neighbours {
  const { earlier, later } = neighbours(asOf)
  return {
    earlier: previous !== undefined && previous.asOf >= (earlier?.asOf ?? previous.asOf) ? previous : earlier,
    later: next !== undefined && next.asOf <= (later?.asOf ?? next.asOf) ? next : later,
  }
}

/** Another one once a line has another total, before or after. */
export function digestOf(lines: readonly PreviewedLine[]): string {
  const hash = createHash("sha256")
  for (const { id, before, total, result } of lines) hash.update(JSON.stringify([id, before, total, result]))
  return hash.digest("base64url")
}
