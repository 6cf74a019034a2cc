import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { judge, measuredAt, receiptAt } from "../../../src/domain/delivery/delivery.ts"
import type { LineFields, ReportedTotal } from "../../../src/storage/port/store.ts"
import {
  expected,
  type ModelLine,
  type ModelReport,
  nameOf,
  permutations,
  withdrawn,
} from "../../doors/ingest/model.ts"
import { storageContract } from "./contract.ts"
import { givenLineIn, givenMarket, keep, need, newLine, SOURCE } from "./given.ts"
import { byRequests } from "./methods.ts"
import type { Store } from "./whole-store.ts"

// Three stores take reports of the same few lines at the same time, and lines are edited and reports withdrawn meanwhile. Some order of all
// that, done to one plain model, has to explain every answer and everything that is kept.

const MINUTE = 60_000_000
const STARTS = ["2026-11-13", "2026-11-15", "2026-11-16"] as const
const BASES = ["impressions", "downloads"] as const
const STORES = 3
const LINE_COUNT = 3

const line = fc.nat(LINE_COUNT - 1)
// Mostly few different moments and quantities, so that many reports are late, as late as another, or repeated.
const minutes = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(-1_500, -2, -1, 0) },
  { weight: 1, arbitrary: fc.integer({ min: -4_000, max: 1 }) },
)
const item = fc.record({ line, quantity: fc.nat(2), minutes })
const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ items: fc.uniqueArray(item, { minLength: 1, selector: (one) => one.line }) }),
  },
  { weight: 2, arbitrary: fc.record({ previewed: item }) },
  { weight: 1, arbitrary: fc.record({ line, start: fc.constantFrom(...STARTS), basis: fc.constantFrom(...BASES) }) },
  // Which of the reports that are there at that time.
  { weight: 3, arbitrary: fc.record({ line, report: fc.nat(9) }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never
type Item = typeof item extends fc.Arbitrary<infer One> ? One : never
// Operations of a group are done at the same time; then the clock moves on.
const group = fc.record({
  done: fc.array(fc.tuple(fc.nat(STORES - 1), operation), { minLength: 1, maxLength: 5 }),
  waitMinutes: fc.constantFrom(0, 0, 1, 700),
})

interface Line {
  readonly packageId: string
  readonly lineId: number
}

/** What was answered, and which total the reporter of a previewed one saw before. */
interface Said {
  readonly answers: readonly string[]
  readonly before: ModelLine["current"]
  /** The report that was to be withdrawn. */
  readonly report?: ModelReport
}

interface Scene {
  readonly sellerId: number
  readonly lines: readonly Line[]
  readonly now: number
}

storageContract("histories", (engine) => {
  describe("random histories on three stores", () => {
    test("of deliveries, previews, withdrawals and edited terms are those of the model", async () => {
      await using at = await givenMarket(engine)
      const stores = [...at.stores, byRequests(await at.again())]
      await fc.assert(
        fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 6 }), async (groups) => {
          at.clock.set("2026-11-15T12:00:00Z")
          const lines: Line[] = []
          while (lines.length < LINE_COUNT)
            lines.push(await givenLineIn(at, at.line.campaign, at.acme, { flightStart: STARTS[0] }))
          let possible: ModelLine[][] = [lines.map(() => untouched())]
          for (const { done, waitMinutes } of groups) {
            const scene = { sellerId: at.acme.id, lines, now: at.clock() }
            const said = await Promise.all(done.map(([where, one]) => perform(need(stores[where]), scene, one)))
            const together = done.map(([, one], i) => [one, need(said[i])] as const)
            possible = explain(possible, together, scene.now)
            at.clock.advance({ minutes: waitMinutes })
          }
          for (const store of stores) {
            const kept = await Promise.all(lines.map((one) => keptOf(store, at.acme.id, one)))
            expect(possible.map((one) => textOf(one))).toContain(textOf(kept))
          }
        }),
        { numRuns: 40 },
      )
      expect(await at.here.health.unexplainedTotals()).toEqual({ count: 0, first: [] })
      expect(await keep(at.here, [])).toEqual([])
    })
  })
})

function untouched(): ModelLine {
  const nothing = { current: null, history: new Set<string>(), withdrawn: [] }
  return { zone: "UTC", basis: "impressions", flightStart: STARTS[0], ...nothing }
}

async function perform(store: Store, scene: Scene, one: Operation): Promise<Said> {
  if ("items" in one) return { answers: await deliver(store, scene, one.items), before: null }
  if ("previewed" in one) return deliverPreviewed(store, scene, one.previewed)
  const { packageId, lineId } = need(scene.lines[one.line])
  if ("report" in one) {
    const { entries } = await store.deliveryHistory.page(lineId, "seller", null, 1_000)
    const kept = entries.filter((entry) => entry.withdrawn === null)
    const report = kept[one.report % Math.max(kept.length, 1)]
    if (report === undefined) return { answers: [], before: null }
    const by = { actor: "command", at: scene.now } as const
    const { outcome } = await store.deliveries.withdraw(scene.sellerId, packageId, report, "Wrong", by)
    return { answers: [outcome], before: null, report }
  }
  const { packageId: _, ...fields } = newLine({ flightStart: one.start, pricingBasis: one.basis })
  const edited: LineFields = fields
  const change = { actor: "command", at: scene.now } as const
  return { answers: [await store.campaigns.editLine(scene.sellerId, packageId, edited, change)], before: null }
}

