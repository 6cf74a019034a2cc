import { expect, test } from "bun:test"
import { sqliteStore } from "../../src/storage/sqlite/index.ts"
import { givenOrganization, givenPackageLine } from "../given.ts"
import { movableClock, nextTurn, startApp } from "../harness.ts"

test("a line that changed is judged by its new terms at once, also when another process changed it", async () => {
  await using app = await startApp()
  await using elsewhere = sqliteStore(app.config.data, "test").store
  const command = { ...app, store: elsewhere, clock: movableClock("2026-11-15T12:00:00Z") }
  const { packageId, seller } = await givenPackageLine(app, { flightStart: "2026-11-01" })
  const termsNow = async () => (await app.store.deliveries.linesSold(seller.id, [packageId])).found[0]

  expect(await termsNow()).toMatchObject({ flightStart: "2026-11-01", pricingBasis: "impressions" })
  await givenPackageLine(command, { packageId, seller, flightStart: "2026-12-01" })
  await nextTurn()
  expect(await termsNow()).toMatchObject({ flightStart: "2026-12-01", pricingBasis: "impressions" })
})

test("a line that changed hands is sold by its new seller only", async () => {
  await using app = await startApp()
  const { packageId, seller } = await givenPackageLine(app)
  const buyerOfTheLine = await givenOrganization(app)
  const isSoldBy = async (id: number) => (await app.store.deliveries.linesSold(id, [packageId])).found[0] !== undefined

  expect([await isSoldBy(seller.id), await isSoldBy(buyerOfTheLine.id)]).toEqual([true, false])
  await givenPackageLine(app, { packageId, seller: buyerOfTheLine })
  expect([await isSoldBy(seller.id), await isSoldBy(buyerOfTheLine.id)]).toEqual([false, true])
})

test("what is not there is looked for again, so that it is found as soon as it is", async () => {
  await using app = await startApp()
  const seller = await givenOrganization(app)
  const packageId = crypto.randomUUID()
  const found = async () => (await app.store.deliveries.linesSold(seller.id, [packageId])).found
  expect(await found()).toEqual([undefined])
  await givenPackageLine(app, { packageId, seller })
  expect(await found()).toMatchObject([{ flightStart: "2026-11-01" }])
})
