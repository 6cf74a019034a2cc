import type { Context } from "../../../actions/context.ts"
import { type RefusalCount, type RefusingDoor, totalsByReason } from "../../../domain/operations/refusal.ts"
import { MICROS_PER_DAY } from "../../../domain/time/moment.ts"
import { formatNumber } from "../parts/format.tsx"

const DOORS: readonly (readonly [RefusingDoor, string])[] = [
  ["agent", "sales agent"],
  ["ingest", "ingest API"],
]

export function recentRefusals({ store, clock }: Pick<Context, "store" | "clock">): Promise<RefusalCount[]> {
  return store.refusals.since(clock() - MICROS_PER_DAY)
}

/** Requests refused in the last 24 hours, in a sentence for each API. */
export function RecentRefusals({ counts }: { readonly counts: readonly RefusalCount[] }) {
  return (
    <>
      {DOORS.map(([door, name]) => {
        const totals = totalsByReason(counts.filter((count) => count.door === door))
        if (totals.length === 0) return null
        const reasons = totals.map(({ reason, requests }) => `${formatNumber(requests)} ${reason}`).join(", ")
        return (
          <p class="soft" key={door}>
            Refused by the {name} in the last 24 hours: {reasons}. Refused requests are counted, not stored.
          </p>
        )
      })}
    </>
  )
}
