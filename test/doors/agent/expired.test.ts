import { expect, test } from "bun:test"
import { formatMoment } from "../../../src/domain/time/moment.ts"
import { startApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct, post } from "./buyer.ts"

test("a product past its expires_at is not offered, from that very moment on", async () => {
  await using app = await startApp()
  const inAnHour = formatMoment(app.clock() + 3_600_000_000)
  const { Buyer: key } = await givenBuyers(
    app,
    [givenProduct("short", { expires_at: inAnHour }), givenProduct("long")],
    {
      Buyer: { short: ["*"], long: ["*"] },
    },
  )
  const ids = async () =>
    (await call(app, "get_products", { buying_mode: "wholesale" }, { key })).products.map(
      ({ product_id }: { product_id: string }) => product_id,
    )
  const refine = { buying_mode: "refine", refine: [{ scope: "product", product_id: "short" }] }
  app.clock.advance({ minutes: 59 })
  expect(await ids()).toEqual(["long", "short"])
  expect((await call(app, "get_products", refine, { key })).status).toBe("completed")
  app.clock.advance({ minutes: 1 })
  expect(await ids()).toEqual(["long"])
  const gone = await call(app, "get_products", refine, { key })
  const never = { buying_mode: "refine", refine: [{ scope: "product", product_id: "never" }] }
  expect(gone).toEqual(await call(app, "get_products", never, { key }))
  expect(gone.adcp_error.code).toBe("PRODUCT_NOT_FOUND")
  app.clock.advance({ days: 400 })
  expect(await ids()).toEqual(["long"])
  // The clock was ahead, and is set right.
  app.clock.advance({ days: -400, minutes: -30 })
  expect(await ids()).toEqual(["long", "short"])
})

test("what only an expired product offers is gone from the capabilities and formats too", async () => {
  await using app = await startApp()
  const only = givenProduct("only", {
    expires_at: formatMoment(app.clock() + 60_000_000),
    channels: ["cinema"],
    publisher_properties: [{ publisher_domain: "gone.example", selection_type: "all" }],
  })
  const { Buyer: key } = await givenBuyers(app, [only], { Buyer: { only: ["*"] } })
  const portfolio = async () => (await call(app, "get_adcp_capabilities", {}, { key })).media_buy.portfolio
  const formats = async () =>
    (await call(app, "list_creative_formats", { publisher_domain: "gone.example" }, { key })).formats.length
  expect([(await portfolio()).primary_channels, await formats()]).toEqual([["cinema"], 1])
  app.clock.advance({ minutes: 1 })
  expect([await portfolio(), await formats()]).toEqual([undefined, 0])
  expect((await post(app, { jsonrpc: "2.0", id: 1, method: "ping" }, { key })).status).toBe(200)
})
