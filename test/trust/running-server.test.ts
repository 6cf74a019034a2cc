import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { recordAffiliateMetrics } from "../../src/actions/delivery/record-affiliates.ts"
import { reportDelivery } from "../../src/actions/delivery/report-delivery.ts"
import { backUp, restore } from "../../src/storage/open.ts"
import { OWN_LINE } from "../doors/web/given.ts"
import { onlyOnSqlite } from "../engine.ts"
import { nextTurn, startApp } from "../harness.ts"
import { otherProgram } from "../other-program.ts"
import { METHODS } from "../storage/contract/contract.ts"
import { observe } from "./fresh/observe.ts"
import { givenWorld, OPTIONS, type World } from "./fresh/world.ts"
import { WRITES } from "./fresh/writes.ts"

const eachOnSqlite = onlyOnSqlite(
  "Alone, each write is tried where a server keeps most in memory; all of them are on both.",
)
const testOnSqlite = onlyOnSqlite("Of a report and an edit that come together, either may be the first there.")

/** What a server that starts now, on the same file, tells everybody. */
async function freshlyTold(world: World): Promise<Record<string, string>> {
  await using fresh = await startApp({ options: OPTIONS, beside: world.app })
  return await observe(fresh, world)
}

/** What was asked where the two answers are not the same, and both from the place where they part. */
function differences(running: Record<string, string>, fresh: Record<string, string>): string[][] {
  return Object.entries(running).flatMap(([question, answer]) => {
    const other = fresh[question] ?? ""
    if (answer === other) return []
    const parts = [...answer].findIndex((character, at) => character !== other[at])
    return [[question, answer.slice(parts - 40, parts + 80), other.slice(parts - 40, parts + 80)]]
  })
}

describe("after every write that the storage port knows, a running server says what a freshly started one says", () => {
  test("the list of methods is complete", async () => {
    await using world = await givenWorld()
    const parts = Object.entries(world.app.store).flatMap(([part, methods]) => {
      if (typeof methods === "function") return [part]
      const names = Object.entries(methods).filter(([, method]) => typeof method === "function")
      return names.map(([name]) => `${part}.${name}`)
    })
    expect(parts.toSorted()).toEqual(METHODS.toSorted())
  })

  eachOnSqlite.each(Object.entries(WRITES).filter(([, { shows }]) => shows))("%s", async (_, { write }) => {
    await using world = await givenWorld()
    const before = await observe(world.app, world)
    await write(world.app.store, world)
    const after = await observe(world.app, world)
    expect(differences(after, await freshlyTold(world))).toEqual([])
    expect(after).not.toEqual(before)
  })

  test("those that nobody is told of", async () => {
    await using world = await givenWorld()
    const before = await observe(world.app, world)
    for (const { write, shows } of Object.values(WRITES)) if (!shows) await write(world.app.store, world)
    const after = await observe(world.app, world)
    expect(differences(after, await freshlyTold(world))).toEqual([])
    expect(differences(after, before)).toEqual([])
  })

  test("all of them one after the other, by another process", async () => {
    await using world = await givenWorld()
    await using elsewhere = await startApp({ options: OPTIONS, beside: world.app })
    for (const { write } of Object.values(WRITES)) {
      // Everything is asked before each, so that all of it is cached.
      await observe(world.app, world)
      await write(elsewhere.store, world)
      await nextTurn()
    }
    // A revoked key that was tried so often is refused as too many wrong keys for a minute, which a fresh server does not know.
    world.app.clock.advance({ minutes: 2 })
    // Once more, so that the keys of both were last used in the same minute.
    await observe(world.app, world)
    await world.app.store.flushWriteBuffer()
    expect(differences(await observe(world.app, world), await freshlyTold(world))).toEqual([])
  }, 600_000)

  test("a restored backup", async () => {
    await using world = await givenWorld()
    const file = join(world.app.config.data, "copy")
    await backUp(world.app.config, file, false)
    const before = await observe(world.app, world)
    for (const name of ["campaigns.editLine", "organizations.edit", "catalogue.edit"] as const)
      await WRITES[name].write(world.app.store, world)
    expect(await observe(world.app, world)).not.toEqual(before)
    await restore(world.app.config, file, { mayReplace: async () => true, stamp: "then" })
    await nextTurn()
    // The first write after a restore is refused, because it may have been decided by what the backup replaced.
    await world.app.store.health.tryWriting().catch(() => undefined)
    expect(differences(await observe(world.app, world), await freshlyTold(world))).toEqual([])
  })
})

