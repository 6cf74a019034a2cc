import { expect, test } from "bun:test"
import { reportDays, startSite } from "../given.ts"

const DAYS = Array.from({ length: 14 }, (_, i) => `2026-11-${String(i + 1).padStart(2, "0")}`)
const STEPS = 40
const EUROS = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" })

/** Numbers below a limit that look random, and are the same for the same seed. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

/** The last total by the end of a day, or a smaller one that was measured later. */
function valueThrough(day: string, totals: ReadonlyMap<string, number>): number {
  const byDay = [...totals].sort()
  const last = byDay.findLast(([each]) => each <= day)
  const later = byDay.filter(([each]) => each > day).map(([, total]) => total)
  return last === undefined ? 0 : Math.min(last[1], ...later)
}

interface Frozen {
  readonly path: string
  readonly through: string
  readonly amount: number
}

const TITLE =
  "whatever is reported, frozen and canceled, a statement is the value minus what the others billed (seed %i)"

test.each([1, 2, 3])(TITLE, async (seed) => {
  // An impression costs one euro.
  await using site = await startSite({ rate: "1000", currency: "EUR", booked: "" })
  const { app, seller, packageId, open } = site
  const random = randomNumbers(seed)
  const totals = new Map<string, number>()
  const live: Frozen[] = []

  async function freeze(through: string) {
    const draft = await open(`${seller.home}/statements/new?buyer=${seller.buyerId}&through=${through}`)
    const billed = live.reduce((sum, { amount }) => sum + amount, 0)
    const amount = valueThrough(through, totals) - billed
    // What a statement through a later day has billed isn't taken back.
    if (amount === 0 || (amount < 0 && live.some((each) => each.through > through))) {
      expect(draft.text).toContain("Earlier statements cover everything")
      return
    }
    expect(/Freeze as [\d-]+: ([^<]*)/.exec(draft.html)?.[1]).toBe(EUROS.format(amount))
    const { path } = await draft.send()
    live.push({ path, through, amount })
  }

  for (let step = 0; step < STEPS; step++) {
    const day = DAYS[random(DAYS.length)] ?? ""
    const [canceled] = random(5) === 0 ? live.splice(random(live.length + 1), 1) : []
    if (canceled !== undefined) await (await open(`${canceled.path}/cancel`)).send()
    else if (random(2) === 0) await freeze(day)
    else {
      const total = random(1_000)
      await reportDays(app, seller.id, packageId, { [day]: total })
      totals.set(day, total)
    }
  }
  expect(live).not.toEqual([])
})
