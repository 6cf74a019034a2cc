import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { CodeToSave, MetricToSave } from "../../../src/storage/port/store.ts"
import {
  type AffiliateStep,
  CODES,
  codesExpected,
  DATES,
  daysExpected,
  LINES,
  type LineName,
  model,
} from "./affiliate-model.ts"
import { storageContract } from "./contract.ts"
import type { Engine } from "./engine.ts"
import { type GivenLine, givenLine, givenLineIn, givenMarket, need } from "./given.ts"
import type { Store } from "./whole-store.ts"

/** Keeps codes judged by nobody, as often as something else was written meanwhile. */
async function saveCodes(store: Store, sellerId: number, rows: readonly CodeToSave[], at = 1): Promise<void> {
  for (;;) {
    const { revision } = await store.affiliates.codesSold(sellerId, [])
    if (await store.affiliates.saveCodes(sellerId, rows, at, revision)) return
  }
}

type Day = Pick<MetricToSave, "date"> & Partial<Omit<MetricToSave, "codeId" | "lineId">>

/** Keeps days of a code as its seller reports them: for the line that it points to by then. */
async function keepDays(store: Store, sellerId: number, code: string, days: readonly Day[]): Promise<boolean> {
  for (;;) {
    const { revision, items: found } = await store.affiliates.codesSold(sellerId, [code])
    const [sold] = found
    if (sold === undefined) return false
    const nothing = { clicks: undefined, conversions: undefined, conversionValueMicros: undefined }
    const rows = days.map((day) => ({ ...sold, ...nothing, ...day }))
    if (await store.affiliates.saveMetrics(rows, 1, revision)) return true
  }
}

const point = (code: string, { lineId }: GivenLine, slug?: string): CodeToSave => ({ code, lineId, slug })

/** Two lines of one seller for two buyers, and one of another seller. */
async function givenLines(engine: Engine) {
  const at = await givenMarket(engine)
  const second = await givenLine(at, at.acme, at.other, { campaign: "Second", name: "Second", currency: "EUR" })
  const theirs = await givenLine(at, at.other, at.brand, { campaign: "Theirs", name: "Theirs" })
  return { ...at, second, theirs }
}

