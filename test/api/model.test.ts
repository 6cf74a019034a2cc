import { expect, test } from "bun:test"
import { startApp, type TestApp } from "../harness/app.ts"
import { givenLine, givenSeller } from "../harness/data/given.ts"
import { deliveredOf, givenKey, post } from "../harness/data/ingest.ts"
import { endOfDay, ModelLine } from "../harness/data/model.ts"
import { randomNumbers } from "../harness/data/random.ts"
import { days, lineById } from "../harness/inside.ts"
import { type Engine, eachEngine, moment } from "../harness/store.ts"

const ROUNDS = 40
const ZONE = "Europe/Berlin"
const DATES = ["2026-10-23", "2026-10-24", "2026-10-25", "2026-10-26"] as const
const TIMES = ["00:00", "01:30", "11:00", "22:30"] as const

interface Effect {
  readonly effect: string
}

async function effectOf(app: TestApp, item: object, key: string, query = ""): Promise<string> {
  const answer = (await (await post(app, { items: [item] }, { key, query })).json()) as { results: [Effect] }
  return answer.results[0].effect
}

/** In each round, three systems report totals of the same lines at once, one total a line. */
async function runRounds(engine: Engine, seed: number): Promise<void> {
  const random = randomNumbers(seed)
  await using app = await startApp({ engine, options: { limitIngest: 100_000 } })
  const seller = await givenSeller(app, { timeZone: ZONE })
  const keys = [await givenKey(app, seller), await givenKey(app, seller), await givenKey(app, seller)] as const
  const lines = [await givenLine(app, seller), await givenLine(app, seller), await givenLine(app, seller)]
  const models = new Map(lines.map((packageId) => [packageId, new ModelLine()]))

  for (let round = 0; round < ROUNDS; round++) {
    app.clock.advance({ seconds: 1 })
    const items = [...models].map(([packageId, model]) => {
      const [date, time] = [random.oneOf(DATES), random.oneOf(TIMES)]
      const isDate = random.below(2) === 0
      const asOf = isDate ? endOfDay(date, ZONE) : moment(`${date}T${time}`)
      const impressions = random.oneOf([4_000, 5_000, 6_200, 7_000])
      const item = { package_id: packageId, impressions, as_of: isDate ? date : `${date}T${time}:00Z` }
      return { item, key: random.oneOf(keys), report: () => model.report(asOf, impressions) }
    })
    const previews = await Promise.all(items.map(({ item, key }) => effectOf(app, item, key, "?dry_run=true")))
    const effects = await Promise.all(items.map(({ item, key }) => effectOf(app, item, key)))
    const expected = items.map(({ report }) => report())
    expect([previews, effects]).toEqual([expected, expected])
  }

  for (const [packageId, model] of models) {
    expect(await deliveredOf(app, { seller, packageId })).toBe(model.total()?.quantity ?? null)
    const id = (await lineById(app.database.read, seller.id, packageId))?.id ?? 0
    const totals = (await days(app.database.read, [id], "2026-10-01", "2026-11-15")).get(id) ?? []
    expect(totals.map(({ day, quantity }) => ({ day, quantity }))).toEqual(model.days(ZONE))
  }
}

eachEngine((engine) => {
  for (const seed of [1, 2])
    test(`answers, totals and days are those of the model, in run ${seed}`, () => runRounds(engine, seed))
})
