import { expect, test } from "bun:test"
import { startApp, type TestAppOptions } from "../../harness.ts"
import { call, givenBuyers, givenProduct, rpc } from "./buyer.ts"

// Official clients replace the address of the agent, which is the agent_url of formats, in every string of an answer.

/** The links to order, as a client has them that replaces the address everywhere, and as they were. */
async function linksOf(wishes: TestAppOptions) {
  const app = await startApp(wishes)
  const keys = await givenBuyers(app, [givenProduct("a"), givenProduct("b")], { one: { a: ["DE"], b: ["DE"] } })
  const wish = { key: keys["one"] }
  const { products } = await call(app, "get_products", {}, wish)
  const { result } = await rpc(app, "tools/call", { name: "get_products", arguments: {} }, wish)
  const agentUrl: string = products[0].format_ids[0].agent_url
  const links: string[] = products.map(({ ext }: { ext: { adbooth: { order_url: string } } }) => ext.adbooth.order_url)
  const lines: string[] = result.content[0].text.split("\n").filter((line: string) => line.includes("/order/"))
  return { app, agentUrl, links, lines }
}

test("a link to order outlives a client that replaces the agent's address in every string, and opens", async () => {
  const { app, agentUrl, links, lines } = await linksOf({})
  await using _ = app
  expect(agentUrl).toBe(`${app.url}/`)
  expect([links.length, lines.length]).toEqual([2, 2])
  for (const text of [...links, ...lines]) expect(text.replaceAll(agentUrl, "…")).toBe(text)
  for (const link of links) {
    expect(new URL(link).origin).toBe(app.url)
    expect((await fetch(link)).status).toBe(200)
  }
})

test.each([
  ["https://ads.example.com", "https://ads.example.com:443/order/"],
  ["http://ads.example.com", "http://ads.example.com:80/order/"],
  ["https://ads.example.com:8443", "https://ads.example.com:08443/order/"],
  ["https://[2001:db8::1]:8443", "https://[2001:db8::1]:08443/order/"],
])("at %s it begins with %s, which is the same address", async (publicUrl, start) => {
  const { app, agentUrl, links } = await linksOf({ options: { publicUrl } })
  await using _ = app
  expect(agentUrl).toBe(`${publicUrl}/`)
  for (const link of links) {
    expect(link).toStartWith(start)
    expect(link).not.toContain(agentUrl)
    expect(new URL(link).origin).toBe(publicUrl)
  }
})

test("where the agent has another address than people, the link is as people know it", async () => {
  const options = { publicUrl: "https://ads.example.com", agentUrl: "https://agent.example.com" }
  const { app, agentUrl, links } = await linksOf({ options })
  await using _ = app
  expect(agentUrl).toBe("https://agent.example.com/")
  for (const link of links) expect(link).toStartWith("https://ads.example.com/order/")
})
