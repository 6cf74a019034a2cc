import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { judge, measuredAt, receiptAt } from "../../../src/domain/delivery/delivery.ts"
import type { LineFields } from "../../../src/storage/port/store.ts"
import {
  expected,
  type ModelLine,
  type ModelReport,
  nameOf,
  permutations,
  withdrawn,
} from "../../doors/ingest/model.ts"
import type { Contract } from "./engine.ts"
import { givenLineIn, givenMarket, keep, need, newLine, SOURCE } from "./given.ts"
import type { Store } from "./whole-store.ts"

// Whatever is done to two stores at once, some order of it, done to one plain model, explains every answer and all that is kept.

const MINUTE = 60_000_000
const STARTS = ["2026-11-13", "2026-11-15", "2026-11-16"] as const
const BASES = ["impressions", "downloads"] as const
const LINE_COUNT = 2

const line = fc.nat(LINE_COUNT - 1)
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ line, quantity: fc.nat(3), minutes: fc.integer({ min: -4_000, max: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ line, start: fc.constantFrom(...STARTS), basis: fc.constantFrom(...BASES) }) },
  // Which of the reports that are there at that time.
  { weight: 3, arbitrary: fc.record({ line, report: fc.nat(9) }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never
// Operations of a group are done at the same time; then the clock moves on.
const group = fc.record({
  done: fc.array(fc.tuple(fc.nat(1), operation), { minLength: 1, maxLength: 4 }),
  waitMinutes: fc.constantFrom(0, 1, 45, 700),
})

interface Line {
  readonly packageId: string
  readonly lineId: number
}

export const historiesContract: Contract = (engine) => {
  describe("random histories on two stores", () => {
    test("of deliveries, withdrawals and edited terms are those of the model", async () => {
      await using at = await givenMarket(engine)
      await fc.assert(
        fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 6 }), async (groups) => {
          at.clock.set("2026-11-15T12:00:00Z")
          const lines: Line[] = []
          while (lines.length < LINE_COUNT)
            lines.push(await givenLineIn(at, at.line.campaign, at.acme, { flightStart: STARTS[0] }))
          const untouched: ModelLine = {
            zone: "UTC",
            basis: "impressions",
            flightStart: STARTS[0],
            current: null,
            history: new Set(),
            withdrawn: [],
          }
          let possible = [lines.map(() => untouched)]
          for (const { done, waitMinutes } of groups) {
            const now = at.clock()
            const said = await Promise.all(
              done.map(([where, one]) => perform(need(at.stores[where]), at.acme.id, need(lines[one.line]), one, now)),
            )
            possible = explain(
              possible,
              done.map(([, one], i) => [one, need(said[i])]),
              now,
            )
            at.clock.advance({ minutes: waitMinutes })
          }
          for (const store of at.stores) {
            const kept = await Promise.all(lines.map((line) => keptOf(store, at.acme.id, line)))
            expect(possible.map(textOf)).toContain(textOf(kept))
          }
        }),
        { numRuns: 30 },
      )
      expect(await at.here.health.unexplainedTotals()).toBe(0)
      expect(await keep(at.here, [])).toEqual([])
    })
  })
}

async function perform(store: Store, sellerId: number, line: Line, one: Operation, now: number): Promise<string> {
  if ("report" in one) {
    const { entries } = await store.deliveryHistory.page(line.lineId, "seller", null, 1_000)
    const kept = entries.filter((entry) => entry.withdrawn === null)
    const report = kept[one.report % Math.max(kept.length, 1)]
    if (report === undefined) return "nothing"
    const by = { actor: "command", at: now }
    const { outcome } = await store.deliveries.withdraw(sellerId, line.packageId, report, "Wrong", by)
    return JSON.stringify([outcome, report])
  }
  if ("start" in one) {
    const { packageId: _, ...fields } = newLine({ flightStart: one.start, pricingBasis: one.basis })
    const edited: LineFields = fields
    return store.campaigns.editLine(sellerId, line.packageId, edited, { actor: "command", at: now })
  }
  return deliver(store, sellerId, line, one.quantity, now + one.minutes * MINUTE, now)
}

/** Reads, judges and keeps impressions, as the action of a feed does. */
async function deliver(store: Store, sellerId: number, line: Line, quantity: number, asOf: number, now: number) {
  const item = { packageId: line.packageId, unit: "impressions", quantity, asOf } as const
  for (;;) {
    const { found, revision, timeZone } = await store.deliveries.linesSold(sellerId, [line.packageId])
    const receipt = receiptAt(now, timeZone)
    const refused = judge(item, found[0], receipt)
    if (refused !== undefined) return refused
    const totals = [{ lineId: line.lineId, quantity, asOf: measuredAt(item, receipt) }]
    const effects = await store.deliveries.record(totals, { receivedAt: now, source: SOURCE }, revision)
    if (effects !== null) return need(effects[0])
  }
}

/** A line as a store tells it, in the words of the model. */
async function keptOf(store: Store, sellerId: number, { packageId, lineId }: Line): Promise<Kept> {
  const [found] = await store.packageLines.findSold(sellerId, [packageId])
  const { pricingBasis: basis, flightStart, total: current } = need(found)
  const { entries } = await store.deliveryHistory.page(lineId, "seller", null, 1_000)
  const history = entries.filter((entry) => entry.withdrawn === null).map(nameOf)
  const gone = entries.filter((entry) => entry.withdrawn !== null).map(nameOf)
  return { basis, flightStart, current, history, withdrawn: gone }
}

type Kept = Pick<ModelLine, "current" | "flightStart" | "withdrawn"> & {
  readonly basis: string
  readonly history: Iterable<string>
}

function textOf(lines: readonly Kept[]): string {
  return JSON.stringify(
    lines.map(({ basis, flightStart, current, history, withdrawn: gone }) => [
      basis,
      flightStart,
      current?.asOf,
      current?.quantity,
      [...history].sort(),
      [...gone].sort(),
    ]),
  )
}

/**
 * What may be after some order of the operations that gives exactly the answers that came; there must be one. There may be
 * several: of two totals as late as each other, the answers do not tell which came last.
 */
function explain(
  before: readonly ModelLine[][],
  done: readonly (readonly [Operation, string])[],
  now: number,
): ModelLine[][] {
  const possible = new Map<string, ModelLine[]>()
  for (const lines of before) {
    for (const order of permutations(done)) {
      const after = inOrder(lines, order, now)
      if (after !== null) possible.set(textOf(after), after)
    }
  }
  if (possible.size === 0) throw new Error(`no order explains ${JSON.stringify(done)}`)
  return [...possible.values()]
}

function inOrder(lines: readonly ModelLine[], order: readonly (readonly [Operation, string])[], now: number) {
  let after = [...lines]
  for (const [one, said] of order) {
    const [outcome, changed] = modelled(need(after[one.line]), one, now, said)
    if (outcome !== said) return null
    after = after.with(one.line, changed)
  }
  return after
}

function modelled(line: ModelLine, one: Operation, now: number, said: string): [string, ModelLine] {
  if ("report" in one) {
    if (said === "nothing") return ["nothing", line]
    const [, report] = JSON.parse(said) as [string, ModelReport]
    const [outcome, after] = withdrawn(line, report)
    return [JSON.stringify([outcome, report]), after]
  }
  if (!("start" in one)) {
    const { quantity, minutes } = one
    return expected(line, { unit: "impressions", quantity, asOf: { micros: now + minutes * MINUTE } }, now)
  }
  const basis = line.history.size === 0 && line.withdrawn.length === 0 ? one.basis : line.basis
  return ["done", { ...line, flightStart: one.start, basis }]
}
