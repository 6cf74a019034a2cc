import { expect, test } from "bun:test"
import {
  ask,
  breakProduct,
  givenBuyer,
  givenProduct,
  givenShown,
  preview,
  productOf,
  show,
} from "../harness/agent/agent.ts"
import { startApp } from "../harness/app.ts"

// "Ask as this buyer would": what the operator sees of an answer, and why products are missing in it.

test("the preview is the agent's own answer, with its message, and lists every product once", async () => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("a", { channels: ["podcast"] }), productOf("b")])
  await givenProduct(app, productOf("hidden"))
  const args = { brief: "podcasts, no radio" }
  const previewed = await preview(app, buyer, args)
  expect(previewed.answer.payload).toEqual(await ask(app, buyer, args))
  expect(previewed.message).toContain("The brief names podcast.")
  expect(previewed.products.map(({ id }) => id)).toEqual(["a", "b"])
  expect(previewed.reading?.notInterpreted).toEqual(["no radio"])
  expect(previewed.missing).toEqual([
    { id: "hidden", name: "Product hidden", why: "Hidden from this buyer.", canShow: true },
  ])
})

test("a missing product says why: expired, elsewhere, broken", async () => {
  await using app = await startApp()
  const buyer = await givenShown(
    app,
    [productOf("expired", { expires_at: "2026-11-15T11:00:00Z" }), productOf("elsewhere"), productOf("broken")],
    { elsewhere: ["FR", "ES"] },
  )
  await breakProduct(app, "broken", "{}")
  const { missing } = await preview(app, buyer, { filters: { countries: ["DE"] } })
  const reasons = Object.fromEntries(missing.map(({ id, why, canShow }) => [id, [why, canShow]]))
  expect(reasons).toEqual({
    expired: ["Expired on 2026-11-15.", false],
    elsewhere: ["Shown in France, Spain only.", true],
    broken: ["The stored product isn’t valid. Open it and save it to see why.", false],
  })
})

test("if nothing fits, the note is a sentence", async () => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("a"), productOf("b")])
  const { message } = await preview(app, buyer, { brief: "cinema" })
  expect(message).toStartWith("The brief names cinema; none of the 2 products is cinema.")
})

test("a question that is refused has the agent's error, and no products", async () => {
  await using app = await startApp()
  const buyer = await givenBuyer(app)
  const previewed = await preview(app, buyer, { filters: { countries: ["Germany"] } })
  expect([previewed.answer.outcome, previewed.products, previewed.missing]).toEqual(["INVALID_REQUEST", [], []])
  expect(previewed.message).toContain("filters.countries[0]")
})

test("a caller without a key sees nothing, and every product is hidden", async () => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("a")])
  expect((await preview(app, null, {})).missing).toMatchObject([{ id: "a", canShow: true }])
  await show(app, buyer, "a", [])
  expect((await preview(app, buyer, {})).products).toEqual([])
})
