import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { judge, measuredAt, receiptAt } from "../../../src/domain/delivery/delivery.ts"
import type { LineFields, Store } from "../../../src/storage/port/store.ts"
import { expected, type ModelLine, permutations } from "../../doors/ingest/model.ts"
import type { Contract } from "./engine.ts"
import { givenLineIn, givenMarket, keep, need, newLine, SOURCE } from "./given.ts"

// Whatever is done to two stores at once, some order of it, done to one plain model, explains every answer and all that is kept.

const MINUTE = 60_000_000
const STARTS = ["2026-11-13", "2026-11-15", "2026-11-16"] as const
const BASES = ["impressions", "downloads"] as const
const LINE_COUNT = 2

const line = fc.nat(LINE_COUNT - 1)
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ line, quantity: fc.nat(3), minutes: fc.integer({ min: -4_000, max: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ line, start: fc.constantFrom(...STARTS), basis: fc.constantFrom(...BASES) }) },
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
    test("of deliveries and edited terms are those of the model", async () => {
      await using at = await givenMarket(engine)
      await fc.assert(
        fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 6 }), async (groups) => {
          const lines: Line[] = []
          while (lines.length < LINE_COUNT)
            lines.push(await givenLineIn(at, at.line.campaign, at.acme, { flightStart: STARTS[0] }))
          let known = lines.map(
            (): ModelLine => ({
              zone: "UTC",
              basis: "impressions",
              flightStart: STARTS[0],
              current: null,
              history: new Set(),
            }),
          )
          for (const { done, waitMinutes } of groups) {
            const now = at.clock()
            const said = await Promise.all(
              done.map(([where, one]) => perform(need(at.stores[where]), at.acme.id, need(lines[one.line]), one, now)),
            )
            known = explain(
              known,
              done.map(([, one], i) => [one, need(said[i])]),
              now,
            )
            at.clock.advance({ minutes: waitMinutes })
          }
          for (const store of at.stores) {
            const found = await store.packageLines.findSold(
              at.acme.id,
              lines.map(({ packageId }) => packageId),
            )
            for (const [i, { lineId }] of lines.entries()) {
              const { current, history, basis, flightStart } = need(known[i])
              expect(found[i]).toMatchObject({ pricingBasis: basis, flightStart, total: current })
              const { entries } = await store.deliveryHistory.page(lineId, "seller", null, 1_000)
              expect(entries.map(({ asOf, quantity }) => `${asOf} ${quantity}`).sort()).toEqual([...history].sort())
            }
          }
        }),
        { numRuns: 30 },
      )
      expect(await at.here.health.totalsBesideHistory()).toBe(0)
      expect(await keep(at.here, [])).toEqual([])
    })
  })
}

async function perform(store: Store, sellerId: number, line: Line, one: Operation, now: number): Promise<string> {
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
    const effects = await store.deliveries.keep(totals, { receivedAt: now, source: SOURCE }, revision)
    if (effects !== null) return need(effects[0])
  }
}

/** The lines after the one order of the operations that gives exactly the answers that came; there must be one. */
function explain(
  before: readonly ModelLine[],
  done: readonly (readonly [Operation, string])[],
  now: number,
): ModelLine[] {
  for (const order of permutations(done)) {
    let after = [...before]
    const fits = order.every(([one, said]) => {
      const [outcome, changed] = modelled(need(after[one.line]), one, now)
      after = after.with(one.line, changed)
      return outcome === said
    })
    if (fits) return after
  }
  throw new Error(`no order explains ${JSON.stringify(done)}`)
}

function modelled(line: ModelLine, one: Operation, now: number): [string, ModelLine] {
  if (!("start" in one)) {
    const { quantity, minutes } = one
    return expected(line, { unit: "impressions", quantity, asOf: { micros: now + minutes * MINUTE } }, now)
  }
  const basis = line.current === null ? one.basis : line.basis
  return ["done", { ...line, flightStart: one.start, basis }]
}
