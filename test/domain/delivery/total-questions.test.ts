import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { PacedLine } from "../../../src/domain/campaign/line-state.ts"
import type { DeliveryTotal } from "../../../src/domain/delivery/delivery.ts"
import { answerTo, neighboursIn, questionsAbout } from "../../../src/domain/delivery/total-questions.ts"
import { parseTimestamp } from "../../../src/domain/time/moment.ts"
import { endOfDay } from "../../../src/domain/time/time-zone.ts"

const ZONE = "Europe/Berlin"
const NOBODY = { earlier: undefined, later: undefined }
const on = (day: number) => endOfDay(`2026-11-${String(day).padStart(2, "0")}`, ZONE)
const total = (quantity: number, day: number): DeliveryTotal => ({ quantity, asOf: on(day) })

/** 300,000 impressions in 30 days: 10,000 a day. */
const line = (more: Partial<PacedLine> = {}): PacedLine => ({
  pricingBasis: "impressions",
  flightStart: "2026-11-01",
  flightEnd: "2026-11-30",
  booked: 300_000,
  total: null,
  ...more,
})

const kinds = (sent: DeliveryTotal, of: PacedLine, around: Parameters<typeof questionsAbout>[2] = NOBODY) =>
  questionsAbout(sent, of, around, ZONE).map(({ kind }): string => kind)

type Case = readonly [about: string, sent: DeliveryTotal, line: PacedLine, asked: readonly string[]]

const at15 = line({ total: total(150_000, 15) })
const open = (quantity: number, day: number) => line({ booked: null, flightEnd: null, total: total(quantity, day) })

const CASES: readonly Case[] = [
  ["a day's figure in place of the total", total(5, 16), at15, ["lower"]],
  ["one less than the current total", total(149_999, 16), at15, ["lower"]],
  ["less at the same moment", total(149_999, 15), at15, ["lower"]],
  ["nothing any more", total(0, 16), at15, ["lower"]],
  ["the same again", total(150_000, 16), at15, []],
  ["the next day as planned", total(160_000, 16), at15, []],
  ["five times the usual of a day", total(200_000, 16), at15, []],
  ["more than five times the usual of a day", total(200_001, 16), at15, ["above_pace"]],
  ["five times the usual of two days", total(250_000, 17), at15, []],
  ["more within an hour than in five days", { quantity: 200_001, asOf: on(15) + 3_600_000_000 }, at15, ["above_pace"]],
  ["half as much again as booked", total(450_000, 30), at15, []],
  ["more than half as much again as booked", total(450_001, 30), at15, ["above_booked"]],
  ["a digit too many", total(1_600_000, 16), at15, ["above_booked", "above_pace"]],
  ["far above booked as it was before", total(480_000, 16), line({ total: total(470_000, 15) }), []],
  ["a first total on its first day", total(30_000, 1), line(), []],
  ["a first total of five days on its first day", total(50_001, 1), line(), ["above_pace"]],
  ["a first total in the middle of the flight", total(150_000, 15), line(), []],
  ["a very small first total", total(5, 15), line(), []],
  ["a small start that grows", total(30_000, 3), line({ total: total(1, 2) }), []],
  ["a small booking that is delivered at once", total(99, 1), line({ booked: 1_000 }), []],
  ["a first total without a plan", total(9_000_000, 3), line({ booked: null, flightEnd: null }), []],
  ["a first total without an end", total(200_000, 3), line({ flightEnd: null }), []],
  ["a small start without a plan", total(9_999, 2), open(10, 1), []],
  ["a leap without a plan", total(200_000, 11), open(20_000, 10), ["above_pace"]],
  ["a step of the usual size without a plan", total(22_000, 11), open(20_000, 10), []],
  ["after nothing at all without a plan", total(50_000, 11), open(0, 10), []],
  ["nothing booked", total(5, 3), line({ booked: 0 }), []],
]

describe("before a total is reported", () => {
  test.each(CASES)("%s", (_, sent, of, asked) => {
    expect(kinds(sent, of)).toEqual([...asked])
  })
})

describe("a late total, older than the current one", () => {
  const around = { earlier: total(100_000, 10), later: total(120_000, 12) }
  test.each([
    ["fits between those around it", 110_000, around, []],
    ["equals the earlier one", 100_000, around, []],
    ["equals the later one", 120_000, around, []],
    ["is less than an earlier one", 99_999, around, ["below_earlier"]],
    ["is more than a later one", 120_001, around, ["above_later"]],
    ["is the first of all", 5, { ...around, earlier: undefined }, []],
    [
      "is more than one measured later, and the first of all",
      120_001,
      { ...around, earlier: undefined },
      ["above_later"],
    ],
  ])("that %s", (_, quantity, neighbours, asked: string[]) => {
    expect(kinds(total(quantity, 11), at15, neighbours)).toEqual(asked)
  })
})

describe("a flat-rate line", () => {
  const flat = line({ pricingBasis: "flat_rate", booked: null })
  test.each([
    ["before its flight is over", flat, 29, ["delivered_early"]],
    ["on its last day", flat, 30, []],
    ["without an end", { ...flat, flightEnd: null }, 15, []],
    ["that is delivered already", { ...flat, total: total(1, 10) }, 15, []],
  ])("%s", (_, of, day, asked: string[]) => {
    expect(kinds(total(1, day), of)).toEqual(asked)
  })
})

describe("an answer", () => {
  const questions = questionsAbout(total(5, 16), at15, NOBODY, ZONE)
  const asked = { lineId: 1, current: at15.total, quantity: 5, questions }
  test("is needed only where something was asked", () => {
    expect(answerTo([{ ...asked, questions: [] }])).toBe("")
    expect(answerTo([])).toBe("")
    expect(answerTo([asked])).not.toBe("")
  })

  test.each([
    ["another figure", { ...asked, quantity: 6 }],
    ["another current total", { ...asked, current: total(150_001, 15) }],
    ["another time of the current total", { ...asked, current: { quantity: 150_000, asOf: on(15) + 1 } }],
    ["another line", { ...asked, lineId: 2 }],
    ["another question", { ...asked, questions: [{ kind: "above_booked", booked: 3 } as const] }],
  ])("does not fit %s", (_, other) => {
    expect(answerTo([other])).not.toBe(answerTo([asked]))
  })
})

test("the totals around a moment are the nearest ones, whatever the order of arrival", () => {
  const start = parseTimestamp("2026-11-01T00:00:00Z") ?? 0
  const totals = fc.array(fc.record({ asOf: fc.nat(20).map((hour) => start + hour), quantity: fc.nat(1_000) }))
  fc.assert(
    fc.property(totals, fc.nat(21), (arrived, hour) => {
      const last = new Map(arrived.map((one) => [one.asOf, one]))
      const inTime = [...last.values()].sort((one, other) => one.asOf - other.asOf)
      const asOf = start + hour
      expect(neighboursIn(arrived)(asOf)).toEqual({
        earlier: inTime.findLast((one) => one.asOf < asOf),
        later: inTime.find((one) => one.asOf > asOf),
      })
    }),
  )
})
