import { expect, test } from "bun:test"
import { partsBeyond, partsOf, settledParts } from "../../../src/domain/sale/settled.ts"
import type { Stated, StatementBody } from "../../../src/domain/sale/statement.ts"
import { endOfDay } from "../../../src/domain/time/time-zone.ts"

const UTC = "UTC"
const at = (day: string, quantity: number) => ({ asOf: endOfDay(day, UTC), quantity })

const LINE = {
  packageId: "p",
  name: "Pre-roll",
  pricingBasis: "impressions",
  rate: 10,
  currency: "EUR",
  booked: 5_000,
  flightStart: "2026-09-10",
  flightEnd: "2026-12-31",
} as const

const inDays = (totals: readonly ReturnType<typeof at>[], countsAll = false) =>
  partsOf({ ...LINE, total: totals.at(-1) ?? null }, totals, UTC, countsAll).map(({ from, to, amount }) => [
    `${from} ${to}`,
    amount,
  ])

test("what a line comes to is divided by months; days of several that were reported together are one part", () => {
  expect(inDays([])).toEqual([])
  expect(inDays([at("2026-09-30", 1_000)])).toEqual([["2026-09-01 2026-09-30", "10.00"]])
  const across = [at("2026-09-12", 500), at("2026-10-03", 1_500), at("2026-10-04", 2_000), at("2026-11-01", 9_000)]
  expect(inDays(across)).toEqual([
    ["2026-09-01 2026-09-30", "5.00"],
    ["2026-09-13 2026-10-03", "10.00"],
    ["2026-10-01 2026-10-31", "5.00"],
    ["2026-10-05 2026-11-01", "30.00"],
  ])
  expect(inDays(across, true).at(-1)).toEqual(["2026-10-05 2026-11-01", "70.00"])
})

test("a flat rate is of the month in which it was delivered", () => {
  const line = { ...LINE, pricingBasis: "flat_rate" as const, booked: null, total: at("2026-11-02", 1) }
  expect(partsOf(line, [], UTC)).toMatchObject([{ from: "2026-11-01", to: "2026-11-30", amount: "10.00" }])
})

const body = (more: Partial<StatementBody>): StatementBody => ({
  ...{ from: "", to: "", reference: "", campaign: "", zone: UTC, lines: [], added: [], corrected: null },
  ...{ period: { from: "2026-09-10", to: "2026-12-31" }, asOf: endOfDay("2026-11-03", UTC), ...more },
})
const frozen = (number: number, more: Partial<StatementBody>): Stated => ({
  state: "frozen",
  frozenAt: number,
  body: body(more),
})

test("a statement that was frozen before its parts were kept settled all of it, over all of its days", () => {
  const old = frozen(1, { added: [{ what: "other", text: "", amount: "7.00", currency: "EUR" }] })
  expect(settledParts([old])).toMatchObject([{ from: "2026-09-10", to: "2026-11-03", amount: "7.00" }])
  const month = { packageId: "p", from: "2026-11-01", to: "2026-11-30", currency: "EUR", amount: "9.00" }
  // The next one divides it, and is 2.00 more in all.
  expect(partsBeyond([old], [month], [], "2026-12-01").map(({ amount }) => amount)).toEqual(["9.00", "-7.00"])
})

test("what is added by hand is settled on the day of its statement, once", () => {
  const added = [{ currency: "EUR", amount: "50.00" }]
  const settles = partsBeyond([], [], added, "2026-11-04")
  expect(settles).toEqual([{ packageId: null, from: "2026-11-04", to: "2026-11-04", currency: "EUR", amount: "50.00" }])
  expect(partsBeyond([frozen(1, { settles })], [], added, "2026-12-01")).toEqual([])
})
