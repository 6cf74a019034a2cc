import { describe, expect, test } from "bun:test"
import { arrivalOf } from "../../../src/domain/delivery/current-total.ts"
import {
  DELIVERY_REASONS,
  type DeliveryItem,
  DeliveryItemInput,
  judge,
  measuredAt,
  readItem,
  receiptAt,
} from "../../../src/domain/delivery/delivery.ts"
import { packageIdSent } from "../../../src/domain/delivery/delivery-result.ts"
import { checkFor } from "../../../src/domain/schema/check.ts"
import { endOfDay } from "../../../src/domain/time/time-zone.ts"
import { at } from "../../clock.ts"

const PACKAGE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const now = at("2026-11-15T12:00:00Z")

describe("an item is understood", () => {
  test.each([
    ["impressions", { impressions: 100 }, { unit: "impressions", quantity: 100 }],
    ["no impressions yet", { impressions: 0 }, { unit: "impressions", quantity: 0 }],
    ["1e3 impressions is 1000", { impressions: JSON.parse("1e3") }, { unit: "impressions", quantity: 1000 }],
    ["the most impressions", { impressions: 2 ** 53 - 1 }, { unit: "impressions", quantity: 9007199254740991 }],
    ["the most downloads", { downloads: 2 ** 53 - 1 }, { unit: "downloads", quantity: 9007199254740991 }],
    ["downloads may have a fraction", { downloads: 1.5 }, { unit: "downloads", quantity: 1.5 }],
    ["no quantity", {}, { unit: undefined, quantity: 1 }],
    ["unknown fields are ignored", { impressions: 1, clicks: "x", "": null }, { quantity: 1 }],
    ["a date", { as_of: "2026-11-14" }, { asOf: "2026-11-14" }],
    ["a timestamp", { as_of: "2026-11-14T12:00:00+01:00" }, { asOf: at("2026-11-14T11:00:00Z") }],
  ])("%s", (_, fields, understood) => {
    expect(readItem({ package_id: PACKAGE, ...fields })).toMatchObject({ packageId: PACKAGE, ...understood })
  })

  test("package ids are compared without regard to letter case", () => {
    expect(readItem({ package_id: PACKAGE.toUpperCase() })?.packageId).toBe(PACKAGE)
  })
})

describe("invalid_item: the item is malformed", () => {
  test.each([
    ["a text of digits", { impressions: "100" }],
    ["null", { impressions: null }],
    ["true", { impressions: true }],
    ["1.5 impressions", { impressions: 1.5 }],
    ["a NaN-like text", { downloads: "NaN" }],
    ["a negative number", { impressions: -1 }],
    ["a negative fraction", { downloads: -0.5 }],
    ["a whole number above 2^53-1", { impressions: 2 ** 53 }],
    ["downloads above 2^53-1", { downloads: 2 ** 53 }],
    ["infinitely many downloads", { downloads: JSON.parse("1e400") }],
    ["both quantity fields", { impressions: 1, downloads: 1 }],
    ["both quantity fields, one of them null", { impressions: 1, downloads: null }],
    ["an array as quantity", { downloads: [1] }],
    ["as_of null", { as_of: null }],
    ["as_of a number", { as_of: 1763200000 }],
    ["as_of without an offset", { as_of: "2026-11-14T12:00:00" }],
    ["as_of on 30 February", { as_of: "2026-02-30" }],
    ["as_of at 25:00", { as_of: "2026-11-14T25:00:00Z" }],
    ["as_of empty", { as_of: "" }],
    ["no package id", { package_id: undefined }],
    ["a bad package id", { package_id: "42" }],
    ["a package id without hyphens", { package_id: PACKAGE.replaceAll("-", "") }],
    ["a package id in braces", { package_id: `{${PACKAGE}}` }],
    ["a package id with a line end", { package_id: `${PACKAGE}\n` }],
  ])("%s", (_, fields) => {
    expect(readItem({ package_id: PACKAGE, impressions: undefined, ...fields })).toBeUndefined()
  })

  test.each([[null], [undefined], [1], ["x"], [[]], [[PACKAGE]]])("an element that is no object: %p", (element) => {
    expect(readItem(element)).toBeUndefined()
    expect(packageIdSent(element)).toBe("")
  })
})

test("the published schema and the reading agree, apart from what a schema cannot say", () => {
  const check = checkFor(DeliveryItemInput)
  const values: unknown[] = [0, 1, 1.5, -1, 2 ** 53, "1", null, true, undefined]
  for (const impressions of values) {
    const item = impressions === undefined ? { package_id: PACKAGE } : { package_id: PACKAGE, impressions }
    expect(check(item).ok).toBe(readItem(item) !== undefined)
  }
})

