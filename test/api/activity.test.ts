import { expect, test } from "bun:test"
import { startApp } from "../harness/app.ts"
import { CODES, givenFeed, post } from "../harness/data/ingest.ts"
import { feedCounts, keyActivity, rejectedItems } from "../harness/inside.ts"
import { eachEngine } from "../harness/store.ts"

eachEngine((engine) => {
  test("sellers see what their systems sent, and what became of it", async () => {
    await using app = await startApp({ engine })
    const { key, packageId, seller } = await givenFeed(app)
    const items = [{ package_id: packageId, impressions: 1 }, 7, { package_id: key }, { package_id: packageId }]
    await post(app, { items }, { key })
    await post(app, { items }, { key, query: "?dry_run=true" })
    await post(app, "{", { key })
    await post(app, { codes: [{ packageId, code: "A" }] }, { path: CODES, key })
    await app.database.later.flush()

    const { read } = app.database
    const counts = await feedCounts(read, seller.id, 0)
    expect(counts.map(({ feed, unit, outcome, count }) => `${feed} ${unit} ${outcome} ${count}`).sort()).toEqual([
      "affiliate-codes item accepted 1",
      "affiliate-codes request answered 1",
      "delivery item accepted 1",
      "delivery item duplicate_package_id 1",
      "delivery item invalid_item 2",
      "delivery request answered 1",
      "delivery request dry_run 1",
      "delivery request invalid_json 1",
    ])
    const filter = { organizationId: seller.id, from: 0, apiKeyId: null, reason: null }
    const rejected = await rejectedItems(read, filter, { limit: 10, offset: 0 })
    const sent = ["7", '{"package_id":"abi_********"}', `{"package_id":"${packageId}"}`]
    expect(rejected.map((item) => item.sent).sort()).toEqual(sent.sort())
    expect(await keyActivity(read, seller.id)).toMatchObject([
      { lastRequest: { feed: "affiliate-codes", accepted: 1 } },
    ])
  })
})
