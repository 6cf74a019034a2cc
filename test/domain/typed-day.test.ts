import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { dateOfDayNumber, formatMoment } from "../../src/domain/time/moment.ts"
import { type DateOrder, readTypedDay } from "../../src/domain/time/typed-day.ts"

/** The day or the moment as text, or the error. */
function meant(text: string, order: DateOrder | null = null): string {
  const read = readTypedDay(text, order, "Europe/Berlin")
  if ("error" in read) return read.error
  return typeof read.asOf === "number" ? formatMoment(read.asOf) : read.asOf
}

const NOVEMBER_4 = [
  "2026-11-04",
  "4.11.2026",
  "04.11.26",
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
  "miércoles, 4 nov 2026",
  "4-Nov-26",
  "04-Nov-2026",
  "4/Nov/2026",
  "4 de nov. de 2026",
  "4 de noviembre de 2026",
  "4 novembro 2026",
  "4ème novembre 2026",
]

test("the first of a month in French", () => {
  expect(meant("1er novembre 2026")).toBe("2026-11-01")
})

test.each(NOVEMBER_4)("%p is 4 November 2026", (text) => {
  expect(meant(text)).toBe("2026-11-04")
})

test.each([
  "",
  "30.02.2026",
  "Nov 2026",
  "32 Nov 2026",
  "4 Nix 2026",
  "4 jui 2026",
  "Somme 04.11.2026",
  "Sales 4 Nov 2026",
  "tomorrow",
  "Total",
  "2026-11-04 25:00",
  "x".repeat(1_000),
])("%p isn't a day", (text) => {
  expect(meant(text)).toEndWith("isn’t a day. Write it as 2026-11-14.")
})

test("a day as spreadsheets number them is explained", () => {
  expect(meant("45992")).toStartWith("45992 is a day as spreadsheets number them.")
})

test("a time without an offset is one of the seller's time zone", () => {
  expect(meant("2026-11-14 18:30")).toBe("2026-11-14T17:30:00Z")
  expect(meant("Nov 02, 2026 08:00 am")).toBe("2026-11-02T07:00:00Z")
  expect(meant("2026-11-02T08:00:00+05:00")).toBe("2026-11-02T03:00:00Z")
  expect(meant("2026-11-14 18:30:00.0")).toBe("2026-11-14T17:30:00Z")
})

test("a time in UTC isn't one of the seller's time zone", () => {
  for (const text of [
    "2026-11-14 18:30:00 UTC",
    "2026-11-14 18:30 UTC",
    "14 Nov 2026 18:30:00.000 GMT",
    "14-Nov-26 6:30 PM UTC",
  ])
    expect(meant(text)).toBe("2026-11-14T18:30:00Z")
})

describe("a day with two readings", () => {
  test.each(["4/11/2026", "04-11-2026", "4/11/26"])("%p is refused with both, unless the order is known", (text) => {
    expect(meant(text)).toContain("can mean 2026-11-04 or 2026-04-11.")
    expect(meant(text, "day_first")).toBe("2026-11-04")
    expect(meant(text, "month_first")).toBe("2026-04-11")
  })

  test.each([
    ["13/11/2026", "day_first"],
    ["11/13/2026", "month_first"],
    ["13.11.2026", null],
    ["11/11/2026", null],
    ["2026-11-13", null],
  ] as const)("%p proves the order %p", (text, order) => {
    expect(readTypedDay(text, null, "UTC")).toMatchObject({ order })
  })
})

test("every day is read back from every form that it can be written in", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), (number) => {
      const day = dateOfDayNumber(number)
      const at = Temporal.PlainDate.from(day)
      const month = at.toLocaleString("en", { month: "long" })
      const texts = [
        `${at.day}.${at.month}.${at.year}`,
        `${month.slice(0, 3)} ${at.day}, ${at.year}`,
        ...["en", "de", "fr", "es", "pt"].map(
          (language) => `${at.day} ${at.toLocaleString(language, { month: "long" })} ${at.year}`,
        ),
      ]
      for (const text of texts) expect(meant(text)).toBe(day)
    }),
  )
})
