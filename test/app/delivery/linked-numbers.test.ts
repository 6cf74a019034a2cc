import { expect, test } from "bun:test"
import { type Browse, signIn } from "../../harness/browser/browse.ts"
import { namesOn } from "../given.ts"
import { startMarket } from "../market.ts"

/** The rows of a list, on all its pages. */
async function lengthOf(open: Browse, address: string): Promise<number> {
  let count = 0
  for (let next: string | undefined = address; next !== undefined; ) {
    const page = await open(next)
    count += namesOn(page).length
    next = /href="([^"]*)" rel="next"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&")
  }
  return count
}

const decoded = (address: string) => address.replaceAll("&amp;", "&")

test("a number at a choice of a list is the length of the list behind it", async () => {
  await using market = await startMarket()
  const { sellers, app } = market
  let followed = 0
  for (const [id, home] of [
    [sellers.radio, "/app/o/nordlys"],
    [sellers.podcasts, "/app/o/harbor-pine"],
    [market.buyers.travel, "/app/o/fjordreiser"],
  ] as const) {
    const open = await signIn(app, { organization: { id } })
    for (const path of ["/campaigns", "/campaigns?q=e", "/totals", "/totals?q=pre", "/affiliates"]) {
      const { html, status } = await open(home + path)
      expect([path, status]).toEqual([path, 200])
      const choices = [...html.matchAll(/<a href="([^"]*)"[^>]*>[^<]*<span[^>]*>([\d,]+)<\/span>/g)]
      for (const [, address = "", number = ""] of choices) {
        const found = await lengthOf(open, decoded(address))
        expect([address, found]).toEqual([address, Number(number)])
        followed++
      }
    }
  }
  expect(followed).toBeGreaterThan(25)
})

test("a number on Today is the length of what it leads to", async () => {
  await using market = await startMarket()
  const open = await signIn(market.app, { organization: { id: market.sellers.radio } })
  const today = await open("/app/o/nordlys")
  const todos = (html: string) => html.match(/<h3><b>/g)?.length ?? 0
  const [, all = ""] = /(\d+) to do, and/.exec(today.text) ?? []
  expect(todos((await open("/app/o/nordlys?all")).html)).toBe(Number(all))
  expect(today.text).toContain(`Needs your attention ${all}`)
  const [, running = ""] = /and (\d+) lines are running/.exec(today.text) ?? []
  expect(namesOn(today)).toHaveLength(Number(running))
  const [, due = ""] = /(\d+) lines? has no total/.exec(today.text) ?? []
  expect(await lengthOf(open, "/app/o/nordlys/totals?only=due")).toBe(Number(due))
})
