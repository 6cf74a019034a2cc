import { expect, test } from "bun:test"
import { addedOn, type DayTotal, daysIn, stretchesOf } from "../../../src/domain/delivery/day.ts"
import { lineById } from "../../../src/storage/campaigns/lines.ts"
import { days } from "../../../src/storage/delivery/days.ts"
import { changeTimeZone } from "../../harness/data/created.ts"
import { givenLine, givenSeller, reportOne, type Seller } from "../../harness/data/given.ts"
import { type Engine, eachEngine, openStore, type TestStore } from "../../harness/store.ts"

interface Reporting extends AsyncDisposable {
  readonly store: TestStore
  readonly seller: Seller
  report(as_of: string, impressions: number): Promise<string>
  /** The totals of the line's days: `{ "2026-03-28": 5000 }`. */
  days(): Promise<Record<string, number>>
  totals(from: string, to: string): Promise<readonly DayTotal[]>
}

async function givenReporting(engine: Engine, timeZone: string): Promise<Reporting> {
  const store = await openStore(engine)
  store.setClock("2026-11-15T12:00")
  const seller = await givenSeller(store, { timeZone })
  const package_id = await givenLine(store, seller)
  const { read } = store.database
  const id = (await lineById(read, seller.id, package_id))?.id ?? 0
  const totals = async (from: string, to: string) => (await days(read, [id], from, to)).get(id) ?? []
  return {
    store,
    seller,
    report: (as_of, impressions) => reportOne(store, seller, { package_id, impressions, as_of }),
    totals,
    async days() {
      const ofAllDays = await totals("2026-03-01", "2026-11-15")
      return Object.fromEntries(ofAllDays.map(({ day, quantity }) => [day, quantity]))
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

eachEngine((engine) => {
  test("the figure received last for a day counts, even if it was sent before", async () => {
    await using line = await givenReporting(engine, "UTC")
    await line.report("2026-03-10", 5_000)
    await line.report("2026-03-10", 6_200)
    expect(await line.report("2026-03-10", 5_000)).toBe("applied")
    expect(await line.days()).toEqual({ "2026-03-10": 5_000 })
    await line.report("2026-03-11", 5_500)
    expect(await line.days()).toEqual({ "2026-03-10": 5_000, "2026-03-11": 5_500 })
  })

  test("a late figure for an older day that goes up and down again counts as received last", async () => {
    await using line = await givenReporting(engine, "UTC")
    await line.report("2026-03-12", 9_000)
    for (const figure of [5_000, 6_200, 5_000])
      expect(await line.report("2026-03-10", figure)).toBe("older_than_current")
    expect(await line.days()).toEqual({ "2026-03-10": 5_000, "2026-03-12": 9_000 })
  })

  test("a later, smaller total corrects the days before it", async () => {
    await using line = await givenReporting(engine, "UTC")
    await line.report("2026-03-10", 5_000)
    await line.report("2026-03-11", 6_000)
    await line.report("2026-03-13T08:00:00Z", 4_000)
    await line.report("2026-03-13T20:00:00Z", 7_000)
    expect(await line.days()).toEqual({ "2026-03-10": 4_000, "2026-03-11": 4_000, "2026-03-13": 7_000 })
  })

  test("days begin and end in the seller's time zone, also when clocks change", async () => {
    await using line = await givenReporting(engine, "Europe/Berlin")
    await line.report("2026-03-28T22:59:59Z", 100)
    await line.report("2026-03-28T23:00:00Z", 200)
    // The 29th has 23 hours.
    await line.report("2026-03-29T21:59:59Z", 300)
    await line.report("2026-03-29T22:00:00Z", 400)
    // The 25th of October has 25.
    await line.report("2026-10-24T22:00:00Z", 500)
    await line.report("2026-10-25T22:59:59Z", 600)
    await line.report("2026-10-25T23:00:00Z", 700)
    expect(await line.days()).toEqual({
      "2026-03-28": 100,
      "2026-03-29": 300,
      "2026-03-30": 400,
      "2026-10-25": 600,
      "2026-10-26": 700,
    })
  })

  test("a new time zone changes the days at once", async () => {
    await using line = await givenReporting(engine, "UTC")
    await line.report("2026-03-10T12:00:00Z", 100)
    await line.report("2026-03-10T23:30:00Z", 200)
    expect(await line.days()).toEqual({ "2026-03-10": 200 })
    await changeTimeZone(line.store, line.seller.id, "Europe/Berlin")
    expect(await line.days()).toEqual({ "2026-03-10": 100, "2026-03-11": 200 })
    await changeTimeZone(line.store, line.seller.id, "America/New_York")
    expect(await line.days()).toEqual({ "2026-03-10": 200 })
  })

  test("unmeasured days are one stretch with the day after them", async () => {
    await using line = await givenReporting(engine, "UTC")
    for (const [day, total] of [
      ["2026-03-02", 100],
      ["2026-03-03", 250],
      ["2026-03-07", 650],
      ["2026-06-20", 900],
    ] as const)
      await line.report(day, total)
    const stretches = stretchesOf("2026-03-01", await line.totals("2026-03-01", "2026-11-15"))
    expect(stretches.map(({ from, to, added }) => [from, to, added])).toEqual([
      ["2026-03-01", "2026-03-02", 100],
      ["2026-03-03", "2026-03-03", 150],
      ["2026-03-04", "2026-03-07", 400],
      ["2026-03-08", "2026-06-20", 250],
    ])
    expect(stretches.map(daysIn)).toEqual([2, 1, 4, 105])
    expect(addedOn(["2026-03-02", "2026-03-03", "2026-03-07"], stretches)).toEqual([null, 150, null])
  })

  test("a part of the days begins with the last one before it, and is corrected by later ones", async () => {
    await using line = await givenReporting(engine, "UTC")
    for (const [day, total] of [
      ["2026-03-02", 100],
      ["2026-05-20", 400],
      ["2026-05-21", 500],
      ["2026-11-10", 450],
    ] as const)
      await line.report(day, total)
    const part = async (from: string, to: string) =>
      (await line.totals(from, to)).map(({ day, quantity }) => [day, quantity])
    expect(await part("2026-05-20", "2026-05-31")).toEqual([
      ["2026-03-02", 100],
      ["2026-05-20", 400],
      ["2026-05-21", 450],
    ])
    expect(await part("2026-06-01", "2026-06-02")).toEqual([["2026-05-21", 450]])
    expect(await part("2026-01-01", "2026-02-28")).toEqual([])
  })

  test("a total for an earlier day than all others is found as well", async () => {
    await using line = await givenReporting(engine, "UTC")
    await line.report("2026-11-10", 500)
    await line.report("2026-03-05", 20)
    expect(await line.days()).toEqual({ "2026-03-05": 20, "2026-11-10": 500 })
  })
})
