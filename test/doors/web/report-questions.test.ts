import { expect, test } from "bun:test"
import type { ReportedTotal } from "../../../src/storage/port/store.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { DOWNLOADS_LINE, FLAT_LINE, givenMarket, givenPerson, LINE } from "./given.ts"
import { answerIn, reportLine, type TypedTotal } from "./report-anyway.ts"
import { signedIn, type Visitor } from "./visitor.ts"

const page = (line = LINE) => `/app/o/acme-audio/campaigns/autumn/lines/${line}`

const report = (person: Visitor, typed: TypedTotal, line = LINE) => reportLine(person, page(line), typed)

async function lineOf(app: TestApp, packageId: string) {
  const { id = 0 } = (await app.store.organizations.findBySlug("acme-audio")) ?? {}
  const [line] = await app.store.packageLines.findSold(id, [packageId])
  if (line === undefined) throw new Error("there is no such line")
  return line
}

const current = async (app: TestApp, packageId = LINE) => (await lineOf(app, packageId)).total?.quantity ?? null

/** A total as a feed would send it, without a question. */
async function feed(app: TestApp, quantity: number, packageId = LINE): Promise<void> {
  app.clock.advance({ seconds: 1 })
  const { lineId } = await lineOf(app, packageId)
  await record(app, [{ lineId, quantity, asOf: app.clock() }], packageId)
}

/** As many more totals, each one second after the one before. */
async function feedMany(app: TestApp, count: number): Promise<void> {
  const { lineId, total } = await lineOf(app, LINE)
  const now = app.clock()
  app.clock.advance({ seconds: count })
  const quantity = total?.quantity ?? 0
  const totals = Array.from({ length: count }, (_, i) => ({
    lineId,
    quantity: quantity + i,
    asOf: now + i * 1_000_000,
  }))
  await record(app, totals, LINE)
}

async function record(app: TestApp, totals: readonly ReportedTotal[], packageId: string): Promise<void> {
  const source = { kind: "command", reference: "", detail: "" } as const
  const { id = 0 } = (await app.store.organizations.findBySlug("acme-audio")) ?? {}
  // Judged again where the server has changed something since.
  for (let effects = null; effects === null; ) {
    const { revision, timeZone } = await app.store.deliveries.linesSold(id, [packageId])
    effects = await app.store.deliveries.record(totals, { receivedAt: app.clock(), source, timeZone }, revision)
  }
}

async function given(app: TestApp, quantity: number): Promise<Visitor> {
  await givenMarket(app)
  await feed(app, quantity)
  app.clock.advance({ hours: 1 })
  return signedIn(app, await givenPerson(app, { of: "acme-audio" }))
}

test("a lower total is not saved before its reporter has seen what it would do", async () => {
  await using app = await startApp()
  const person = await given(app, 219_000)
  const asked = await report(person, { impressions: "5" })
  const html = await asked.text()
  expect(asked.status).toBe(200)
  expect(html).toContain("The total would go down from 219,000 to 5. A total is everything delivered so far.")
  expect(html).toContain("5 is right, report it anyway")
  expect(await current(app)).toBe(219_000)

  const answered = await report(person, { impressions: "5", answer: answerIn(html) ?? "" })
  expect(answered.status).toBe(303)
  expect(await current(app)).toBe(5)
})