describe("what is judged by terms that change before it is written is judged again", () => {
  const source = { kind: "key", reference: "k", detail: "" } as const
  const LINE_NOW = {
    name: "Mid-roll",
    pricingBasis: "downloads",
    flightStart: "2026-11-01",
    flightEnd: null,
    booked: null,
    rate: null,
    currency: null,
    externalId: null,
  } as const

  function reporting({ app, acme }: World, item: object) {
    const context = { ...app, log: { error: () => undefined } }
    return reportDelivery(context, { organizationId: acme.id, source }, [item], { dryRun: false })
  }

  test("a backup that is restored meanwhile: what is reported is accepted, and added to what was restored", async () => {
    await using world = await givenWorld()
    const { app, acme } = world
    const file = join(app.config.data, "copy")
    await backUp(app.config, file, false)
    await restore(app.config, file, { mayReplace: async () => true, stamp: "then" })
    const [{ accepted }, { upserted }] = await Promise.all([
      reporting(world, { package_id: OWN_LINE, impressions: 5_000_000 }),
      recordAffiliateMetrics(
        { ...app, log: { error: () => undefined } },
        { organizationId: acme.id, source },
        [{ code: "A10", date: "2026-11-15", clicks: 1 }],
        { dryRun: false },
      ),
    ])
    const lines = await app.store.packageLines.listWithTotals(acme.id)
    const line = lines.find(({ packageId }) => packageId === OWN_LINE)
    expect([accepted, upserted, line?.total?.quantity]).toEqual([1, 1, 5_000_000])
  })

  testOnSqlite("a line that is edited at the same time", async () => {
    await using world = await givenWorld()
    const { app, acme, change } = world
    const [edited, { results }] = await Promise.all([
      app.store.campaigns.editLine(acme.id, OWN_LINE, LINE_NOW, change),
      reporting(world, { package_id: OWN_LINE, impressions: 5 }),
    ])
    expect([edited, results[0]?.reason]).toEqual(["done", "quantity_required"])
  })

  testOnSqlite("a report that came first stands, and the line keeps what it is priced on", async () => {
    await using world = await givenWorld()
    const { app, acme, change } = world
    const reported = reporting(world, { package_id: OWN_LINE, impressions: 5 })
    // The report has its terms, and waits to be written, when the edit comes in the same turn.
    for (let n = 0; n < 10; n++) await Promise.resolve()
    const [{ results }] = await Promise.all([
      reported,
      app.store.campaigns.editLine(acme.id, OWN_LINE, LINE_NOW, change),
    ])
    expect(results[0]?.status).toBe("accepted")
    const { items: found } = await app.store.deliveries.linesSold(acme.id, [OWN_LINE])
    expect(found[0]?.pricingBasis).toBe("impressions")
  })

  test("a line that another process edits while the report waits for its lock", async () => {
    await using world = await givenWorld()
    await using other = otherProgram(world.app)
    await other.begin()
    const waiting = reporting(world, { package_id: OWN_LINE, impressions: 5 })
    await nextTurn()
    await other.change(`UPDATE package_line SET pricing_basis = 'downloads' WHERE package_id = '${OWN_LINE}'`)
    await other.commit()
    expect((await waiting).results[0]?.reason).toBe("quantity_required")
  })

  test("an organization whose time zone another process changes while the reports wait: its today is another day", async () => {
    await using world = await givenWorld()
    await using other = otherProgram(world.app)
    const { app, acme } = world
    const moveTo = (timeZone: string) =>
      other.change(`UPDATE organization SET time_zone = '${timeZone}' WHERE id = '${acme.id}'`)
    // It is 2026-11-15T12:00Z: the 16th in Kiritimati, the 15th in Berlin.
    await moveTo("Pacific/Kiritimati")
    await other.begin()
    const waiting = Promise.all([
      reporting(world, { package_id: OWN_LINE, impressions: 5, as_of: "2026-11-16" }),
      recordAffiliateMetrics(
        { ...app, log: { error: () => undefined } },
        { organizationId: acme.id, source },
        [{ code: "A10", date: "2026-11-16", clicks: 1 }],
        { dryRun: false },
      ),
    ])
    await nextTurn()
    await moveTo("Europe/Berlin")
    await other.commit()
    const [{ results }, metrics] = await waiting
    expect([results[0]?.reason, metrics.errors[0]?.reason]).toEqual(["as_of_in_future", "date_in_future"])
  })
})
