import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { requesterPath } from "../../../src/actions/sale/order-links.ts"
import { previewStatement, saveStatement, sumsText } from "../../../src/actions/sale/statements.ts"
import type { StorageConfig } from "../../../src/config.ts"
import { backUp, move, openStore, readEverything, restore } from "../../../src/storage/open.ts"
import type { StoreReads } from "../../../src/storage/port/store.ts"
import { givenOrder, LIGHTHOUSE, type Shop, startShop } from "../../doors/web/given-sale.ts"
import { onlyOnSqlite } from "../../engine.ts"
import { temporaryFolder } from "../../harness.ts"
import { emptyDatabase, noPostgres } from "../../storage/postgres/server.ts"

const STATED = { from: "Lighthouse", to: "=Haus", reference: "", countAll: [], added: [] }
const quietly = { waitUntilFree: async () => undefined, begins: () => undefined }

/** Everything of the sale, and where whoever ordered comes back to. */
async function saleIn(store: StoreReads) {
  const orders = await store.orders.list(null)
  const seller = await store.organizations.findBySlug(LIGHTHOUSE)
  const campaigns = (await store.campaigns.list(seller?.id ?? 0)).map(({ id }) => id)
  const context = { store, clock: () => 0, random: (bytes: number) => new Uint8Array(bytes) }
  return {
    orders,
    pages: await Promise.all(orders.map((order) => requesterPath(context as never, order))),
    statements: await store.statements.list(campaigns, seller?.id ?? 0),
  }
}

/** A shop with an order and a frozen statement, and what there is of them. */
async function givenSale(shop: Shop) {
  const page = await givenOrder(shop)
  const seller = await shop.store.organizations.findBySlug(LIGHTHOUSE)
  const campaign = await shop.store.campaigns.find(seller?.id ?? 0, "theatre-season")
  if (seller === null || campaign === null) throw new Error("there is no season")
  const of = { seller, campaign, id: null }
  const confirmed = sumsText(await previewStatement(shop, of, STATED))
  await saveStatement(shop, of, STATED, confirmed, "test")
  const sale = await saleIn(shop.store)
  expect([sale.pages, sale.statements.map(({ number }) => number)]).toEqual([[page], ["2026-001"]])
  return sale
}

async function saleAt(place: StorageConfig) {
  const { store } = await openStore(place, { create: false, stamp: "test" })
  await using _ = store
  return await saleIn(store)
}

describe("orders, statements and the pages of orders are the same", () => {
  const inFolder = (data: string) => ({ data, databaseUrl: null, backupDir: null })

  test("after an export of everything is read back", async () => {
    await using shop = await startShop()
    const sale = await givenSale(shop)
    using folder = temporaryFolder()
    await using everything = await readEverything(shop.config)
    let text = ""
    for await (const part of everything.jsonLines()) text += part
    const place = inFolder(join(folder.path, "back"))
    await restore(place, "-", { mayReplace: async () => false, stamp: "test", input: new Blob([text]).stream() })
    expect(await saleAt(place)).toEqual(sale)
  })

  test("after a backup is restored", async () => {
    await using shop = await startShop()
    const sale = await givenSale(shop)
    using folder = temporaryFolder()
    const [file, place] = [join(folder.path, "copy"), inFolder(join(folder.path, "back"))]
    await backUp(shop.config, file, false)
    await restore(place, file, { mayReplace: async () => false, stamp: "test" })
    expect(await saleAt(place)).toEqual(sale)
  })

  describe.if(noPostgres === null)("and there is PostgreSQL", () => {
    onlyOnSqlite("A move begins at a directory here.")("after a move to PostgreSQL and back", async () => {
      const shop = await startShop()
      const sale = await givenSale(shop)
      using folder = temporaryFolder()
      await using database = await emptyDatabase()
      const file = join(folder.path, "copy")
      await backUp(shop.config, file, false)
      await shop[Symbol.asyncDispose]()
      const [from, back] = [inFolder(join(folder.path, "from")), inFolder(join(folder.path, "back"))]
      await restore(from, file, { mayReplace: async () => false, stamp: "test" })
      await move(from.data, database.url, quietly)
      expect(await saleAt({ ...from, databaseUrl: database.url })).toEqual(sale)
      await move(database.url, back.data, quietly)
      expect(await saleAt(back)).toEqual(sale)
    })
  })
})