describe("the first reason in published order is reported", () => {
  const line = (pricingBasis: "impressions" | "downloads" | "flat_rate", flightStart: string) => ({
    pricingBasis,
    flightStart,
  })
  const item = (fields: object): DeliveryItem => {
    const read = readItem({ package_id: PACKAGE, ...fields })
    if (read === undefined) throw new Error("the test needs a well-formed item")
    return read
  }
  const tomorrow = { as_of: "2026-11-16", downloads: 1 }
  const soon = { as_of: "2026-11-15T12:00:00.001Z", downloads: 1 }

  test.each([
    ["a package of another, measured tomorrow", tomorrow, undefined, "not_seller"],
    ["flight starts tomorrow, measured tomorrow", tomorrow, line("flat_rate", "2026-11-16"), "before_flight_start"],
    ["flight starts tomorrow, no as_of", { downloads: 1 }, line("flat_rate", "2026-11-16"), "before_flight_start"],
    [
      "a date before the flight",
      { as_of: "2026-11-09", downloads: 1 },
      line("flat_rate", "2026-11-10"),
      "before_flight_start",
    ],
    [
      "a time before the flight",
      { as_of: "2026-11-09T23:59:59Z" },
      line("impressions", "2026-11-10"),
      "before_flight_start",
    ],
    ["a date later than today", tomorrow, line("flat_rate", "2026-11-15"), "as_of_in_future"],
    ["a time later than now", soon, line("flat_rate", "2026-11-15"), "as_of_in_future"],
    [
      "a time whose day no date can spell",
      { as_of: "9999-12-31T23:59:59-23:59", downloads: 1 },
      line("downloads", "2026-11-15"),
      "as_of_in_future",
    ],
    ["a figure for a flat-rate line", { downloads: 0 }, line("flat_rate", "2026-11-15"), "flat_rate_takes_no_quantity"],
    ["no figure for impressions", {}, line("impressions", "2026-11-15"), "quantity_required"],
    ["no figure for downloads", {}, line("downloads", "2026-11-15"), "quantity_required"],
    ["downloads for impressions", { downloads: 1 }, line("impressions", "2026-11-15"), "quantity_required"],
    ["impressions for downloads", { impressions: 1 }, line("downloads", "2026-11-15"), "quantity_required"],
    ["nothing for a flat-rate line", {}, line("flat_rate", "2026-11-15"), undefined],
    [
      "impressions, now",
      { impressions: 1, as_of: "2026-11-15T12:00:00Z" },
      line("impressions", "2026-11-15"),
      undefined,
    ],
    ["downloads, today", { downloads: 0.5, as_of: "2026-11-15" }, line("downloads", "2026-11-01"), undefined],
  ])("%s", (_, fields, sold, reason) => {
    expect(judge(item(fields), sold, receiptAt(now, "UTC"))).toBe(reason as ReturnType<typeof judge>)
  })

  test.each([
    ["today there is already the flight start", "Pacific/Auckland", "2026-11-16", {}, undefined],
    ["today there is not yet the flight start", "America/Los_Angeles", "2026-11-15", {}, undefined],
    ["still the day before", "Pacific/Honolulu", "2026-11-16", {}, "before_flight_start"],
    ["a date that is today only there", "Pacific/Auckland", "2026-11-01", { as_of: "2026-11-16" }, undefined],
    [
      "a time on the day before, there",
      "Pacific/Auckland",
      "2026-11-16",
      { as_of: "2026-11-15T10:59:59Z" },
      "before_flight_start",
    ],
    [
      "a time on the day of the start, there",
      "Pacific/Auckland",
      "2026-11-16",
      { as_of: "2026-11-15T11:00:00Z" },
      undefined,
    ],
  ])("days are those of the organization's time zone: %s", (_, zone, flightStart, fields, reason) => {
    const verdict = judge(item(fields), line("flat_rate", flightStart), receiptAt(now, zone))
    expect(verdict).toBe(reason as ReturnType<typeof judge>)
  })

  test("the order is the published one", () => {
    expect([...DELIVERY_REASONS]).toEqual([
      "invalid_item",
      "duplicate_package_id",
      "not_seller",
      "before_flight_start",
      "as_of_in_future",
      "flat_rate_takes_no_quantity",
      "quantity_required",
      "internal_error",
    ])
  })

  test("a date means the end of that day in the zone, or the time of receipt while it is not over", () => {
    const receipt = receiptAt(now, "Europe/Berlin")
    expect(measuredAt(item({ as_of: "2026-11-14" }), receipt)).toBe(endOfDay("2026-11-14", "Europe/Berlin"))
    expect(measuredAt(item({ as_of: "2026-11-15" }), receipt)).toBe(now)
    expect(measuredAt(item({}), receipt)).toBe(now)
    expect(measuredAt(item({ as_of: "2026-11-14T23:00:00Z" }), receipt)).toBe(at("2026-11-14T23:00:00Z"))
  })
})

describe("the effect of an accepted total", () => {
  const current = { quantity: 500, asOf: now }
  test.each([
    ["the first one is applied", undefined, { quantity: 0, asOf: 0 }, "applied"],
    ["an older one changes nothing", current, { quantity: 900, asOf: now - 1 }, "older_than_current"],
    [
      "an older one with the same total changes nothing",
      current,
      { quantity: 500, asOf: now - 1 },
      "older_than_current",
    ],
    ["at equal as_of the later arrival wins", current, { quantity: 400, asOf: now }, "applied"],
    ["the same again is unchanged", current, { quantity: 500, asOf: now }, "unchanged"],
    ["the same total with a newer as_of is unchanged", current, { quantity: 500, asOf: now + 1 }, "unchanged"],
    ["a newer smaller total is a correction", current, { quantity: 1, asOf: now + 1 }, "applied"],
  ] as const)("%s", (_, before, total, effect) => {
    expect(arrivalOf(before, total).effect).toBe(effect)
  })
})
