import { expect, test } from "bun:test"
import fc from "fast-check"
import { importCatalogue } from "../../src/actions/catalogue/import-catalogue.ts"
import { recordAffiliateCodes } from "../../src/actions/delivery/record-affiliate-codes.ts"
import { recordAffiliateMetrics } from "../../src/actions/delivery/record-affiliate-metrics.ts"
import { startApp } from "../harness.ts"

// A day's figures belong to the line that the code pointed to when that day was first reported. Codes are moved and days reported
// in any order, and what each buyer sees is compared with the rule written down plainly.

const LINES = ["first", "second", "third"] as const
type LineName = (typeof LINES)[number]
/** Two lines are bought by one buyer, the third by another. */
const BUYER_OF: Readonly<Record<LineName, string>> = { first: "one", second: "two", third: "two" }
const CODES = ["A", "B"] as const
const DATES = ["2026-11-01", "2026-11-02", "2026-11-03"] as const

type Step =
  | { readonly code: string; readonly moveTo: LineName }
  | { readonly code: string; readonly date: string; readonly clicks?: number; readonly conversions?: number }

const figure = fc.option(fc.nat(1_000), { nil: undefined })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ code: fc.constantFrom(...CODES), moveTo: fc.constantFrom(...LINES) }),
  fc
    .record({ code: fc.constantFrom(...CODES), date: fc.constantFrom(...DATES), clicks: figure, conversions: figure })
    .map(({ code, date, clicks, conversions }) => ({
      code,
      date,
      ...(clicks === undefined && conversions === undefined ? { clicks: 0 } : {}),
      ...(clicks !== undefined && { clicks }),
      ...(conversions !== undefined && { conversions }),
    })),
)

interface Day {
  readonly code: string
  readonly date: string
  readonly line: LineName
  clicks: number | null
  conversions: number | null
}

/** What should be seen after these steps: where each code points, and every day with its line. */
function model(steps: readonly Step[]) {
  const pointsTo = new Map<string, LineName>()
  const days = new Map<string, Day>()
  for (const each of steps) {
    if ("moveTo" in each) pointsTo.set(each.code, each.moveTo)
    else {
      const { code, date, clicks, conversions } = each
      const line = pointsTo.get(code)
      if (line === undefined) continue
      const day = days.get(`${code} ${date}`) ?? { code, date, line, clicks: null, conversions: null }
      day.clicks = clicks ?? day.clicks
      day.conversions = conversions ?? day.conversions
      days.set(`${code} ${date}`, day)
    }
  }
  return { pointsTo, days: [...days.values()] }
}

const sum = (figures: readonly (number | null)[]) => {
  const known = figures.filter((each) => each !== null)
  return known.length === 0 ? null : BigInt(known.reduce((one, other) => one + other, 0))
}

function codesExpected({ pointsTo, days }: ReturnType<typeof model>, sees: (line: LineName) => boolean) {
  return LINES.filter(sees).flatMap((line) =>
    CODES.flatMap((code) => {
      const own = days.filter((day) => day.code === code && day.line === line)
      if (own.length === 0 && pointsTo.get(code) !== line) return []
      return [
        {
          code,
          line,
          clicks: sum(own.map(({ clicks }) => clicks)),
          conversions: sum(own.map((day) => day.conversions)),
        },
      ]
    }),
  )
}

function daysExpected({ days }: ReturnType<typeof model>, sees: (line: LineName) => boolean) {
  return DATES.flatMap((date) => {
    const own = days.filter((day) => day.date === date && sees(day.line))
    if (own.length === 0) return []
    return [{ date, clicks: sum(own.map(({ clicks }) => clicks)), conversions: sum(own.map((day) => day.conversions)) }]
  })
}

async function given(round: number) {
  const slug = (name: string) => `${name}-${round}`
  const packageIds = Object.fromEntries(LINES.map((line) => [line, crypto.randomUUID()]))
  return {
    slug,
    packageIds,
    file: {
      organizations: ["seller", "one", "two"].map((name) => ({ slug: slug(name), name })),
      campaigns: LINES.map((line) => ({
        slug: slug(line),
        name: line,
        buyer: slug(BUYER_OF[line]),
        lines: [
          {
            package_id: packageIds[line],
            seller: slug("seller"),
            name: line,
            pricing_basis: "impressions",
            flight_start: "2026-11-01",
          },
        ],
      })),
    },
  }
}

test("whatever is moved and reported in whatever order, each buyer sees the days of its own lines and no others", async () => {
  await using app = await startApp()
  const context = { ...app, log: { error: () => undefined } }
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { slug, packageIds, file } = await given(++round)
      expect(await importCatalogue(app, file, "test")).toMatchObject({ ok: true })
      const idOf = async (name: string) => (await app.store.organizations.findBySlug(slug(name)))?.id ?? 0
      const source = { kind: "key", reference: "k", detail: "" } as const
      const reporter = { organizationId: await idOf("seller"), source }
      for (const each of steps) {
        if ("moveTo" in each) {
          const row = { packageId: packageIds[each.moveTo], code: each.code }
          await recordAffiliateCodes(context, reporter, [row], { dryRun: false })
        } else await recordAffiliateMetrics(context, reporter, [each], { dryRun: false })
      }
      const told = model(steps)
      for (const who of ["seller", "one", "two"]) {
        const scope = { organizationIds: [await idOf(who)] }
        const sees = (line: LineName) => who === "seller" || BUYER_OF[line] === who
        const codes = await app.store.affiliateFigures.byCode(scope)
        const shown = codes.map(({ code, line, clicks, conversions }) => ({ code, line, clicks, conversions }))
        expect(shown as unknown).toEqual(codesExpected(told, sees))
        const days = await app.store.affiliateFigures.byDay(scope)
        const shownDays = days.map(({ date, clicks, conversions }) => ({ date, clicks, conversions }))
        expect(shownDays as unknown).toEqual(daysExpected(told, sees))
      }
    }),
    { numRuns: 60 },
  )
})

test("a day that is reported while its code is moved goes to the line that the code points to when it is written", async () => {
  await using app = await startApp()
  const context = { ...app, log: { error: () => undefined } }
  const { slug, packageIds, file } = await given(0)
  await importCatalogue(app, file, "test")
  const organizationId = (await app.store.organizations.findBySlug(slug("seller")))?.id ?? 0
  const reporter = { organizationId, source: { kind: "key", reference: "k", detail: "" } as const }
  const move = (line: LineName) =>
    recordAffiliateCodes(context, reporter, [{ packageId: packageIds[line], code: "A" }], { dryRun: false })
  const report = (date: string) =>
    recordAffiliateMetrics(context, reporter, [{ code: "A", date, clicks: 1 }], { dryRun: false })
  await move("first")
  await report("2026-11-01")
  const [, moved] = await Promise.all([move("second"), report("2026-11-02")])
  expect(moved.ok).toBe(true)
  const codes = await app.store.affiliateFigures.byCode({ organizationIds: [organizationId] })
  expect(codes.map(({ line, lastDate }) => [line, lastDate])).toEqual([
    ["first", "2026-11-01"],
    ["second", "2026-11-02"],
  ])
})
