// A day's figures belong to the line that the code pointed to when that day was first reported: the rule written down plainly, to be
// compared with what an engine tells.

export const LINES = ["first", "second", "third"] as const
export type LineName = (typeof LINES)[number]
export const CODES = ["A", "B"] as const
export const DATES = ["2026-11-01", "2026-11-02", "2026-11-03"] as const

export type AffiliateStep =
  | { readonly code: string; readonly moveTo: LineName }
  | {
      readonly code: string
      readonly date: string
      readonly clicks: number | undefined
      readonly conversions: number | undefined
    }

interface Day {
  readonly code: string
  readonly date: string
  readonly line: LineName
  clicks: number | null
  conversions: number | null
}

/** What should be seen after these steps: where each code points, and every day with its line. */
export function model(steps: readonly AffiliateStep[]) {
  const pointsTo = new Map<string, LineName>()
  const days = new Map<string, Day>()
  for (const each of steps) {
    if ("moveTo" in each) pointsTo.set(each.code, each.moveTo)
    else {
      const { code, date, clicks, conversions } = each
      const line = pointsTo.get(code)
      if (line === undefined) continue
      const day = days.get(`${code} ${date}`) ?? { code, date, line, clicks: null, conversions: null }
      day.clicks = clicks ?? day.clicks
      day.conversions = conversions ?? day.conversions
      days.set(`${code} ${date}`, day)
    }
  }
  return { pointsTo, days: [...days.values()] }
}

type Model = ReturnType<typeof model>

function sum(figures: readonly (number | null)[]): bigint | null {
  const known = figures.filter((each) => each !== null)
  return known.length === 0 ? null : BigInt(known.reduce((one, other) => one + other, 0))
}

const sums = (days: readonly Day[]) => ({
  clicks: sum(days.map((day) => day.clicks)),
  conversions: sum(days.map((day) => day.conversions)),
})

export function codesExpected({ pointsTo, days }: Model, sees: (line: LineName) => boolean) {
  return LINES.filter(sees).flatMap((line) =>
    CODES.flatMap((code) => {
      const own = days.filter((day) => day.code === code && day.line === line)
      return own.length === 0 && pointsTo.get(code) !== line ? [] : [{ code, line, ...sums(own) }]
    }),
  )
}

export function daysExpected({ days }: Model, sees: (line: LineName) => boolean) {
  return DATES.flatMap((date) => {
    const own = days.filter((day) => day.date === date && sees(day.line))
    return own.length === 0 ? [] : [{ date, ...sums(own) }]
  })
}
