import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { givenCodeId } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenMarket, givenPerson, OWN_LINE } from "./given.ts"
import { signedIn, type Visitor } from "./visitor.ts"

const AFFILIATES = "/app/o/acme-audio/affiliates"
const PAGES = ["/app/operator/audit", "/app/operator/requests", AFFILIATES]
const FILES: [string, string][] = [
  ...PAGES.map((page): [string, string] => [page, `${page}.csv`]),
  [AFFILIATES, `${AFFILIATES}/days.csv`],
]

let app: TestApp
let olga: Visitor

beforeAll(async () => {
  app = await startApp()
  await givenMarket(app)
  const acme = await app.store.organizations.findBySlug("acme-audio")
  await givenCodeId(app.store, acme?.id ?? 0, OWN_LINE, "A10")
  olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
})
afterAll(() => app[Symbol.asyncDispose]())

const inputIn = (html: string, name: string) => new RegExp(`<input[^>]* id="${name}"[^>]*>`).exec(html)?.[0] ?? ""

async function look(path: string) {
  const answer = await olga.get(path)
  const html = await answer.text()
  return { status: answer.status, html, from: inputIn(html, "from"), to: inputIn(html, "to") }
}

describe.each(PAGES)("the period of %s", (page) => {
  test("that ends before it begins is explained at its field, with both days as they were chosen", async () => {
    const { status, html, from, to } = await look(`${page}?from=2026-11-14&to=2026-11-01`)
    expect(status).toBe(422)
    expect(html).toContain("<title>Error: ")
    expect(html).toContain('<a href="#to">2026-11-01 is before 2026-11-14. Choose a later day, or swap the two.</a>')
    expect([from, to]).toEqual([expect.stringContaining("2026-11-14"), expect.stringContaining("2026-11-01")])
    expect([from, to].map((input) => input.includes('aria-invalid="true"'))).toEqual([false, true])
    // Neither figures nor the claim that there are none, and nothing was to be saved.
    expect(html).not.toMatch(/<table|No matching|yet<\/h2>|Nothing was saved|\.csv/)
  })

  test("with something that is not a day is explained, and shown as it was typed", async () => {
    const { status, from } = await look(`${page}?from=soon`)
    expect(status).toBe(422)
    expect(from).toMatch(/type="text"/)
    expect(from).toContain('value="soon"')
    expect(from).toContain('aria-invalid="true"')
  })

  test("is refused exactly when it ends before it begins", async () => {
    const day = fc.date({ min: new Date("2026-01-01"), max: new Date("2026-12-31"), noInvalidDate: true })
    const days = fc.tuple(day, day).map((both) => both.map((one) => one.toISOString().slice(0, 10)))
    await fc.assert(
      fc.asyncProperty(days, async ([from = "", to = ""]) => {
        expect((await look(`${page}?from=${from}&to=${to}`)).status).toBe(to < from ? 422 : 200)
      }),
      { numRuns: 20 },
    )
  })
})

test.each(FILES)("%s explains a period that its file %s cannot", async (page, file) => {
  const query = "?from=2026-11-14&to=2026-11-01"
  const answer = await olga.get(`${file}${query}`)
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `${page}${query}`])
  expect((await olga.get(`${file}?from=2026-11-01&to=2026-11-14`)).headers.get("content-type")).toStartWith("text/csv")
})
