import { expect, test } from "bun:test"
import { join } from "node:path"
import { issuePasswordLink, issueSetupLink } from "../../../src/actions/people/one-time-links.ts"
import { ON_POSTGRES } from "../../engine.ts"
import { startApp, temporaryFolder } from "../../harness.ts"
import { call } from "../agent/buyer.ts"
import { givenPerson, startMarket } from "./given.ts"
import { untilHashed, visitor } from "./visitor.ts"

const OPERATOR = { name: "Olga", email: "olga@example.com", password: "correct horse battery" }

test("the set-up link makes the first operator, who is signed in at once", async () => {
  await using app = await startApp()
  const link = (await issueSetupLink(app)) ?? ""
  const person = visitor(app)
  expect(await person.read(link)).toContain("Welcome to Adbooth")
  const answer = await person.post(link, OPERATOR)
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/app"])
  expect((await app.store.users.findByEmail("olga@example.com"))?.isOperator).toBe(true)
  expect((await person.get("/app/account")).status).toBe(200)
  expect(await issueSetupLink(app)).toBeNull()
})

test("the first operator is led in three steps to the first campaign and its share link, and may skip each", async () => {
  await using app = await startApp()
  const person = visitor(app)
  await person.post((await issueSetupLink(app)) ?? "", OPERATOR)
  expect((await person.get("/app")).headers.get("location")).toBe("/app/set-up")
  const page = await person.read("/app/set-up")
  for (const text of ["Set up your booth", 'aria-current="step">Your booth', "Skip set-up"])
    expect(page).toContain(text)
  const refused = await person.post("/app/set-up", {
    name: "Zebra Audio",
    slug: "",
    time_zone: "Mars",
    currency: "eur",
  })
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('value="Zebra Audio"')])
  const made = await person.post("/app/set-up", { name: "Zebra Audio", slug: "", time_zone: "UTC", currency: "eur" })
  const second = made.headers.get("location") ?? ""
  expect(second).toBe("/app/o/zebra-audio/new-campaign?set-up")
  const form = await person.read(second)
  for (const text of ["Your first campaign", 'value="EUR"', 'href="/app/o/zebra-audio/set-up"'])
    expect(form).toContain(text)
  const line = { line_name: "Pre-roll", pricing_basis: "impressions", flight_start: "2026-11-01" }
  // The buyer sorts before the seller, which must lead nobody to the buyer's pages.
  const saved = await person.follow(second, { name: "Autumn", buyer: "Aardvark", ...line })
  const third = await saved.text()
  for (const text of ["Get totals in", 'href="/app/o/zebra-audio/campaigns/autumn/share"', "Go to Today"])
    expect(third).toContain(text)
  expect((await person.get("/app")).headers.get("location")).toBe("/app/o/zebra-audio")
  expect((await person.get("/app/set-up")).headers.get("location")).toBe("/app")
  expect((await app.store.users.findByEmail(OPERATOR.email))?.memberships).toMatchObject([{ role: "admin" }])
})

test.skipIf(ON_POSTGRES)(
  "until there is somebody, the front page says how to get the link; set-up stays in the menu until there is a line",
  async () => {
    using folder = temporaryFolder()
    const data = join(folder.path, "ad booth")
    await using app = await startApp({ options: { data } })
    const front = await app.fetch("/", { headers: { Accept: "text/html" } })
    const text = await front.text()
    expect([front.status, text]).toEqual([405, expect.stringContaining("Adbooth is being set up")])
    expect(text).toContain(`adbooth user setup-link --data '${data}'`)
    const person = visitor(app)
    await person.post((await issueSetupLink(app)) ?? "", OPERATOR)
    expect(await (await app.fetch("/", { headers: { Accept: "text/html" } })).text()).toContain(
      "Advertising is sold here",
    )
    expect(await person.read("/app/operator/system")).toContain('href="/app/set-up"')
    await person.post("/app/set-up", { name: "Zebra", slug: "zebra", time_zone: "berlin", currency: "eur" })
    expect((await app.store.organizations.findBySlug("zebra"))?.timeZone).toBe("Europe/Berlin")
    const today = await person.read("/app/o/zebra")
    expect(today).toContain('href="/app/o/zebra/new-campaign?set-up"')
    const line = { line_name: "Pre-roll", pricing_basis: "impressions", flight_start: "2026-11-01" }
    await person.post("/app/o/zebra/new-campaign?set-up", { name: "Autumn", buyer: "Aardvark", ...line })
    expect(await person.read("/app/o/zebra")).not.toContain("?set-up")
  },
)

