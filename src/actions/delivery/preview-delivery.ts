import {
  type DeliveryEffect,
  type DeliveryItem,
  type DeliveryReason,
  type DeliveryTotal,
  effectOf,
  judge,
  measuredAt,
  type Receipt,
  readItem,
} from "../../domain/delivery/delivery.ts"
import {
  type AskedTotal,
  type Neighbours,
  questionsAbout,
  type TotalQuestion,
} from "../../domain/delivery/total-questions.ts"
import { type TotalsInOrder, totalsInOrder } from "../../domain/delivery/totals-in-order.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import type { PreviewedTotal, SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"
import type { Reporter } from "./report-delivery.ts"

/** The effect a report would have after those before it, and what to ask the person first. */
export type PreviewedReport =
  | { readonly taken: false; readonly reason: DeliveryReason; readonly line: SoldLineWithTotal | undefined }
  | {
      readonly taken: true
      readonly item: DeliveryItem
      readonly line: SoldLineWithTotal
      readonly total: PreviewedTotal
      readonly effect: DeliveryEffect
      readonly questions: readonly TotalQuestion[]
    }

/** A reporter with the time zone of the seller. */
export interface ZonedReporter extends Reporter {
  readonly timeZone: TimeZone
}

export type TakenReport = PreviewedReport & { readonly taken: true }

export function askedOf({ line, total, questions }: TakenReport): AskedTotal {
  return { lineId: line.lineId, current: line.total, quantity: total.quantity, questions }
}

// A slice takes a millisecond or two. Other requests are served between slices.
const REPORTS_PER_SLICE = 50
// How much history a late total is compared with.
const HISTORY_READ_MAX = 500

/** A line after the previous reports of the file. */
interface LineState {
  readonly line: SoldLineWithTotal
  current: DeliveryTotal | null
  /** Totals of this file in order, until the history is read. */
  readonly reported: DeliveryTotal[]
  history: TotalsInOrder | undefined
}

/**
 * Checks reports by the rules of the API, each as if those before it had been stored, and writes nothing. A line may occur any number
 * of times. `pause` yields to other requests.
 */
export async function previewDelivery(
  store: StoreReads,
  sellerId: number,
  receipt: Receipt,
  elements: readonly unknown[],
  pause: () => Promise<void>,
): Promise<PreviewedReport[]> {
  const states = new Map<string, LineState | undefined>()
  const previews: PreviewedReport[] = []
  for (let from = 0; from < elements.length; from += REPORTS_PER_SLICE) {
    if (from > 0) await pause()
    const items = elements.slice(from, from + REPORTS_PER_SLICE).map(readItem)
    await findLines(store, sellerId, items, states)
    for (const item of items) {
      const state = item === undefined ? undefined : states.get(item.packageId)
      const report = judged(item, state, receipt)
      const questions = state !== undefined && report.taken ? await ask(store, state, report.total, receipt, pause) : []
      previews.push(report.taken ? { ...report, questions } : report)
      if (state !== undefined && report.taken) advance(state, report.total)
    }
  }
  return previews
}

async function findLines(
  { packageLines }: StoreReads,
  sellerId: number,
  items: readonly (DeliveryItem | undefined)[],
  states: Map<string, LineState | undefined>,
): Promise<void> {
  const ids = new Set(
    items.flatMap((item) => (item === undefined || states.has(item.packageId) ? [] : [item.packageId])),
  )
  const lines = await packageLines.findSold(sellerId, [...ids])
  for (const [i, id] of [...ids].entries()) {
    const line = lines[i]
    states.set(id, line && { line, current: line.total, reported: [], history: undefined })
  }
}

function judged(item: DeliveryItem | undefined, state: LineState | undefined, receipt: Receipt): PreviewedReport {
  if (item === undefined) return { taken: false, reason: "invalid_item", line: undefined }
  const reason = judge(item, state?.line, receipt)
  if (reason !== undefined || state === undefined) {
    return { taken: false, reason: reason ?? "not_seller", line: state?.line }
  }
  const { line, current } = state
  const total = { lineId: line.lineId, quantity: item.quantity, asOf: measuredAt(item, receipt), before: current }
  return { taken: true, item, line, total, effect: effectOf(current ?? undefined, total), questions: [] }
}

async function ask(
  store: StoreReads,
  state: LineState,
  total: DeliveryTotal,
  { zone }: Receipt,
  pause: () => Promise<void>,
): Promise<TotalQuestion[]> {
  const { line, current } = state
  const isLate = current !== null && total.asOf < current.asOf
  const neighbours = isLate ? await around(store, state, total, pause) : NO_NEIGHBOURS
  return questionsAbout(total, { ...line, total: current }, neighbours, zone)
}

const NO_NEIGHBOURS: Neighbours = { earlier: undefined, later: undefined }

/** Reads the history of a line only at its first late total, because most files have none. */
async function around(
  { deliveryHistory }: StoreReads,
  state: LineState,
  { asOf }: DeliveryTotal,
  pause: () => Promise<void>,
): Promise<Neighbours> {
  if (state.history === undefined) {
    const { lineId, total } = state.line
    await pause()
    const points = (await deliveryHistory.points([lineId], HISTORY_READ_MAX)).get(lineId) ?? []
    // The current total comes last, because the history may have it as an earlier arrival.
    const arrived = [...points.toReversed(), ...(total === null ? [] : [total]), ...state.reported]
    state.history = totalsInOrder(arrived)
  }
  return state.history.around(asOf)
}

function advance(state: LineState, total: DeliveryTotal): void {
  if (state.current === null || total.asOf >= state.current.asOf) state.current = total
  if (state.history === undefined) state.reported.push(total)
  else state.history.add(total)
}
