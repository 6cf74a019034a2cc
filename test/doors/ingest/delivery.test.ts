import { describe, expect, test } from "bun:test"
import { endOfDay } from "../../../src/domain/time/time-zone.ts"
import { givenIngestKey, givenOrganization, givenPackageLine } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { currentTotal, DELIVERY, historyOf, post, report } from "./feed.ts"

const moment = (text: string) => Date.parse(text) * 1_000

test("each item is accepted or rejected on its own; one bad item does not block the others", async () => {
  await using app = await startApp()
  const seller = await givenOrganization(app)
  const key = await givenIngestKey(app, seller)
  const impressions = await givenPackageLine(app, { seller })
  const downloads = await givenPackageLine(app, { seller, pricingBasis: "downloads" })
  const flatRate = await givenPackageLine(app, { seller, pricingBasis: "flat_rate" })
  const answer = await report(app, key, [
    { package_id: impressions.packageId, impressions: 1000 },
    "nonsense",
    { package_id: downloads.packageId, downloads: 12.5 },
    { package_id: flatRate.packageId, impressions: 5 },
    { package_id: flatRate.packageId.toUpperCase() },
    { package_id: "not a uuid", impressions: 5 },
  ])
  expect(answer).toEqual({
    accepted: 2,
    rejected: 4,
    results: [
      { index: 0, package_id: impressions.packageId, status: "accepted", effect: "applied" },
      { index: 1, package_id: "", status: "rejected", reason: "invalid_item", message: expect.any(String) },
      { index: 2, package_id: downloads.packageId, status: "accepted", effect: "applied" },
      {
        index: 3,
        package_id: flatRate.packageId,
        status: "rejected",
        reason: "flat_rate_takes_no_quantity",
        message: expect.any(String),
      },
      {
        index: 4,
        package_id: flatRate.packageId.toUpperCase(),
        status: "rejected",
        reason: "duplicate_package_id",
        message: expect.any(String),
      },
      { index: 5, package_id: "not a uuid", status: "rejected", reason: "invalid_item", message: expect.any(String) },
    ],
  })
  expect(await currentTotal(app, impressions.packageId)).toEqual({ quantity: 1000, asOf: app.clock() })
  expect(await currentTotal(app, downloads.packageId)).toEqual({ quantity: 12.5, asOf: app.clock() })
  expect(await currentTotal(app, flatRate.packageId)).toBeNull()
})

describe("reasons are tried in the published order, and the first that holds is reported", () => {
  test("each item is also wrong in every later way", async () => {
    await using app = await startApp()
    const seller = await givenOrganization(app)
    const key = await givenIngestKey(app, seller)
    const stranger = await givenPackageLine(app, { pricingBasis: "flat_rate", flightStart: "2027-01-01" })
    const later = await givenPackageLine(app, { seller, pricingBasis: "flat_rate", flightStart: "2027-01-01" })
    const flatRate = await givenPackageLine(app, { seller, pricingBasis: "flat_rate" })
    const impressions = await givenPackageLine(app, { seller })
    const answer = await report(app, key, [
      { package_id: stranger.packageId, downloads: 1, as_of: "2027-06-01" },
      { package_id: stranger.packageId, downloads: -1, as_of: "2027-06-01" },
      { package_id: stranger.packageId, downloads: 1, as_of: "2027-06-01" },
      { package_id: later.packageId, downloads: 1, as_of: "2027-06-01" },
      { package_id: flatRate.packageId, downloads: 1, as_of: "2027-06-01" },
      { package_id: impressions.packageId, downloads: 1, as_of: "2026-11-14" },
    ])
    expect(answer.results.map(({ reason }) => reason)).toEqual([
      "not_seller",
      "invalid_item",
      "duplicate_package_id",
      "before_flight_start",
      "as_of_in_future",
      "quantity_required",
    ])
  })

  test("of several well-formed items for the same package the first is judged and the later ones are duplicates", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    const answer = await report(app, key, [
      { package_id: packageId },
      { package_id: packageId, impressions: 7 },
      { package_id: packageId.toUpperCase(), impressions: 8 },
    ])
    expect(answer.results.map(({ reason }) => reason)).toEqual([
      "quantity_required",
      "duplicate_package_id",
      "duplicate_package_id",
    ])
    expect(await currentTotal(app, packageId)).toBeNull()
  })

  test("a malformed item does not make a later one a duplicate", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    const answer = await report(app, key, [
      { package_id: packageId, impressions: "7" },
      { package_id: packageId, impressions: 8 },
    ])
    expect(answer.results.map(({ status }) => status)).toEqual(["rejected", "accepted"])
    expect(await currentTotal(app, packageId)).toMatchObject({ quantity: 8 })
  })
})

