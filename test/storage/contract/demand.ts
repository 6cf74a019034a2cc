import { describe, expect, test } from "bun:test"
import type { Demand } from "../../../src/domain/demand/demand.ts"
import type { Contract } from "./engine.ts"
import { given, HOUR } from "./given.ts"

const WEEK = 7 * 24 * HOUR
// Monday, 5 January 1970.
const MONDAY = 4 * 24 * HOUR
const FIRST = "1970-01-05"
const SECOND = "1970-01-12"

const asked = (fields: Partial<Demand> = {}): Demand => ({
  brief: "podcasts about hiking",
  countries: ["AT", "DE"],
  formats: ["audio 30 s"],
  budget: { amount: 7_512, currency: "EUR" },
  matched: 0,
  products: ["p1", "p2"],
  isNextPage: false,
  ...fields,
})

const ALL = { offset: 0, limit: 100 }

export const demandContract: Contract = (engine) => {
  describe("demand", () => {
    test("calls of all stores add up by the week, with how many matched nothing", async () => {
      await using at = await given(engine)
      for (const store of at.stores) {
        const { demand } = store
        demand.note({ at: MONDAY, agentKeyId: "k", demand: asked() })
        demand.note({
          at: MONDAY + WEEK - 1,
          agentKeyId: null,
          demand: asked({ matched: 1, budget: null, formats: [] }),
        })
        demand.note({ at: MONDAY + WEEK, agentKeyId: null, demand: null })
        await store.flushWriteBuffer()
      }
      const week = FIRST
      expect(await at.there.demand.counts(FIRST)).toEqual([
        { week, kind: "budget", value: "EUR 7500", calls: 2, unmatched: 2 },
        { week, kind: "caller", value: "", calls: 2, unmatched: 0 },
        { week, kind: "caller", value: "k", calls: 2, unmatched: 2 },
        { week, kind: "country", value: "AT", calls: 4, unmatched: 2 },
        { week, kind: "country", value: "DE", calls: 4, unmatched: 2 },
        { week, kind: "format", value: "audio 30 s", calls: 2, unmatched: 2 },
        { week, kind: "outcome", value: "matched", calls: 2, unmatched: 0 },
        { week, kind: "outcome", value: "nothing", calls: 2, unmatched: 2 },
        { week, kind: "product", value: "p1", calls: 4, unmatched: 2 },
        { week, kind: "product", value: "p2", calls: 4, unmatched: 2 },
        { week: SECOND, kind: "outcome", value: "refused", calls: 2, unmatched: 0 },
      ])
      expect(await at.there.demand.counts(SECOND)).toHaveLength(1)
    })

    test("a brief is kept once a week, with how often it was asked and what was last answered", async () => {
      await using at = await given(engine)
      const { here, there } = at
      here.demand.note({ at: MONDAY, agentKeyId: "k", demand: asked() })
      await here.flushWriteBuffer()
      there.demand.note({ at: MONDAY + 1, agentKeyId: "k", demand: asked() })
      there.demand.note({ at: MONDAY + 2, agentKeyId: "k", demand: asked({ brief: "Other" }) })
      there.demand.note({ at: MONDAY + WEEK, agentKeyId: null, demand: asked() })
      const scope = { fromWeek: FIRST, unmatched: true }
      const { briefs, count } = await there.demand.briefs(scope, ALL)
      expect(briefs.map(({ week, brief, asked: times }) => [week, brief, times])).toEqual([
        [SECOND, "podcasts about hiking", 1],
        [FIRST, "podcasts about hiking", 2],
        [FIRST, "Other", 1],
      ])
      expect(count).toBe(3)
      expect(briefs[1]).toMatchObject({
        countries: ["AT", "DE"],
        formats: ["audio 30 s"],
        budget: 7_512,
        currency: "EUR",
      })
      expect(briefs[1]).toMatchObject({ agentKeyId: "k", matched: 0, firstProduct: null, lastAt: MONDAY + 1 })
      here.demand.note({ at: MONDAY + 9, agentKeyId: "k", demand: asked({ matched: 2 }) })
      expect((await here.demand.briefs({ ...scope, unmatched: false }, ALL)).briefs).toMatchObject([
        { asked: 3, matched: 2, firstProduct: "p1" },
      ])
      expect(await here.demand.briefs(scope, { offset: 1, limit: 1 })).toMatchObject({
        count: 2,
        briefs: [{ week: FIRST }],
      })
    })

    test("what was asked before a week is deleted", async () => {
      await using at = await given(engine)
      at.here.demand.note({ at: MONDAY, agentKeyId: "k", demand: asked() })
      at.here.demand.note({ at: MONDAY + WEEK, agentKeyId: "k", demand: asked() })
      await at.here.flushWriteBuffer()
      while ((await at.there.demand.prune(SECOND, SECOND, { briefs: 10, values: 100 })) > 0);
      expect((await at.here.demand.counts(FIRST)).every(({ week }) => week === SECOND)).toBe(true)
      expect((await at.here.demand.briefs({ fromWeek: FIRST, unmatched: true }, ALL)).count).toBe(1)
    })

    test("of a week with too many, from however many servers, those asked least are forgotten", async () => {
      await using at = await given(engine)
      for (const [place, store] of [at.here, at.there].entries()) {
        for (let brief = 1; brief <= 4; brief++)
          for (let calls = 0; calls < brief; calls++)
            store.demand.note({ at: MONDAY, agentKeyId: "k", demand: asked({ brief: `${place} ${brief}` }) })
        await store.flushWriteBuffer()
      }
      const limits = { briefs: 3, values: 2 }
      let deleted = 0
      for (let more = 1; more > 0; deleted += more) more = await at.there.demand.prune(FIRST, FIRST, limits)
      const { briefs, count } = await at.here.demand.briefs({ fromWeek: FIRST, unmatched: true }, ALL)
      expect(count).toBe(3)
      expect(briefs.map(({ asked }) => asked)).toEqual([4, 4, 3])
      expect(await at.here.demand.counts(FIRST)).toHaveLength(2)
      expect(deleted).toBeGreaterThan(5)
    })
  })
}
