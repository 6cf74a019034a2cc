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
  return { app, olga, sees: `/app/operator/agent-key/${key?.id}` }
}

/** Each product of the page with what is said about it. */
function saidIn(html: string): string[][] {
  return [...html.matchAll(/<h3>(.*?)<\/h3>([\s\S]*?)<\/li>/g)].map(([, name = "", rest = ""]) =>
    [
      name.replace(/<span[\s\S]*/, ""),
      ...[...rest.matchAll(/<span>([\s\S]*?)<\/span>/g)].map(([, reason = ""]) => reason),
    ].map((text) =>
      text
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll("&quot;", '"')
        .trim(),
    ),
  )
}

test("each product has its reasons, and each missing one the reason that it is", async () => {
  const { app, olga, sees } = await givenCatalogue()
  await using _ = app
  expect(saidIn(await olga.read(`${sees}?brief=podcast+in+Austria&countries=at`))).toEqual([
    ["City Walks", "Podcast, shown in AT."],
    ["Banner", "Shown in France only."],
    ["Cinema", "Hidden from this buyer."],
    ["Summer", "Expired on 1 Nov 2026, 00:00 UTC."],
  ])
})

test("what the agent would refuse is said in its words", async () => {
  const { app, olga, sees } = await givenCatalogue()
  await using _ = app
  expect(await olga.read(`${sees}?countries=germany`)).toContain("filters.countries[0] must be a country code")
})

test("a long catalogue is shown in pages", async () => {
  const { app, olga, sees } = await givenCatalogue(120)
  await using _ = app
  const closed = (html: string) => saidIn(html).filter(([, why]) => why === "Hidden from this buyer.").length
  const first = await olga.read(sees)
  expect(first).toContain("122 products")
  expect(closed(first)).toBe(50)
  expect(closed(await olga.read(`${sees}?missing=100`))).toBe(21)
})

test("the page of a product says which buyer's key sees it, and leads to where that is changed", async () => {
  const { app, olga } = await givenCatalogue()
  await using _ = app
  const [key] = await app.store.agentKeys.list()
  const html = await olga.read("/app/operator/product/walks")
  expect(html).toMatch(new RegExp(`${key?.label}.*<b>AT</b>.*<b>DE</b>.*Change countries`, "s"))
  expect((await olga.get(`/app/operator/product/walks/open/${key?.id}`)).status).toBe(200)
})
