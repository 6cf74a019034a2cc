import { expect, test } from "bun:test"
import fc from "fast-check"
import { refill } from "../../../src/doors/web/sign-in/resume-after-sign-in.tsx"
import { startApp, type TestApp } from "../../harness.ts"
import { givenMarket, givenPerson } from "./given.ts"
import { type Visitor, visitor } from "./visitor.ts"

const PASSWORD = "correct horse battery"

async function givenSeller(app: TestApp): Promise<{ readonly email: string; readonly person: Visitor }> {
  await givenMarket(app)
  const id = await givenPerson(app, { of: "acme-audio", role: "admin", password: PASSWORD })
  const email = (await app.store.users.findById(id))?.email ?? ""
  return { email, person: visitor(app) }
}

const keptIn = (html: string) =>
  (/name="kept" value="([^"]*)"/.exec(html)?.[1] ?? "")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&")

const NEW = "/app/o/acme-audio/new-campaign"
const FIELDS = { name: 'Tom & "Jerry" <b>', slug: "tom-jerry", buyer: "brand-co" }

test("a form that is sent after the session has ended comes back as it was typed, and saves nothing before", async () => {
  await using app = await startApp()
  const { email, person } = await givenSeller(app)
  const asked = await person.post(NEW, FIELDS)
  const html = await asked.text()
  expect(html).toContain("Your session has ended")
  const kept = keptIn(html)
  const wrong = await person.post("/app/sign-in", { email, password: "wrong horse battery", kept })
  expect(keptIn(await wrong.text())).toBe(kept)
  const back = await person.post("/app/sign-in", { email, password: PASSWORD, kept })
  const page = await back.text()
  expect(page).toContain("Nothing has been saved yet")
  expect(page).toContain('value="Tom &amp; &quot;Jerry&quot; <b>"')
  expect(await person.read("/app/o/acme-audio/campaigns")).not.toContain("tom-jerry")
})

test("an affiliate code comes back too; the code of a second factor does not", async () => {
  await using app = await startApp()
  const { person } = await givenSeller(app)
  const kept = async (path: string) => keptIn(await (await person.post(path, { code: "AUTUMN10", slug: "x" })).text())
  expect(await kept("/app/o/acme-audio/affiliates/new")).toContain("AUTUMN10")
  expect(await kept("/app/account/two-factor")).not.toContain("AUTUMN10")
})

test("a form without anything typed leads back to its page", async () => {
  await using app = await startApp()
  const { person } = await givenSeller(app)
  const headers = { origin: app.url, referer: `${app.url}/app/o/acme-audio/keys?from=2` }
  const answer = await person.post("/app/o/acme-audio/keys", {}, headers)
  expect(answer.headers.get("location")).toBe("/app/sign-in?next=%2Fapp%2Fo%2Facme-audio%2Fkeys%3Ffrom%3D2")
})

test("a form of more than 64 KiB or 1,000 fields is not kept, and the sign-in page says so", async () => {
  await using app = await startApp()
  const { person } = await givenSeller(app)
  const headers = { origin: app.url, referer: `${app.url}${NEW}` }
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`f${i}`, ""]))
  for (const form of [{ name: "x".repeat(65_536) }, many]) {
    const answer = await person.post(NEW, form, headers)
    expect(answer.headers.get("location")).toBe(`/app/sign-in?next=${encodeURIComponent(NEW)}`)
    expect(await person.read("/app/sign-in")).toContain("too long to keep")
  }
  const most = await person.post(NEW, { name: "x".repeat(65_000) })
  expect(keptIn(await most.text())).toContain("x".repeat(65_000))
})

test("passwords are not kept, nor is anything shown to somebody else", async () => {
  await using app = await startApp()
  const { person } = await givenSeller(app)
  const asked = await (await person.post(NEW, { ...FIELDS, password: "a secret horse" })).text()
  expect(asked).not.toContain("a secret horse")
  const stranger = await givenPerson(app, { of: "brand-co", password: PASSWORD })
  const email = (await app.store.users.findById(stranger))?.email ?? ""
  const answer = await person.post("/app/sign-in", { email, password: PASSWORD, kept: keptIn(asked) })
  expect(answer.status).toBe(303)
})

test("whatever was typed is in the fields again", () => {
  const page = (name: string) =>
    `<main><form method="post" action="/a"><input name="${name}" value="old"><textarea name="t">old</textarea></form></main>`
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, two) => {
      const fields = [["x", one] as const, ["t", two] as const]
      const html = refill(page("x"), { action: "/a", from: "", fields, hadFile: false }, "") ?? ""
      const value = /name="x" value="([^"]*)"/.exec(html)?.[1] ?? ""
      expect(value.replaceAll("&quot;", '"').replaceAll("&amp;", "&")).toBe(one)
      const area = /<textarea name="t">([^<]*)<\/textarea>/.exec(html)?.[1] ?? ""
      const text = area
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&")
      expect(text.replace(/^\n(?=\n)/, "")).toBe(two)
    }),
  )
})

test("a day that was typed in words is shown as it was typed", () => {
  const page = '<main><form method="post" action="/a"><input type="date" name="d"></form></main>'
  const again = (day: string) =>
    refill(page, { action: "/a", from: "", fields: [["d", day]], hadFile: false }, "") ?? ""
  expect(again("14 Nov 2026")).toContain('<input type="text" name="d" autofocus="" value="14 Nov 2026">')
  expect(again("2026-11-14")).toContain('<input type="date" name="d" autofocus="" value="2026-11-14">')
})

test("boxes, choices and added countries come back; a pressed button does not", () => {
  const html = `<main><form method="post" action="/a#x"><div data-countries="c"><input type="checkbox" name="c" value="DE" checked>
    <input name="c_add" value=""><input type="checkbox" name="c" value="*"></div><select name="s"><option value="1" selected>
    <option value="2"></select><button name="go" value="1"></button></form></main>`
  const fields = [
    ["c", "AT"],
    ["c", "FR"],
    ["s", "2"],
    ["go", "1"],
    ["extra", '"'],
  ] as const
  const filled = refill(html, { action: "/a", from: "", fields, hadFile: false }, "") ?? ""
  expect(filled).toMatch(/value="DE"(?! checked)/)
  expect(filled).toContain('name="c_add" value="AT, FR"')
  expect(filled).toContain('<option value="1">')
  expect(filled).toContain('<option value="2" selected="">')
  expect(filled).toContain('<input type="hidden" name="extra" value="&quot;">')
  expect(filled).not.toContain('name="go" value="1">"')
})
