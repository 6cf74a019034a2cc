import { expect, test } from "bun:test"
import fc from "fast-check"
import { formatMoment } from "../../../src/domain/time/moment.ts"
import { dayOf } from "../../../src/domain/time/time-zone.ts"
import { givenIngestKey, givenOrganization, givenPackageLine } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { currentTotal, historyOf, report } from "./feed.ts"
import { expected, type ModelItem, type ModelLine, permutations } from "./model.ts"

const ZONES = ["UTC", "Pacific/Auckland", "America/St_Johns"] as const
const MINUTE = 60_000_000

// An item names its line and its as_of relative to the clock; what that means is settled when it is sent.
const asOf = fc.oneof(
  fc.constant(null),
  fc.record({ days: fc.integer({ min: -3, max: 1 }) }),
  fc.record({ minutes: fc.integer({ min: -4_000, max: 1 }), offset: fc.constantFrom("Z", "+09:30", "-03:30") }),
)
const item = fc.record({
  line: fc.nat(1),
  quantity: fc.integer({ min: 0, max: 3 }),
  wrongUnit: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  asOf,
})
const request = fc.record({
  seller: fc.nat(ZONES.length - 1),
  items: fc.uniqueArray(item, { minLength: 1, selector: (one) => one.line }),
})
// Requests of a group are sent together; then the clock moves on.
const group = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 3 }),
  waitMinutes: fc.constantFrom(0, 1, 45, 700, 1_600),
})

type Line = ModelLine & { readonly packageId: string }
type Sent = { readonly line: number; readonly body: object; readonly item: ModelItem }

test("whatever is reported, in whatever order and however concurrently, totals, history and effects are those of the model", async () => {
  await using app = await startApp({ options: { limitIngest: "100000" } })
  await fc.assert(
    fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 8 }), async (groups) => {
      const sellers = await Promise.all(ZONES.map((zone) => givenSeller(app, zone)))
      let lines = sellers.flatMap((seller) => seller.lines)
      for (const { requests, waitMinutes } of groups) {
        const sent = requests.map(({ seller, items }) =>
          items.map((one) => settle(app, lines, seller * 2 + one.line, one)),
        )
        const answers = await Promise.all(
          sent.map((items, i) =>
            report(
              app,
              sellers[requests[i]?.seller ?? 0]?.key ?? "",
              items.map(({ body }) => body),
            ),
          ),
        )
        const said = answers.map(({ results }) => results.map(({ effect, reason }) => effect ?? reason ?? ""))
        lines = explain(lines, sent, said, app.clock())
        app.clock.advance({ minutes: waitMinutes })
      }
      for (const [i, line] of lines.entries()) {
        const seller = sellers[Math.floor(i / 2)]?.organization ?? { id: 0 }
        expect(await currentTotal(app, line.packageId)).toEqual(line.current)
        const kept = await historyOf(app, seller, line.packageId)
        expect(kept.map(({ asOf, quantity }) => `${asOf} ${quantity}`).sort()).toEqual([...line.history].sort())
      }
    }),
    { numRuns: 40 },
  )
}, 120_000)

async function givenSeller(app: TestApp, zone: string) {
  const organization = await givenOrganization(app, { timeZone: zone })
  const flightStart = dayOf(app.clock() - 2 * 1_440 * MINUTE, zone)
  const lines: Line[] = []
  for (const basis of ["impressions", "downloads"] as const) {
    const { packageId } = await givenPackageLine(app, { seller: organization, pricingBasis: basis, flightStart })
    lines.push({ packageId, zone, basis, flightStart, current: null, history: new Set() })
  }
  return { organization, key: await givenIngestKey(app, organization), lines }
}

function settle(
  app: TestApp,
  lines: readonly Line[],
  index: number,
  wish: typeof item extends fc.Arbitrary<infer T> ? T : never,
): Sent {
  const line = lines[index]
  if (line === undefined) throw new Error("there are two lines for each seller")
  const unit = wish.wrongUnit === (line.basis === "impressions") ? "downloads" : "impressions"
  const base = { line: index, body: { package_id: line.packageId, [unit]: wish.quantity } }
  const measured = { unit, quantity: wish.quantity } as const
  if (wish.asOf === null) return { ...base, item: { ...measured, asOf: null } }
  if ("days" in wish.asOf) {
    const date = dayOf(app.clock() + wish.asOf.days * 1_440 * MINUTE, line.zone)
    return { ...base, body: { ...base.body, as_of: date }, item: { ...measured, asOf: { date } } }
  }
  const micros = app.clock() + wish.asOf.minutes * MINUTE
  const text = withOffset(micros, wish.asOf.offset)
  return { ...base, body: { ...base.body, as_of: text }, item: { ...measured, asOf: { micros } } }
}

function withOffset(micros: number, offset: string): string {
  const minutes =
    offset === "Z" ? 0 : (offset.startsWith("-") ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)))
  return formatMoment(micros + minutes * MINUTE).replace("Z", offset)
}

/** The lines after the one order of the requests that gives exactly the answers that came; there must be one. */
function explain(lines: readonly Line[], sent: readonly Sent[][], said: readonly string[][], now: number): Line[] {
  for (const order of permutations(sent.map((_, i) => i))) {
    let after = [...lines]
    const fits = order.every((i) =>
      (sent[i] ?? []).every((one, place) => {
        const [outcome, line] = expected(after[one.line] as Line, one.item, now)
        after = after.with(one.line, { ...(after[one.line] as Line), ...line })
        return outcome === said[i]?.[place]
      }),
    )
    if (fits) return after
  }
  throw new Error(`no order of the requests explains ${JSON.stringify({ sent, said })}`)
}
