import { expect, test } from "bun:test"
import { withdrawReport } from "../../../src/actions/delivery/withdraw-report.ts"
import { lineById } from "../../../src/storage/campaigns/lines.ts"
import { days, totalsThrough } from "../../../src/storage/delivery/days.ts"
import { reportsBetween } from "../../../src/storage/delivery/reports.ts"
import { changeTimeZone } from "../../harness/data/created.ts"
import { givenLine, givenSeller, reportOne } from "../../harness/data/given.ts"
import { endOfDay, ModelLine } from "../../harness/data/model.ts"
import { randomNumbers } from "../../harness/data/random.ts"
import { type Engine, eachEngine, moment, openStore } from "../../harness/store.ts"

const STEPS = 60
const ZONES = ["Europe/Berlin", "America/New_York", "Pacific/Auckland", "UTC"] as const
// Clocks in Berlin changed on the 29th.
const DATES = ["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30"] as const
const TIMES = ["00:00", "03:30", "11:00", "22:30"] as const

/** Two processes report, withdraw and change the time zone in turns. */
async function runHistory(engine: Engine, seed: number): Promise<void> {
  const random = randomNumbers(seed)
  await using store = await openStore(engine)
  const processes = [store, await store.openAnother()] as const
  for (const { setClock } of processes) setClock("2026-04-02T12:00")

  let timeZone: string = "Europe/Berlin"
  const seller = await givenSeller(store, { timeZone })
  const packageIds = [await givenLine(store, seller), await givenLine(store, seller)] as const
  const models = new Map(packageIds.map((packageId) => [packageId, new ModelLine()]))

  for (let step = 0; step < STEPS; step++) {
    const process = random.oneOf(processes)
    const packageId = random.oneOf(packageIds)
    const model = models.get(packageId) ?? new ModelLine()
    const line = await lineById(process.database.read, seller.id, packageId)
    if (line === null) throw new Error("The line is missing.")

    const kind = random.below(10)
    if (kind === 0) {
      timeZone = random.oneOf(ZONES)
      await changeTimeZone(process, seller.id, timeZone)
    } else if (kind <= 2 && model.reports.length > 0) {
      const index = random.below(model.reports.length)
      const { asOf } = model.reports[index] ?? { asOf: 0 }
      const place = model.reports.slice(0, index).filter((report) => report.asOf === asOf).length
      const stored = await reportsBetween(process.database.read, [line.id], asOf, asOf)
      const { receivedAt = 0 } = stored.toSorted((a, b) => a.receivedAt - b.receivedAt)[place] ?? {}
      const withdrawn = { sellerId: seller.id, packageId, asOf, receivedAt, reason: "wrong" }
      expect(await withdrawReport(process, { actor: "test", isAdmin: true }, withdrawn)).toBe("withdrawn")
      model.withdraw(index)
    } else {
      const date = random.oneOf(DATES)
      const time = random.oneOf(TIMES)
      const isDate = random.below(2) === 0
      const asOf = isDate ? endOfDay(date, timeZone) : moment(`${date}T${time}`)
      const impressions = random.oneOf([4_000, 5_000, 6_200, 7_000])
      const item = { package_id: packageId, impressions, as_of: isDate ? date : `${date}T${time}:00Z` }
      expect(await reportOne(process, seller, item)).toBe(model.report(asOf, impressions))
    }

    for (const [packageId, model] of models) {
      const line = await lineById(process.database.read, seller.id, packageId)
      expect(line?.total ?? null).toEqual(model.total())
      const id = line?.id ?? 0
      const totals = (await days(process.database.read, [id], "2026-03-20", "2026-04-05")).get(id) ?? []
      const expected = model.days(timeZone)
      expect(totals.map(({ day, quantity }) => ({ day, quantity }))).toEqual(expected)
      const through = await totalsThrough(process.database.read, [id], "2026-03-28")
      expect(through.get(id)?.quantity).toBe(expected.findLast(({ day }) => day <= "2026-03-28")?.quantity)
    }
  }
}

eachEngine((engine) => {
  for (const seed of [1, 2, 3, 4])
    test(`totals and days follow from the list of reports, in history ${seed}`, () => runHistory(engine, seed), 30_000)
})
