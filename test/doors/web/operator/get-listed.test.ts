import { expect, test } from "bun:test"
import { lookOutside } from "../../../../src/jobs/alerts/network.ts"
import { startApp, type TestAppOptions } from "../../../harness.ts"
import { givenBuyers, givenProduct } from "../../agent/buyer.ts"
import { givenPerson } from "../given.ts"
import { signedIn } from "../visitor.ts"

const PAGE = "/app/operator/get-listed"
const OURS = "https://ads.example.com"

/** A seller with one product on news.example, seen by the operator. */
async function given(files: Record<string, string | Error>, wishes: TestAppOptions = {}) {
  const asked: string[] = []
  const lookOutside: TestAppOptions["lookOutside"] = async (url) => {
    asked.push(url)
    const found = files[url]
    if (found instanceof Error) throw found
    return found === undefined ? { status: 404, text: "" } : { status: 200, text: found }
  }
  const app = await startApp({ ...wishes, lookOutside })
  await givenBuyers(app, [givenProduct("p", { channels: ["podcast"] })], { Buyer: { p: ["DE"] } })
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  return { app, olga, asked }
}

test("nothing is asked outside before somebody wants it, and the page says what is missing", async () => {
  const { app, olga, asked } = await given({})
  await using _ = app
  const page = await olga.read(PAGE)
  for (const text of ["A public address", "is missing", "has not been checked", "Buyers’ keys see 1 product."])
    expect(page).toContain(text)
  expect(page).toContain("&quot;podcast&quot;")
  expect(page).not.toContain("authoritative_location")
  expect(asked).toEqual([])
})

test("each domain is ticked when its file names this agent, itself or by pointing here", async () => {
  const ours = JSON.stringify({ authorized_agents: [{ url: `${OURS}/` }] })
  const pointer = JSON.stringify({ authoritative_location: `${OURS}/.well-known/adagents.json` })
  const others = JSON.stringify({ authorized_agents: [{ url: "https://other.example/" }] })
  const { app, olga, asked } = await given(
    {
      [`${OURS}/healthz`]: "ok",
      "https://news.example/.well-known/adagents.json": ours,
      "https://b.example/.well-known/adagents.json": pointer,
      "https://c.example/.well-known/adagents.json": others,
      "https://d.example/.well-known/adagents.json": "<html>",
      "https://e.example/.well-known/adagents.json": new Error("no route"),
    },
    {
      options: { publicUrl: OURS },
      chosen: { adagents_domains: "b.example,c.example,d.example,e.example,f.example" },
    },
  )
  await using _ = app
  expect(await olga.read(PAGE)).toContain("authoritative_location")
  const page = await (await olga.post(`${PAGE}/check`)).text()
  const said = [...page.matchAll(/<strong>([^<]*)<\/strong> ([^<]*)<\/h3><p>([^<]*)/g)].map(([, ...parts]) => parts)
  const of = (subject: string) =>
    said
      .find(([name]) => name === subject)
      ?.slice(1)
      .join(": ")
  expect(of("A public address")).toBe(`is set: Agents call ${OURS}/`)
  for (const domain of ["news.example", "b.example"]) expect(of(domain)).toStartWith("names your agent")
  expect(of("c.example")).toContain("names other agents only")
  expect(of("d.example")).toContain("no adagents.json")
  expect(of("e.example")).toContain("could not be reached: no route")
  expect(of("f.example")).toContain("nothing at this address yet")
  expect(asked).toHaveLength(7)
})

test("the contact is written here", async () => {
  const { app, olga } = await given({})
  await using _ = app
  expect(await (await olga.post(PAGE, { contact: "" })).text()).toContain("Enter an address")
  await olga.follow(PAGE, { contact: "sales@example.com" })
  expect(await olga.read(PAGE)).toContain("ask sales@example.com for one")
})

test("what the server publishes is chosen here, and there at once", async () => {
  const { app, olga } = await given({}, { options: { publicUrl: OURS } })
  await using _ = app
  const refused = await olga.post(`${PAGE}/published`, { domains: "news, 10.0.0.1, a.example", brand: "Example Media" })
  const page = await refused.text()
  expect([refused.status, page]).toEqual([
    422,
    expect.stringContaining("Enter domains such as example.com, not news and 10.0.0.1."),
  ])
  expect(page).toContain('value="news, 10.0.0.1, a.example"')
  expect((await app.fetch("/.well-known/adagents.json")).status).toBe(404)
  await olga.follow(`${PAGE}/published`, { domains: "A.example, b.example", brand: "Example Media" })
  const file = (await (await app.fetch("/.well-known/adagents.json")).json()) as {
    contact: object
    authorized_agents: [{ authorized_for: string }]
  }
  expect(file.authorized_agents[0].authorized_for).toBe("All inventory of a.example, b.example")
  expect((await app.fetch("/.well-known/brand.json")).status).toBe(200)
  await olga.follow(`${PAGE}/published`, { domains: "", brand: "" })
  for (const name of ["adagents.json", "brand.json"]) expect((await app.fetch(`/.well-known/${name}`)).status).toBe(404)
})

test.each(["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1"])(
  "a name that leads to %s is not looked at",
  async (address) => {
    const outcome = await lookOutside("https://inside.example/x", async () => [{ address }]).catch(String)
    expect(outcome).toContain("not a public address")
  },
)
