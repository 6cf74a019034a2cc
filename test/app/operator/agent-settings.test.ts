import { expect, test } from "bun:test"
import { agentSettings } from "../../harness/inside.ts"
import { startOperator } from "./given.ts"

const SETTINGS = "/app/operator/agent-settings"

test("the settings are saved, and the published files follow them", async () => {
  await using site = await startOperator()
  const texts = {
    contact: "ads@news.example",
    domains: "News.example, sea.example",
    company: "News Ltd",
    logDays: "90",
  }
  const saved = await (await site.open(SETTINGS)).send({ ...texts, takesOrders: "" })
  expect(saved.text).toContain("Saved. Agents see it at once.")
  expect(saved.fields).toMatchObject({ ...texts, domains: "news.example\nsea.example", takesOrders: "" })
  expect(await agentSettings(site.app.database.read)).toEqual({
    contact: "ads@news.example",
    domains: ["news.example", "sea.example"],
    company: "News Ltd",
    takesOrders: false,
    tellsDelivery: false,
    logDays: 90,
  })
  expect((await site.app.fetch("/.well-known/adagents.json")).status).toBe(200)
  expect((await site.open("/app/operator/requests")).text).toContain("in the last 90 days")
})

test("what is empty is nobody and nothing", async () => {
  await using site = await startOperator()
  const first = await (await site.open(SETTINGS)).send({ contact: "Ask Ana", domains: "a.example", company: "A" })
  await first.send({ contact: "", domains: "", company: "" })
  const { contact, domains, company } = await agentSettings(site.app.database.read)
  expect([contact, domains, company]).toEqual([null, [], null])
  expect((await site.app.fetch("/.well-known/adagents.json")).status).toBe(404)
})

const WRONG: readonly (readonly [field: string, text: string])[] = [
  ["domains", "no domain"],
  ["company", "x".repeat(201)],
  ["contact", "x".repeat(201)],
  ["logDays", "0"],
  ["logDays", "366"],
  ["logDays", "many"],
]

for (const [field, text] of WRONG) {
  test(`${field} can't be ${text.slice(0, 10)}`, async () => {
    await using site = await startOperator()
    const refused = await (await site.open(SETTINGS)).send({ contact: "Ana", [field]: text })
    expect(refused.status).toBe(422)
    expect(refused.control(field)["aria-invalid"]).toBe("true")
    expect((await agentSettings(site.app.database.read)).contact).toBeNull()
  })
}

test("two people who change different settings both get their way", async () => {
  await using site = await startOperator()
  const [mine, theirs] = [await site.open(SETTINGS), await site.open(SETTINGS)]
  await theirs.send({ contact: "Ana" })
  const merged = await mine.send({ logDays: "7" })
  expect(merged.text).toContain("Someone else saved this while you were editing.")
  await merged.send()
  expect(await agentSettings(site.app.database.read)).toMatchObject({ contact: "Ana", logDays: 7 })
})

test("delivery is switched in the app, unless the server's option decides", async () => {
  await using site = await startOperator()
  await (await site.open(SETTINGS)).send({ tellsDelivery: "yes" })
  expect((await agentSettings(site.app.database.read)).tellsDelivery).toBe(true)

  await using decided = await startOperator({ options: { agentDelivery: false } })
  const page = await decided.open(SETTINGS)
  expect(page.text).toContain("Agents can’t read delivery. The server’s option --agent-delivery")
  expect(page.fields).not.toHaveProperty("tellsDelivery")
  expect((await page.send({ logDays: "7" })).text).toContain("Saved.")
})
