import { expect, test } from "bun:test"
import { startApp } from "../../../../harness.ts"
import { givenBuyers, givenProduct } from "../../../agent/buyer.ts"
import { givenPerson } from "../../given.ts"
import { signedIn } from "../../visitor.ts"

async function givenCatalogue(count = 0) {
  const app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const many = Array.from({ length: count }, (_, n) => givenProduct(`many-${n}`))
  const products = [
    givenProduct("walks", { name: "City Walks", channels: ["podcast"] }),
    givenProduct("banner", { name: "Banner", channels: ["display"] }),
    givenProduct("cinema", { name: "Cinema", channels: ["cinema"] }),
    givenProduct("summer", { name: "Summer", expires_at: "2026-11-01T00:00:00Z" }),
    ...many,
  ]
  const opened = { walks: ["DE", "AT"], banner: ["FR"], summer: ["DE"] }
  await givenBuyers(app, products, { Buyer: opened })
  const [key] = await app.store.agentKeys.list()
  return { app, olga, sees: `/app/operator/agent-key/${key?.id}/sees` }
}

/** The cells of the page's tables, without marks of HTML. */
function cellsOf(html: string): string[] {
  const cells = [...html.matchAll(/<(?:td|th scope="row")[^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = ""]) =>
    cell.replaceAll(/<[^>]*>/g, ""),
  )
  return cells.map((cell) => cell.replaceAll("&quot;", '"').trim())
}

test("each product has its reasons, and each missing one the reason that it is", async () => {
  const { app, olga, sees } = await givenCatalogue()
  await using _ = app
  const cells = cellsOf(await olga.read(`${sees}?brief=podcast+in+Austria&countries=at&channels=podcast`))
  expect(cells).toContain("Podcast, open in Austria.")
  expect(cells.slice(4)).toEqual([
    "Banner",
    "Opened in FR, not in AT (countries). Left out by channels: podcast.",
    "Cinema",
    "Not opened to this key.",
    "Summer",
    "Expired on 2026-11-01.",
  ])
})

test("other filters are typed as the agent takes them, and refused in its words", async () => {
  const { app, olga, sees } = await givenCatalogue()
  await using _ = app
  const asked = (filters: string) => olga.read(`${sees}?filters=${encodeURIComponent(filters)}`)
  expect(cellsOf(await asked('{"exclusivity":"exclusive"}'))).toContain("Left out by exclusivity: exclusive.")
  expect(await asked('{"countries":"DE"}')).toContain("filters.countries must be a list")
  expect(await asked("[1]")).toContain("Other filters must be a JSON object")
  expect(await asked('{"unheard_of":1}')).toContain("Unknown filters were ignored: unheard_of.")
})

test("a long catalogue is shown in pages, and can be searched", async () => {
  const { app, olga, sees } = await givenCatalogue(120)
  await using _ = app
  const first = await olga.read(sees)
  expect(first).toContain("122 products")
  expect(cellsOf(first).filter((cell) => cell === "Not opened to this key.").length).toBeLessThanOrEqual(50)
  const last = cellsOf(await olga.read(`${sees}?missing=100`))
  expect(last.filter((cell) => cell === "Not opened to this key.").length).toBeLessThanOrEqual(22)
  const found = cellsOf(await olga.read(`${sees}?text=many-117`))
  expect(found).toEqual(["Product many-117", "Not opened to this key."])
  const csv = await olga.read(`${sees}.csv`)
  expect(csv.trim().split("\n")).toHaveLength(125)
})