test("the item without a quantity marks a flat-rate line delivered", async () => {
  await using app = await startApp()
  const { packageId, seller } = await givenPackageLine(app, { pricingBasis: "flat_rate" })
  const key = await givenIngestKey(app, seller)
  expect((await report(app, key, [{ package_id: packageId }])).results[0]).toMatchObject({ effect: "applied" })
  expect((await report(app, key, [{ package_id: packageId }])).results[0]).toMatchObject({ effect: "unchanged" })
  expect(await currentTotal(app, packageId)).toMatchObject({ quantity: 1 })
})

describe("figures are ordered by as_of", () => {
  test("the most recent figure for a line replaces earlier ones, also when it is smaller", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    await report(app, key, [{ package_id: packageId, impressions: 500, as_of: "2026-11-10" }])
    const correction = await report(app, key, [{ package_id: packageId, impressions: 450, as_of: "2026-11-11" }])
    expect(correction.results[0]).toMatchObject({ status: "accepted", effect: "applied" })
    expect(await currentTotal(app, packageId)).toEqual({ quantity: 450, asOf: endOfDay("2026-11-11", "UTC") })
  })

  test("an older total that arrives late never overwrites a newer one, is accepted and kept in the history", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    await report(app, key, [{ package_id: packageId, impressions: 500, as_of: "2026-11-11" }])
    const late = await report(app, key, [{ package_id: packageId, impressions: 900, as_of: "2026-11-10" }])
    expect(late.results[0]).toMatchObject({ status: "accepted", effect: "older_than_current" })
    expect(await currentTotal(app, packageId)).toMatchObject({ quantity: 500 })
    expect((await historyOf(app, seller, packageId)).map(({ quantity }) => quantity)).toEqual([500, 900])
  })

  test("sending the same total twice has no further effect", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    const item = { package_id: packageId, impressions: 500, as_of: "2026-11-11T10:00:00Z" }
    expect((await report(app, key, [item])).results[0]).toMatchObject({ effect: "applied" })
    expect((await report(app, key, [item])).results[0]).toMatchObject({ status: "accepted", effect: "unchanged" })
    expect(await historyOf(app, seller, packageId)).toHaveLength(1)
  })

  test("at equal as_of the later arrival wins, also with a figure that was sent before", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    for (const impressions of [5, 6, 5]) {
      const answer = await report(app, key, [{ package_id: packageId, impressions, as_of: "2026-11-11" }])
      expect(answer.results[0]).toMatchObject({ effect: "applied" })
      expect(await currentTotal(app, packageId)).toMatchObject({ quantity: impressions })
    }
    expect((await historyOf(app, seller, packageId)).map(({ quantity }) => quantity)).toEqual([5, 6, 5])
  })

  test("the same total with a newer as_of moves the current as_of forward, so that a figure between the two does not win", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    const send = async (impressions: number, as_of: string) =>
      (await report(app, key, [{ package_id: packageId, impressions, as_of }])).results[0]?.effect
    expect(await send(500, "2026-11-10")).toBe("applied")
    expect(await send(500, "2026-11-12")).toBe("unchanged")
    expect(await send(700, "2026-11-11")).toBe("older_than_current")
    expect(await currentTotal(app, packageId)).toEqual({ quantity: 500, asOf: endOfDay("2026-11-12", "UTC") })
  })
})