/** Reads and judges impressions, as the action of a feed does: those that stand, and an answer for each that does not. */
async function judged(store: Store, { sellerId, lines, now }: Scene, items: readonly Item[]) {
  const packageIds = items.map((one) => need(lines[one.line]).packageId)
  const { items: found, revision, timeZone } = await store.deliveries.linesSold(sellerId, packageIds)
  const receipt = receiptAt(now, timeZone)
  const totals: ReportedTotal[] = []
  const answers = items.map(({ quantity, minutes, line: place }, i) => {
    const reported = {
      packageId: need(packageIds[i]),
      unit: "impressions",
      quantity,
      asOf: now + minutes * MINUTE,
    } as const
    const refused = judge(reported, found[i], receipt)
    if (refused === undefined)
      totals.push({ lineId: need(lines[place]).lineId, quantity, asOf: measuredAt(reported, receipt) })
    return refused
  })
  return { totals, revision, timeZone, answered: (effects: readonly string[]) => fill(answers, effects) }
}

function fill(answers: readonly (string | undefined)[], effects: readonly string[]): string[] {
  let next = 0
  return answers.map((answer) => answer ?? need(effects[next++]))
}

async function deliver(store: Store, scene: Scene, items: readonly Item[]): Promise<string[]> {
  for (;;) {
    const { totals, revision, timeZone, answered } = await judged(store, scene, items)
    if (totals.length === 0) return answered([])
    const effects = await store.deliveries.record(totals, { receivedAt: scene.now, source: SOURCE, timeZone }, revision)
    if (effects !== null) return answered(effects)
  }
}

async function deliverPreviewed(store: Store, scene: Scene, one: Item): Promise<Said> {
  const [seen] = await store.packageLines.findSold(scene.sellerId, [need(scene.lines[one.line]).packageId])
  const before = seen?.total ?? null
  for (;;) {
    const { totals, revision, timeZone, answered } = await judged(store, scene, [one])
    if (totals.length === 0) return { answers: answered([]), before }
    const previewed = totals.map((total) => ({ ...total, before }))
    const receipt = { receivedAt: scene.now, source: SOURCE, timeZone }
    const outcomes = await store.deliveries.recordUnlessOutdated(previewed, receipt, revision)
    if (outcomes !== null) return { answers: answered(outcomes), before }
  }
}

type Kept = Pick<ModelLine, "current" | "flightStart" | "withdrawn"> & {
  readonly basis: string
  readonly history: Iterable<string>
}

/** A line as a store tells it. Its history is a list, not a set: a report that is kept twice would be seen. */
async function keptOf(store: Store, sellerId: number, { packageId, lineId }: Line): Promise<Kept> {
  const [found] = await store.packageLines.findSold(sellerId, [packageId])
  const { pricingBasis: basis, flightStart, total: current } = need(found)
  const { entries, next } = await store.deliveryHistory.page(lineId, "seller", null, 1_000)
  expect(next).toBeNull()
  const history = entries.filter((entry) => entry.withdrawn === null).map(nameOf)
  const gone = entries.filter((entry) => entry.withdrawn !== null).map(nameOf)
  return { basis, flightStart, current, history, withdrawn: gone }
}

const sorted = (names: Iterable<string>): string[] => [...names].sort()

function textOf(lines: readonly Kept[]): string {
  return JSON.stringify(
    lines.map(({ basis, flightStart, current, history, withdrawn: gone }) => [
      basis,
      flightStart,
      current?.asOf,
      current?.quantity,
      sorted(history),
      sorted(gone),
    ]),
  )
}

/**
 * What may be after some order of the operations that gives exactly the answers that came; there must be one. There may be
 * several: of two totals as late as each other, the answers do not tell which came last.
 */
function explain(
  before: readonly ModelLine[][],
  done: readonly (readonly [Operation, Said])[],
  now: number,
): ModelLine[][] {
  const possible = new Map<string, ModelLine[]>()
  for (const lines of before) {
    for (const order of permutations(done)) {
      for (const after of inOrder(lines, order, now)) possible.set(textOf(after), after)
    }
  }
  if (possible.size === 0) throw new Error(`no order explains ${JSON.stringify(done)}`)
  return [...possible.values()]
}

/** What may be after these operations, one after the other; nothing where one would have been answered in another way. */
function inOrder(lines: readonly ModelLine[], order: readonly (readonly [Operation, Said])[], now: number) {
  let possible = [[...lines]]
  for (const [one, said] of order) possible = possible.flatMap((before) => modelled(before, one, said, now))
  return possible
}

/** What may be after an operation; nothing when it would have been answered in another way. */
function modelled(lines: ModelLine[], one: Operation, said: Said, now: number): ModelLine[][] {
  const { answers, before, report } = said
  if ("report" in one) {
    if (report === undefined) return [lines]
    const [outcome, after] = withdrawn(need(lines[one.line]), report)
    if (outcome !== answers[0]) return []
    return [lines.with(one.line, after)]
  }
  if ("start" in one) {
    const edited = need(lines[one.line])
    const isFree = edited.history.size === 0 && edited.withdrawn.length === 0
    const basis = isFree ? one.basis : edited.basis
    return answers[0] === "done" ? [lines.with(one.line, { ...edited, flightStart: one.start, basis })] : []
  }
  let after = lines
  for (const [i, { line: place, quantity, minutes }] of ("items" in one ? one.items : [one.previewed]).entries()) {
    const current = need(after[place])
    const reported = { unit: "impressions", quantity, asOf: { micros: now + minutes * MINUTE } } as const
    const [answer, changed] = expected(current, reported, now)
    const isKept = changed !== current
    if ("previewed" in one && isKept && !isSame(current.current, before)) {
      if (answers[i] !== "outdated") return []
      continue
    }
    if (answer !== answers[i]) return []
    after = after.with(place, changed)
  }
  return [after]
}

function isSame(one: ModelLine["current"], other: ModelLine["current"]): boolean {
  return one?.asOf === other?.asOf && one?.quantity === other?.quantity
}