test("nothing typed is lost by a question: it is asked in the form, where it can be changed", async () => {
  await using app = await startApp()
  const person = await given(app, 219_000)
  const typed = { impressions: "5", as_of: "2026-11-15T12:30:00Z" }
  const asked = await report(person, typed)
  const form = await asked.text()
  expect(asked.status).toBe(200)
  expect(form).toMatch(/name="total\.[^>]*value="5"/)
  expect(form).toMatch(/name="as_of"[^>]*value="2026-11-15T12:30:00Z"/)
  expect(form).not.toContain('class="error"')
  expect(await current(app)).toBe(219_000)
  const changed = await report(person, { ...typed, impressions: "220000", answer: answerIn(form) ?? "" })
  expect(changed.status).toBe(303)
  expect(await current(app)).toBe(220_000)
})

test("an answer counts for the question that was asked: if the total has moved since, it is asked again", async () => {
  await using app = await startApp()
  const person = await given(app, 219_000)
  const answer = answerIn(await (await report(person, { impressions: "5" })).text()) ?? ""
  await feed(app, 230_000)
  const again = await (await report(person, { impressions: "5", answer })).text()
  expect(again).toContain("The total would go down from 230,000 to 5.")
  expect(await current(app)).toBe(230_000)
  // Nor does it count for another figure.
  const fresh = answerIn(again) ?? ""
  expect((await report(person, { impressions: "6", answer: fresh })).status).toBe(200)
  expect((await report(person, { impressions: "5", answer: fresh })).status).toBe(303)
  expect(await current(app)).toBe(5)
})

test("a total that moves between the judgement and the commit is noticed too", async () => {
  await using app = await startApp()
  const person = await given(app, 100)
  const { deliveries } = app.store
  const { recordUnlessOutdated } = deliveries
  let calls = 0
  Object.assign(deliveries, {
    async recordUnlessOutdated(...sent: Parameters<typeof recordUnlessOutdated>) {
      // 200 was more than the total when it was judged. By now it is not.
      if (calls++ === 0) await feed(app, 219_000)
      return recordUnlessOutdated(...sent)
    },
  })
  const answer = await report(person, { impressions: "200" })
  expect(await answer.text()).toContain("The total would go down from 219,000 to 200.")
  expect([calls, await current(app)]).toEqual([1, 219_000])
})

test("a total far above what is booked and far off the pace is asked about, and said in figures", async () => {
  await using app = await startApp()
  const person = await given(app, 219_000)
  const html = await (await report(person, { impressions: "2190000" })).text()
  expect(html).toContain("2,190,000 is far above the 500,000 booked.")
  expect(html).toMatch(/2,190,000 is far above the usual pace, which would make it about 2\d\d,\d{3}\./)
  expect(await current(app)).toBe(219_000)
})

test("a late total is asked about only where it does not fit between those around it", async () => {
  await using app = await startApp()
  const person = await given(app, 100)
  await report(person, { impressions: "50", as_of: "2026-11-10" })
  const fits = await report(person, { impressions: "70", as_of: "2026-11-12" })
  expect(fits.status).toBe(303)
  expect(await (await report(person, { impressions: "60", as_of: "2026-11-13" })).text()).toContain(
    "60 is less than the 70 measured before, on 12 Nov 2026.",
  )
  expect(await (await report(person, { impressions: "60", as_of: "2026-11-09" })).text()).toContain(
    "60 is more than the 50 measured later, on 10 Nov 2026.",
  )
  // The correction of a past day is compared with its neighbours, not with itself.
  expect((await report(person, { impressions: "60", as_of: "2026-11-12" })).status).toBe(303)
})

test("however many reports came since, a late total is compared with those around it", async () => {
  await using app = await startApp()
  const person = await given(app, 100)
  for (const [quantity, day] of [
    [50, "2026-11-10"],
    [70, "2026-11-12"],
  ])
    await report(person, { impressions: String(quantity), as_of: String(day) })
  for (const more of [1, 500, 700]) {
    await feedMany(app, more)
    expect(await (await report(person, { impressions: "60", as_of: "2026-11-13" })).text()).toContain(
      "60 is less than the 70 measured before, on 12 Nov 2026.",
    )
    expect(await (await report(person, { impressions: "60", as_of: "2026-11-09" })).text()).toContain(
      "60 is more than the 50 measured later, on 10 Nov 2026.",
    )
  }
  // At equal as_of the later arrival counts.
  await report(person, { impressions: "60", as_of: "2026-11-12" })
  expect((await report(person, { impressions: "65", as_of: "2026-11-13" })).status).toBe(303)
})

test("a flat-rate line is marked as delivered before its time only by whoever means it", async () => {
  await using app = await startApp()
  const person = await given(app, 1)
  const html = await (await report(person, {}, FLAT_LINE)).text()
  expect(html).toContain("The flight runs until 30 Nov 2026.")
  expect(await current(app, FLAT_LINE)).toBeNull()
  expect(await person.read(page(FLAT_LINE))).toContain("Mark as delivered")
  expect((await report(person, { answer: answerIn(html) ?? "" }, FLAT_LINE)).status).toBe(303)
  expect(await person.read(page(FLAT_LINE))).not.toContain("Mark as delivered<")
  expect(await person.read("/app/o/acme-audio/campaigns/autumn")).not.toContain("Mark as delivered<")
})

test("what is refused is refused before anything is asked, and an ordinary total asks nothing", async () => {
  await using app = await startApp()
  const person = await given(app, 219_000)
  expect((await report(person, { impressions: "5", as_of: "2026-11-16" })).status).toBe(422)
  expect((await report(person, { impressions: "225000" })).status).toBe(303)
  expect((await report(person, { impressions: "225000" })).status).toBe(303)
  expect((await report(person, { downloads: "12.5" }, DOWNLOADS_LINE)).status).toBe(303)
})

test("the API takes a lower total without a question", async () => {
  await using app = await startApp()
  await given(app, 219_000)
  const { id = 0 } = (await app.store.organizations.findBySlug("acme-audio")) ?? {}
  const { reportDelivery } = await import("../../../src/actions/delivery/report-delivery.ts")
  const source = { kind: "key", reference: "x", detail: "" } as const
  const context = { ...app, log: { error: () => undefined } }
  const items = [{ package_id: LINE, impressions: 5 }]
  const answer = await reportDelivery(context, { organizationId: id, source }, items, { dryRun: false })
  expect(answer.results).toMatchObject([{ status: "accepted", effect: "applied" }])
  expect(await current(app)).toBe(5)
})