storageContract("affiliates", (engine) => {
  describe("affiliate codes", () => {
    test("are found by their seller only, compared exactly, and two sellers may use the same one", async () => {
      await using at = await givenLines(engine)
      await saveCodes(at.here, at.acme.id, [point("A10", at.line)])
      await saveCodes(at.here, at.other.id, [point("A10", at.theirs)])
      const sold = async (id: number) =>
        (await at.there.affiliates.codesSold(id, ["a10", "A10", "A10 "])).items.map((one) => one?.lineId)
      expect(await sold(at.acme.id)).toEqual([undefined, at.line.lineId, undefined])
      expect(await sold(at.other.id)).toEqual([undefined, at.theirs.lineId, undefined])
      expect(await sold(at.brand.id)).toEqual([undefined, undefined, undefined])
      expect((await at.there.affiliates.codesSold(at.acme.id, [])).timeZone).toBe("UTC")
    })

    test("sent again point to the new line, keep a slug that is left out, and are the same code; the later row stands", async () => {
      await using at = await givenLines(engine)
      await saveCodes(at.here, at.acme.id, [point("A", at.line, "first"), point("A", at.line, "second")])
      const codeOf = async () => need((await at.there.affiliates.codesSold(at.acme.id, ["A"])).items[0])
      const before = await codeOf()
      const slugs = async () =>
        (await at.there.affiliateFigures.figures({ organizationIds: null })).codes.map(({ slug, packageId }) => [
          slug,
          packageId,
        ])
      expect(await slugs()).toEqual([["second", at.line.packageId]])
      await saveCodes(at.there, at.acme.id, [point("A", at.line), point("A", at.second)])
      expect(await codeOf()).toEqual({ codeId: before.codeId, lineId: at.second.lineId })
      expect(await slugs()).toEqual([["second", at.second.packageId]])
    })

    test.each(["codes", "metrics"] as const)("%s are written all or none", async (what) => {
      await using at = await givenLines(engine)
      await saveCodes(at.here, at.acme.id, [point("A", at.line)])
      const { items: found, revision } = await at.here.affiliates.codesSold(at.acme.id, ["A"])
      const row = { ...need(found[0]), date: "2026-11-01", conversions: 1, clicks: 1, conversionValueMicros: 1 }
      const nowhere = 1_000_000
      const write =
        what === "codes"
          ? at.here.affiliates.saveCodes(
              at.acme.id,
              [point("B", at.line), { code: "C", lineId: nowhere, slug: undefined }],
              1,
              revision,
            )
          : at.here.affiliates.saveMetrics([row, { ...row, codeId: nowhere }], 1, revision)
      await expect(write).rejects.toThrow()
      expect((await at.there.affiliates.codesSold(at.acme.id, ["B"])).items).toEqual([undefined])
      expect((await at.there.affiliateFigures.figures({ organizationIds: null })).days).toEqual([])
    })

    test("of terms that were changed by the other store since are refused, and so are metrics", async () => {
      await using at = await givenLines(engine)
      await saveCodes(at.here, at.acme.id, [point("A", at.line)])
      const { items: found, revision } = await at.here.affiliates.codesSold(at.acme.id, ["A"])
      await saveCodes(at.there, at.acme.id, [point("A", at.second)])
      const row = { ...need(found[0]), date: "2026-11-01", conversions: 1, clicks: 1, conversionValueMicros: 1 }
      expect(await at.here.affiliates.saveMetrics([row], 1, revision)).toBe(false)
      expect(await at.here.affiliates.saveCodes(at.acme.id, [point("B", at.line)], 1, revision)).toBe(false)
      expect((await at.there.affiliateFigures.figures({ organizationIds: null })).days).toEqual([])
      expect((await at.there.affiliates.codesSold(at.acme.id, ["B"])).items).toEqual([undefined])
    })

    test("that two stores send first at once are one code", async () => {
      await using at = await givenLines(engine)
      await Promise.all(
        [...at.stores, ...at.stores].map((store) => saveCodes(store, at.acme.id, [point("A", at.line)])),
      )
      expect((await at.there.affiliateFigures.figures({ organizationIds: null })).codes).toHaveLength(1)
    })
  })

  describe("affiliate figures", () => {
    test("a day sent again replaces the figures that it carries and leaves the others, whichever store takes it", async () => {
      await using at = await givenLines(engine)
      await saveCodes(at.here, at.acme.id, [point("A", at.line)])
      const date = "2026-11-01"
      await Promise.all([
        keepDays(at.here, at.acme.id, "A", [{ date, clicks: 5 }]),
        keepDays(at.there, at.acme.id, "A", [{ date, conversions: 2 }]),
      ])
      await keepDays(at.there, at.acme.id, "A", [
        { date, clicks: 6 },
        { date, clicks: 7 },
      ])
      const known = async () => {
        const days = (await at.here.affiliateFigures.figures({ organizationIds: null })).days
        return days.flatMap(({ clicks, conversions, valueMicros }) => [clicks, conversions, valueMicros])
      }
      expect(await known()).toEqual([7n, 2n, null])
      await keepDays(at.here, at.acme.id, "A", [{ date, conversionValueMicros: 9 }])
      expect(await known()).toEqual([7n, 2n, 9n])
      await keepDays(at.there, at.acme.id, "A", [{ date, conversions: 3 }])
      const figures = { clicks: 7n, conversions: 3n, valueMicros: 9n }
      expect((await at.here.affiliateFigures.figures({ organizationIds: null })).days).toEqual([{ date, ...figures }])
      const [code] = (await at.here.affiliateFigures.figures({ organizationIds: null })).codes
      expect(code).toEqual({
        ...figures,
        codeId: need(code).codeId,
        code: "A",
        isCurrent: true,
        slug: null,
        packageId: at.line.packageId,
        line: "A line",
        campaign: at.line.campaign,
        campaignName: "A campaign",
        seller: "acme",
        currency: null,
        lastDate: date,
      })
    })

    test("sums are exact however large they grow, and a figure never sent stays unknown", async () => {
      await using at = await givenLines(engine)
      await saveCodes(at.here, at.acme.id, [point("A", at.line)])
      const clicks = Number.MAX_SAFE_INTEGER
      const conversionValueMicros = 9_000_000_000_000_000 - 1
      const days = Array.from({ length: 1_200 }, (_, day) => ({
        date: new Date(Date.UTC(2022, 0, day + 1)).toISOString().slice(0, 10),
        clicks,
        conversionValueMicros,
      }))
      await keepDays(at.here, at.acme.id, "A", days)
      const [code] = (await at.there.affiliateFigures.figures({ organizationIds: null })).codes
      expect(code).toMatchObject({
        clicks: 1_200n * BigInt(clicks),
        conversions: null,
        valueMicros: 1_200n * BigInt(conversionValueMicros),
      })
    })

    test("an organization sees codes of lines that it sells and of campaigns that it buys, and no others", async () => {
      await using at = await givenLines(engine)
      await saveCodes(at.here, at.acme.id, [point("One", at.line), point("Two", at.second)])
      await saveCodes(at.here, at.other.id, [point("Three", at.theirs)])
      const seen = async (ids: readonly number[] | null, narrowed: object = {}) => {
        const codes = (await at.there.affiliateFigures.figures({ organizationIds: ids, ...narrowed })).codes
        return codes.map(({ code }) => code)
      }
      const campaigns = async (ids: readonly number[] | null) =>
        (await at.there.affiliateFigures.campaigns({ organizationIds: ids })).map(({ slug }) => slug)
      // The order is by campaign: a-campaign, second, theirs.
      expect(await seen([at.acme.id])).toEqual(["One", "Two"])
      expect(await seen([at.other.id])).toEqual(["Two", "Three"])
      expect(await seen([at.brand.id])).toEqual(["One", "Three"])
      expect(await seen([at.acme.id, at.brand.id])).toEqual(["One", "Two", "Three"])
      expect(await seen(null)).toEqual(["One", "Two", "Three"])
      expect(await seen([0])).toEqual([])
      expect(await seen([])).toEqual([])
      expect(await seen(null, { campaign: "second" })).toEqual(["Two"])
      expect(await seen([at.brand.id], { campaign: "second" })).toEqual([])
      expect(await seen(null, { packageId: at.theirs.packageId })).toEqual(["Three"])
      const { codeId } = need((await at.there.affiliates.codesSold(at.acme.id, ["One"])).items[0])
      expect(await seen(null, { codeId })).toEqual(["One"])
      expect(await seen([at.other.id], { codeId })).toEqual([])
      expect(await campaigns([at.brand.id])).toEqual(["a-campaign", "theirs"])
      expect(await campaigns(null)).toEqual(["a-campaign", "second", "theirs"])
      expect(await campaigns([0])).toEqual([])
    })

    test("days add up over the codes in scope and between two days, both included, oldest first", async () => {
      await using at = await givenLines(engine)
      await saveCodes(at.here, at.acme.id, [point("One", at.line), point("Two", at.line)])
      const [first, second, third] = DATES
      await keepDays(at.here, at.acme.id, "One", [
        { date: third, clicks: 1 },
        { date: first, clicks: 3, conversionValueMicros: 1 },
        { date: second, clicks: 4 },
      ])
      await keepDays(at.there, at.acme.id, "Two", [{ date: second, clicks: 5, conversionValueMicros: 2 }])
      const days = async (scope: object) =>
        (await at.there.affiliateFigures.figures({ organizationIds: null, ...scope })).days.map((day) => [
          day.date,
          day.clicks,
        ])
      expect(await days({})).toEqual([
        [first, 3n],
        [second, 9n],
        [third, 1n],
      ])
      expect(await days({ from: first, to: second })).toHaveLength(2)
      expect(await days({ from: second, to: second })).toEqual([[second, 9n]])
      const [code] = (await at.there.affiliateFigures.figures({ organizationIds: null, to: second })).codes
      expect(code).toMatchObject({ code: "One", clicks: 7n, valueMicros: 1n, lastDate: second })
    })

    test("a day that is reported while its code is moved goes to the line that the code points to when it is written", async () => {
      await using at = await givenLines(engine)
      await saveCodes(at.here, at.acme.id, [point("A", at.line)])
      await Promise.all([
        saveCodes(at.here, at.acme.id, [point("A", at.second)]),
        keepDays(at.there, at.acme.id, "A", [{ date: "2026-11-02", clicks: 1 }]),
      ])
      const codes = (await at.there.affiliateFigures.figures({ organizationIds: null })).codes
      const [line] = codes.filter(({ clicks }) => clicks === 1n)
      expect(["A line", "Second"]).toContain(need(line).line)
      // Whichever came first: a later day is the new line's, and the reported one stays where it was.
      await keepDays(at.here, at.acme.id, "A", [
        { date: "2026-11-02", clicks: 1 },
        { date: "2026-11-03", clicks: 10 },
      ])
      const after = (await at.there.affiliateFigures.figures({ organizationIds: null })).codes
      const clicks = (name: string) => after.find((one) => one.line === name)?.clicks
      expect(clicks("Second")).toBe(need(line).line === "Second" ? 11n : 10n)
      expect(clicks("A line")).toBe(need(line).line === "Second" ? undefined : 1n)
    })

    test("whatever is moved and reported in whatever order, each buyer sees the days of its own lines and no others", async () => {
      await using at = await givenMarket(engine)
      const buyers: Record<LineName, typeof at.brand> = { first: at.brand, second: at.other, third: at.other }
      const figure = fc.option(fc.nat(1_000), { nil: undefined })
      const day = { date: fc.constantFrom(...DATES), clicks: figure, conversions: figure }
      const code = fc.constantFrom(...CODES)
      const steps = fc.array(
        fc.tuple(
          fc.nat(1),
          fc.oneof(
            fc.record({ code, moveTo: fc.constantFrom(...LINES) }),
            fc.record({ code, ...day }).map((one) => ({ ...one, clicks: one.clicks ?? one.conversions ?? 0 })),
          ),
        ),
        { minLength: 1, maxLength: 12 },
      )
      let round = 0
      await fc.assert(
        fc.asyncProperty(steps, async (taken) => {
          const slug = `seller-${++round}`
          const seller = need(await at.store.organizations.create({ slug, name: slug, timeZone: "UTC" }, at.change()))
          const lines: Partial<Record<LineName, GivenLine>> = {}
          for (const name of LINES)
            lines[name] = await givenLine(at, seller, buyers[name], { name, campaign: `${slug} ${name}` })
          for (const [where, step] of taken) {
            const store = need(at.stores[where])
            if ("moveTo" in step) await saveCodes(store, seller.id, [point(step.code, need(lines[step.moveTo]))])
            else await keepDays(store, seller.id, step.code, [step])
          }
          const told = model(taken.map(([, step]): AffiliateStep => step))
          for (const who of [seller, at.brand, at.other]) {
            const sees = (line: LineName) => who === seller || buyers[line] === who
            const scopes = LINES.map((line) => ({
              organizationIds: [who.id],
              packageId: need(lines[line]).packageId,
            }))
            const codes = (await Promise.all(scopes.map((scope) => at.there.affiliateFigures.figures(scope)))).flatMap(
              (all) => all.codes,
            )
            const shown = codes.map(({ code, line, clicks, conversions }) => ({ code, line, clicks, conversions }))
            expect(shown as unknown).toEqual(codesExpected(told, sees))
            if (who !== seller) continue
            const days = (await at.there.affiliateFigures.figures({ organizationIds: [who.id] })).days
            const shownDays = days.map(({ date, clicks, conversions }) => ({ date, clicks, conversions }))
            expect(shownDays as unknown).toEqual(daysExpected(told, sees))
          }
        }),
        { numRuns: 25 },
      )
    })

    test("what was read before is read anew after every write, by whichever store, of however many codes", async () => {
      await using at = await givenLines(engine)
      const lines = [at.line, at.second] as const
      const name = (number: number) => `CODE-${number}`
      // More than an engine may add up at once.
      await saveCodes(
        at.here,
        at.acme.id,
        Array.from({ length: 230 }, (_, i) => point(name(i), need(lines[i % 2]))),
      )
      const scope = { organizationIds: [at.acme.id], from: "2026-11-01", to: "2026-11-02" }
      const write = fc.record({
        store: fc.nat(1),
        code: fc.nat(240),
        date: fc.constantFrom(...DATES),
        clicks: fc.nat(9),
      })
      const writes = fc.array(write, { minLength: 1, maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(writes, async (all) => {
          for (const { store, code, date, clicks } of all) {
            const by = need(at.stores[store])
            if (!(await keepDays(by, at.acme.id, name(code), [{ date, clicks }])))
              await saveCodes(by, at.acme.id, [point(name(code), at.line, `slug-${clicks}`)])
          }
          for (const { affiliateFigures } of at.stores) {
            const codes = (await affiliateFigures.figures(scope)).codes
            const alone = (
              await Promise.all(codes.map(({ codeId }) => affiliateFigures.figures({ ...scope, codeId })))
            ).map((all) => all.codes)
            expect(codes).toEqual(alone.flat())
            const sum = codes.reduce((clicks, code) => clicks + (code.clicks ?? 0n), 0n)
            const days = (await affiliateFigures.figures(scope)).days
            expect(days.reduce((clicks, day) => clicks + (day.clicks ?? 0n), 0n)).toBe(sum)
            expect(await affiliateFigures.campaigns(scope)).toHaveLength(2)
          }
        }),
        { numRuns: 10 },
      )
    })

    test("a line that a code was moved away from keeps its days and tells no slug: that names what is sold elsewhere", async () => {
      await using at = await givenLines(engine)
      await saveCodes(at.here, at.acme.id, [point("A", at.line, "old")])
      await keepDays(at.here, at.acme.id, "A", [{ date: "2026-11-01", clicks: 4 }])
      await saveCodes(at.there, at.acme.id, [point("A", at.second, "new")])
      const codes = (await at.here.affiliateFigures.figures({ organizationIds: null })).codes
      expect(codes.map(({ line, slug, clicks, lastDate }) => [line, slug, clicks, lastDate])).toEqual([
        ["A line", null, 4n, "2026-11-01"],
        ["Second", "new", null, null],
      ])
    })

    test("a code of a line in a campaign of several is its line's only", async () => {
      await using at = await givenMarket(engine)
      const another = await givenLineIn(at, at.line.campaign, at.acme, { name: "B line" })
      await saveCodes(at.here, at.acme.id, [point("A", at.line), point("B", another)])
      const codes = (
        await at.there.affiliateFigures.figures({
          organizationIds: [at.brand.id],
          campaign: at.line.campaign,
        })
      ).codes
      expect(codes.map(({ line, code }) => `${line} ${code}`)).toEqual(["A line A", "B line B"])
    })
  })
})