test("what Today counts it lists, also while nothing runs", async () => {
  await using app = await startApp()
  const person = visitor(app)
  await person.post((await issueSetupLink(app)) ?? "", OPERATOR)
  await person.post("/app/set-up", { name: "Zebra", slug: "zebra", time_zone: "UTC", currency: "eur" })
  const today = await person.read("/app/o/zebra")
  const [, count = "0"] = /(\d+) things? needs? you/.exec(today) ?? []
  expect(Number(count)).toBeGreaterThan(0)
  const list = /<ul class="todo">.*?<\/ul>/s.exec(today)?.[0] ?? ""
  expect(list.match(/<li/g)).toHaveLength(Number(count))
})

test("the first operator is asked whom buyers ask", async () => {
  await using app = await startApp()
  const person = visitor(app)
  await person.post((await issueSetupLink(app)) ?? "", OPERATOR)
  expect(await person.read("/app/set-up")).toMatch(/name="contact"[^>]*value="olga@example.com"/)
  const booth = { name: "Zebra", slug: "zebra", time_zone: "UTC", currency: "eur" }
  const refused = await person.post("/app/set-up", { ...booth, contact: "" })
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("Enter an address")])
  await person.post("/app/set-up", { ...booth, contact: "sales@zebra.example" })
  const { message } = await call(app, "get_products")
  expect(message).toContain("ask sales@zebra.example for one")
})

test("the first operator is not asked whom buyers ask where that is known", async () => {
  await using told = await startApp({ chosen: { agent_contact: "ads@zebra.example" } })
  const other = visitor(told)
  await other.post((await issueSetupLink(told)) ?? "", OPERATOR)
  expect(await other.read("/app/set-up")).not.toContain('name="contact"')
})

test("the currency of the first run is in the organization's settings, and new lines and products start with it", async () => {
  await using app = await startApp()
  const person = visitor(app)
  await person.post((await issueSetupLink(app)) ?? "", OPERATOR)
  await person.post("/app/set-up", { name: "Zebra", slug: "zebra", time_zone: "UTC", currency: "eur" })
  const [settings, fields] = ["/app/o/zebra/settings", { name: "Zebra", time_zone: "UTC" }]
  expect(await person.read(settings)).toMatch(/name="currency"[^>]*value="EUR"/)
  expect((await person.edit(settings, { ...fields, currency: "franc" })).status).toBe(422)
  await person.edit(settings, { ...fields, currency: "chf" })
  expect(await person.read("/app/o/zebra/new-campaign")).toMatch(/name="currency"[^>]*value="CHF"/)
  expect(await person.read("/app/operator/products/new")).toMatch(/name="prices\.0\.currency"[^>]*value="CHF"/)
})

test("of many who use the set-up link at the same time, one becomes the operator", async () => {
  await using app = await startApp()
  const link = (await issueSetupLink(app)) ?? ""
  const claims = Array.from({ length: 4 }, (_, i) =>
    untilHashed(() => visitor(app).post(link, { ...OPERATOR, email: `o${i}@example.com` })),
  )
  const statuses = (await Promise.all(claims)).map(({ status }) => status).sort()
  expect(statuses).toEqual([303, 404, 404, 404])
  expect(await app.store.users.list()).toHaveLength(1)
})

test("the set-up link works for 30 minutes, and is never logged", async () => {
  await using app = await startApp()
  const link = (await issueSetupLink(app)) ?? ""
  app.clock.advance({ minutes: 29 })
  expect((await visitor(app).get(link)).status).toBe(200)
  app.clock.advance({ minutes: 2 })
  expect((await visitor(app).get(link)).status).toBe(404)
  expect((await visitor(app).post(link, OPERATOR)).status).toBe(404)
  expect(app.logged.join("")).not.toContain(link.split("/").at(-1) ?? "")
})

test("what is wrong with a form is said beside the field, and what was typed stays, except the password", async () => {
  await using app = await startApp()
  const link = (await issueSetupLink(app)) ?? ""
  const answer = await visitor(app).post(link, { name: "Olga", email: "olga", password: "short" })
  const html = await answer.text()
  expect(answer.status).toBe(422)
  expect(html).toMatch(/id="email-error">.{0,400}Enter a valid email address\./)
  expect(html).toMatch(/id="password-error">.{0,400}A password needs at least 12 characters\./)
  expect(html).toContain('value="Olga"')
  expect(html).not.toContain("short")
})

test("a password link is for one person and one use", async () => {
  await using app = await startMarket()
  const link = await issuePasswordLink(app, await givenPerson(app, { of: "acme-audio" }), "test")
  const person = visitor(app)
  expect((await person.post(link, { password: "correct horse battery" })).headers.get("location")).toBe("/app")
  expect((await person.get("/app/o/acme-audio/campaigns")).status).toBe(200)
  expect((await visitor(app).get(link)).status).toBe(404)
})