describe("as_of", () => {
  test("defaults to the time the request is received", async () => {
    await using app = await startApp({ now: "2026-11-15T12:34:56.789Z" })
    const { packageId, seller } = await givenPackageLine(app)
    await report(app, await givenIngestKey(app, seller), [{ package_id: packageId, impressions: 1 }])
    expect(await currentTotal(app, packageId)).toEqual({ quantity: 1, asOf: moment("2026-11-15T12:34:56.789Z") })
  })

  test("as a date beats a figure measured during that day, in the organization's time zone", async () => {
    await using app = await startApp()
    const seller = await givenOrganization(app, { timeZone: "America/New_York" })
    const { packageId } = await givenPackageLine(app, { seller })
    const key = await givenIngestKey(app, seller)
    const send = async (impressions: number, as_of: string) =>
      (await report(app, key, [{ package_id: packageId, impressions, as_of }])).results[0]?.effect
    expect(await send(20, "2026-11-14")).toBe("applied")
    expect(await send(19, "2026-11-14T23:59:00-05:00")).toBe("older_than_current")
    expect(await send(21, "2026-11-15T00:00:00-05:00")).toBe("applied")
  })

  test("as today's date sent twice moves forward", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    const send = (impressions: number) =>
      report(app, key, [{ package_id: packageId, impressions, as_of: "2026-11-15" }])
    await send(10)
    app.clock.advance({ hours: 1 })
    expect((await send(20)).results[0]).toMatchObject({ effect: "applied" })
    expect(await currentTotal(app, packageId)).toEqual({ quantity: 20, asOf: moment("2026-11-15T13:00:00Z") })
  })

  test("later than now allows no slack, and later than today there is in the future", async () => {
    await using app = await startApp()
    const seller = await givenOrganization(app, { timeZone: "Pacific/Honolulu" })
    const { packageId } = await givenPackageLine(app, { seller })
    const key = await givenIngestKey(app, seller)
    const reasons = []
    for (const as_of of ["2026-11-15T12:00:00Z", "2026-11-15T12:00:00.001Z", "2026-11-15", "2026-11-16"]) {
      reasons.push((await report(app, key, [{ package_id: packageId, impressions: 1, as_of }])).results[0]?.reason)
    }
    expect(reasons).toEqual([undefined, "as_of_in_future", undefined, "as_of_in_future"])
  })

  test("is kept to the microsecond", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const item = { package_id: packageId, impressions: 1, as_of: "2026-11-14T10:00:00.123456789+01:00" }
    await report(app, await givenIngestKey(app, seller), [item])
    expect(await currentTotal(app, packageId)).toMatchObject({ asOf: moment("2026-11-14T09:00:00.123Z") + 456 })
  })
})

test("every accepted report is kept as history: quantity, as_of, received, and by which key", async () => {
  await using app = await startApp()
  const { packageId, seller } = await givenPackageLine(app)
  const key = await givenIngestKey(app, seller)
  const [listed] = await app.store.ingestKeys.list(seller.id)
  await report(app, key, [{ package_id: packageId, impressions: 5, as_of: "2026-11-10T00:00:00Z" }])
  expect(await historyOf(app, seller, packageId)).toEqual([
    {
      quantity: 5,
      asOf: moment("2026-11-10T00:00:00Z"),
      receivedAt: app.clock(),
      source: { kind: "key", reference: listed?.id ?? "", detail: "", sender: listed?.label ?? "" },
      withdrawn: null,
      before: null,
    },
  ])
})

test("1e3 impressions is 1000, unknown fields are ignored, and of duplicate fields the last one counts", async () => {
  await using app = await startApp()
  const { packageId, seller } = await givenPackageLine(app)
  const key = await givenIngestKey(app, seller)
  const body = `{"items":[{"package_id":"${packageId}","impressions":7,"impressions":1e3,"__proto__":{"x":1},"clicks":null}],"x":[]}`
  expect((await post(app, DELIVERY, key, body)).status).toBe(200)
  expect(await currentTotal(app, packageId)).toMatchObject({ quantity: 1000 })
})

test("answers 200 with the counts even when every item is rejected", async () => {
  await using app = await startApp()
  const { seller } = await givenPackageLine(app)
  const response = await post(app, DELIVERY, await givenIngestKey(app, seller), { items: [null, 1] })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ accepted: 0, rejected: 2 })
})

test("with dry_run=true the answer is the same, says so, and nothing is written", async () => {
  await using app = await startApp()
  const { packageId, seller } = await givenPackageLine(app)
  const key = await givenIngestKey(app, seller)
  const items = [{ package_id: packageId, impressions: 5 }, 7]
  const tried = await report(app, key, items, "?dry_run=true")
  expect(tried.dry_run).toBe(true)
  expect(await currentTotal(app, packageId)).toBeNull()
  expect(await historyOf(app, seller, packageId)).toEqual([])
  const { dry_run: _, ...rest } = tried
  expect(await report(app, key, items, "?dry_run=false")).toEqual(rest)
  const again = await report(app, key, items, "?dry_run=true")
  expect(again.results[0]).toMatchObject({ status: "accepted", effect: "unchanged" })
})
