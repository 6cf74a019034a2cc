import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { dateOfDayNumber } from "../../../src/domain/time/moment.ts"
import { readPeriod, readTypedDay, readTypedMoment } from "../../../src/domain/time/typed-day.ts"

const BERLIN = "Europe/Berlin"
const TODAY = "2026-11-15"
const read = (day: string, time = "") => readTypedMoment(day, time, BERLIN, TODAY)

describe("a day as people type it", () => {
  test.each([
    "2026-11-04",
    "4.11.2026",
    "04.11.2026",
    "4 Nov 2026",
    "4. November 2026",
    "Nov 4, 2026",
    "November 4th, 2026",
    " 4th  nov 2026 ",
    "2026/11/4",
    "20261104",
    "Mi, 04.11.2026",
    "Wednesday, 4 November 2026",
    "mer. 4 novembre 2026",
    "4. Nov. 2026",
    "miércoles, 4 nov 2026",
    "Weds 4 Nov 2026",
  ])("%p is 4 November 2026", (text) => {
    expect(readTypedDay(text)).toEqual({ ok: true, day: "2026-11-04" })
  })

  test.each(["4/11/2026", "04-11-2026"])("%p could be two days, and both are named", (text) => {
    expect(readTypedDay(text)).toMatchObject({ ok: false, message: expect.stringContaining("2026-04-11") })
  })

  test.each([
    "",
    "30.02.2026",
    "Nov 2026",
    "32 Nov 2026",
    "4 Nix 2026",
    "4 jui 2026",
    "Nix, 04.11.2026",
    "Somme 04.11.2026",
    "Sales 4 Nov 2026",
    "Saldo 04.11.2026",
    "tomorrow",
    "2026-11-04T10:00",
  ])("%p is no day", (text) => {
    expect(readTypedDay(text).ok).toBe(false)
  })

  test("every day is read back from every form it can be written in", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), (number) => {
        const day = dateOfDayNumber(number)
        const at = Temporal.PlainDate.from(day)
        const month = at.toLocaleString("en", { month: "long" })
        const texts = [
          day,
          `${at.day}.${at.month}.${at.year}`,
          `${at.day} ${month} ${at.year}`,
          `${month.slice(0, 3)} ${at.day}, ${at.year}`,
          ...["de", "fr", "es"].map((lang) => `${at.day} ${at.toLocaleString(lang, { month: "long" })} ${at.year}`),
        ]
        for (const text of texts) expect(readTypedDay(text)).toEqual({ ok: true, day })
      }),
    )
  })
})

describe("a day and a time", () => {
  test("both empty is now, a day is its end, a time alone is today", () => {
    expect(read("")).toEqual({ ok: true, value: "" })
    expect(read("14 Nov 2026")).toEqual({ ok: true, value: "2026-11-14" })
    expect(read("", "09:30")).toEqual({ ok: true, value: "2026-11-15T08:30:00Z" })
  })

  test("are one of the organization's zone, and keep their seconds", () => {
    expect(read("2026-11-14", "18:30:45")).toEqual({ ok: true, value: "2026-11-14T17:30:45Z" })
    expect(read("2026-07-14", "18.30")).toEqual({ ok: true, value: "2026-07-14T16:30:00Z" })
    expect(read("2026-11-14T10:00:00+05:00")).toEqual({ ok: true, value: "2026-11-14T10:00:00+05:00" })
    expect(read("14 Nov 2026 18:30")).toEqual({ ok: true, value: "2026-11-14T17:30:00Z" })
  })

  test("what is wrong is said at its field", () => {
    expect(read("soon", "18:30")).toMatchObject({ ok: false, field: "day" })
    expect(read("2026-11-14", "25:00")).toMatchObject({ ok: false, field: "time" })
    expect(read("2026-11-14", "noon")).toMatchObject({ ok: false, field: "time" })
  })
})

test("a period that ends before it starts is explained at its end", () => {
  expect(readPeriod("2026-11-14", "1 Nov 2026").errors.to).toStartWith("2026-11-01 is before 2026-11-14")
  expect(readPeriod("2026-11-14", "")).toEqual({ from: "2026-11-14", to: null, errors: {} })
  expect(Object.keys(readPeriod("x", "y").errors)).toEqual(["from", "to"])
})
