import { describe, expect, test } from "bun:test"
import {
  chooseSettings,
  editProduct,
  givenBuyer,
  givenProduct,
  preview,
  productOf,
  removeProduct,
  revoke,
  show,
} from "../../harness/agent/agent.ts"
import { type Browse, type BrowsedPage, browse, signIn } from "../../harness/browser/browse.ts"
import { createOrganization } from "../../harness/inside.ts"
import { givenSeller, startSite } from "../given.ts"

const ASKED = {
  from: "2026-11-23",
  to: "2026-12-22",
  amount: "200,000",
  organization: "Fernweh Travel",
  name: "Lena Vogt",
  email: "lena@fernweh.example",
  creative: "https://files.example/spot.wav",
  note: "Before <b>Advent</b>, please.",
}

/** A product that a buyer key sees, and the path of its order link. */
async function startShop({ actsForBuyer = true, product = {} as object } = {}) {
  const site = await startSite()
  const { app, seller } = site
  const key = await givenBuyer(app, actsForBuyer ? seller.buyerId : null)
  await givenProduct(app, productOf("walks", { name: "City Walks", ...product }))
  await show(app, key, "walks", ["DE", "AT"])
  const answer = JSON.stringify(await preview(app, key, { buying_mode: "wholesale" }))
  const link = /\/order\/[\w-]{24}/.exec(answer)?.[0] ?? ""
  return { ...site, key, link, guest: browse(app) }
}

async function place(guest: Browse, link: string, changes: Partial<typeof ASKED> = {}): Promise<BrowsedPage> {
  return (await guest(link)).send({ ...ASKED, ...changes })
}

/** The seller's page of the newest order. */
async function openOrder({ open, seller }: { readonly open: Browse; readonly seller: { readonly home: string } }) {
  const list = await open(`${seller.home}/orders`)
  const [path = ""] = new RegExp(`${seller.home}/orders/[A-Za-z0-9]{12}`).exec(list.html) ?? []
  return path
}

describe("an order", () => {
  test("is placed without an account, accepted, and becomes one line with the terms that were asked", async () => {
    await using shop = await startShop()
    const form = await shop.guest(shop.link)
    expect(form.text).toContain("€12.00 per 1,000 impressions")
    const sent = await place(shop.guest, shop.link)
    expect(sent.text).toContain("Acme Audio will accept or decline")
    expect(sent.text).toContain("200,000 impressions")

    const path = await openOrder(shop)
    const order = await shop.open(path)
    expect(order.text).toContain("€2,400.00")
    expect(order.html).toContain("Before &lt;b>Advent&lt;/b>, please.")
    const accept = await shop.open(`${path}/accept`)
    expect(accept.fields).toMatchObject({ buyer: "Fernweh Travel", lineName: "City Walks" })
    const accepted = await accept.send({ campaign: "acme-spring" })
    expect(accepted.text).toContain("The order is accepted, and its line is created.")
    const [line = ""] = /\/app\/o\/acme\/campaigns\/acme-spring\/lines\/[\w-]+/.exec(accepted.html) ?? []
    const edit = await shop.open(`${line}/edit`)
    const terms = { flightStart: "2026-11-23", flightEnd: "2026-12-22", booked: "200000", rate: "12", currency: "EUR" }
    expect(edit.fields).toMatchObject({ name: "City Walks", ...terms })
    expect((await shop.guest(sent.path)).text).toContain("Nothing has been reported yet.")
  })

  test("is accepted once: the second person is told, and nothing is created", async () => {
    await using shop = await startShop()
    await place(shop.guest, shop.link)
    const path = await openOrder(shop)
    const [first, second] = [await shop.open(`${path}/accept`), await shop.open(`${path}/accept`)]
    await first.send()
    const late = await second.send()
    expect([late.status, late.text]).toEqual([422, expect.stringContaining("accepted already. Nothing was created.")])
    expect((await shop.open(`${path}/decline`)).status).toBe(200)
    const declined = await (await shop.open(`${path}/decline`)).send({ reason: "Sorry" })
    expect(declined.text).toContain("This order was accepted already")
    const { text } = await shop.open(`${shop.seller.home}/campaigns`)
    expect(text.match(/City Walks/g)).toHaveLength(1)
  })

  test("isn’t placed at a price that the buyer didn’t see", async () => {
    await using shop = await startShop()
    const form = await shop.guest(shop.link)
    const pricing_options = [{ pricing_option_id: "cpm", pricing_model: "cpm", currency: "EUR", fixed_price: 36 }]
    await editProduct(shop.app, productOf("walks", { name: "City Walks", pricing_options }))
    const refused = await form.send(ASKED)
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("This product has changed.")])
    expect(refused.text).toContain("€36.00 per 1,000 impressions")
    expect(refused.fields).toMatchObject({ amount: ASKED.amount, note: ASKED.note })
    expect((await shop.open(`${shop.seller.home}/orders`)).text).toContain("No orders yet")
    expect((await refused.send()).text).toContain("Amount €7,200.00")
  })

  test("is declined with a sentence that the buyer reads", async () => {
    await using shop = await startShop()
    const sent = await place(shop.guest, shop.link)
    const path = await openOrder(shop)
    expect((await (await shop.open(`${path}/decline`)).send({ reason: "" })).text).toContain("Enter a reason.")
    await (await shop.open(`${path}/decline`)).send({ reason: "Ask for December." })
    expect((await shop.guest(sent.path)).text).toContain("Acme Audio declined: “Ask for December.”")
  })

  test("is withdrawn by the buyer, and can't be accepted afterwards", async () => {
    await using shop = await startShop()
    const sent = await place(shop.guest, shop.link)
    const accept = await shop.open(`${await openOrder(shop)}/accept`)
    const withdrawn = await (await shop.guest(`${sent.path}/withdraw`)).send()
    expect(withdrawn.text).toContain("You withdrew this order. Nothing is booked.")
    expect((await accept.send()).text).toContain("The buyer has withdrawn this order.")
  })

  test("expires after 30 days without an answer", async () => {
    await using shop = await startShop()
    const sent = await place(shop.guest, shop.link)
    const accept = await shop.open(`${await openOrder(shop)}/accept`)
    shop.app.clock.advance({ hours: 30 * 24 })
    expect((await shop.guest(sent.path)).text).toContain("The seller didn’t answer in time.")
    expect((await shop.guest(`${sent.path}/withdraw`)).status).toBe(200)
    expect(accept.fields).toHaveProperty("buyer")
  })

  test("below the minimum, or with a wrong day, is refused at the field, and keeps what was typed", async () => {
    await using shop = await startShop()
    const refused = await place(shop.guest, shop.link, { to: "2026-11-01", amount: "many", email: "lena" })
    expect(refused.status).toBe(422)
    for (const field of ["to", "amount", "email"]) expect(refused.control(field)).toHaveProperty("aria-invalid", "true")
    expect(refused.fields).toMatchObject({ amount: "many", note: ASKED.note })
  })
})

describe("a product with several prices", () => {
  const price = (id: string, currency: string, fixed_price: number, more: object) => ({
    ...{ pricing_option_id: id, pricing_model: "cpm", currency, fixed_price, ...more },
  })
  const product = {
    pricing_options: [
      price("euro", "EUR", 10, { min_spend_per_package: 100 }),
      price("yen", "JPY", 2_000, { min_spend_per_package: 30_000 }),
      price("sponsor", "KWD", 99.5, { pricing_model: "flat_rate" }),
    ],
  }

  test("each have their own minimum and currency", async () => {
    await using shop = await startShop({ product })
    const form = await shop.guest(shop.link)
    expect(form.text).not.toMatch(/Budget in|The minimum is/)
    const below = await place(shop.guest, shop.link, { amount: "10" })
    expect(below.html).toContain("Use the minimum, 10,000")
    const refused = await form.send({ ...ASKED, price: "yen", measure: "money", amount: "30000.5" })
    expect(refused.text).toContain("JPY has no coin for that. The nearest amount is 30001.")
    const sent = await form.send({ ...ASKED, price: "yen", measure: "money", amount: "30000" })
    expect(sent.text).toContain("Quantity 15,000 impressions")
    expect(sent.text).toContain("Amount ¥30,000")
  })

  test("ask for no amount if one is a flat rate", async () => {
    await using shop = await startShop({ product })
    const form = await shop.guest(shop.link)
    expect(form.control("amount")).not.toHaveProperty("required")
    const sent = await form.send({ ...ASKED, price: "sponsor", amount: "" })
    expect(sent.text.replaceAll("\u00a0", " ")).toContain("Amount KWD 99.500")
  })
})

test("an order's own page and the seller's page say the same times, in the seller's time zone", async () => {
  await using shop = await startShop()
  // It's already the 16th in Berlin.
  shop.app.clock.advance({ hours: 11, seconds: 1_800 })
  const sent = await place(shop.guest, shop.link)
  const path = await openOrder(shop)
  expect(sent.text).toContain("it expires on 16 Dec 2026")
  expect((await shop.open(path)).text).toContain("it expires on 16 Dec 2026")
  const accepted = await (await shop.open(`${path}/accept`)).send()
  expect(accepted.text).toContain("Accepted 16 Nov, 00:30")
  expect((await shop.guest(sent.path)).text).toContain("Acme Audio accepted 16 Nov, 00:30")
})

test("a product that expires as a day begins can't be ordered for that day", async () => {
  await using shop = await startShop({ product: { expires_at: "2026-12-01T00:00:00Z" } })
  const refused = await place(shop.guest, shop.link, { to: "2026-12-01" })
  expect(refused.text).toContain("The last possible day is 30 Nov 2026.")
})

describe("a buyer is never chosen by likeness", () => {
  test("a key that doesn't act for a buyer fills in nothing", async () => {
    await using shop = await startShop({ actsForBuyer: false })
    await place(shop.guest, shop.link)
    const accept = await shop.open(`${await openOrder(shop)}/accept`)
    expect(accept.fields["buyer"]).toBe("")
    expect(accept.text).toContain("They typed “Fernweh Travel”. You already have Fernweh Travel.")
  })

  test("nor does a key that acts for another company than the one typed", async () => {
    await using shop = await startShop()
    await place(shop.guest, shop.link, { organization: "Fernweh Travels" })
    expect((await shop.open(`${await openOrder(shop)}/accept`)).fields["buyer"]).toBe("")
  })
})

test("the buyer that the key acts for gets the line, even from a seller that never sold to it", async () => {
  await using shop = await startShop()
  const { app, key, guest, seller } = shop
  const id = await createOrganization(app, { slug: "bay", name: "Bay Radio", timeZone: "UTC" })
  await givenProduct(app, productOf("bay"), id)
  await show(app, key, "bay", ["*"])
  const answer = JSON.stringify(await preview(app, key, { buying_mode: "wholesale" }))
  const links = [...new Set(answer.match(/\/order\/[\w-]{24}/g))].filter((link) => link !== shop.link)
  await place(guest, links[0] ?? "")
  const open = await signIn(app, { organization: { id } })
  const path = await openOrder({ open, seller: { home: "/app/o/bay" } })
  await (await open(`${path}/accept`)).send()
  const buyer = await signIn(app, { organization: { id: seller.buyerId } })
  expect((await buyer("/app/o/acme-buyer/campaigns")).text).toContain("Bay Radio")
})

test("links that were guessed, revoked, hidden, deleted or switched off get the same answer", async () => {
  await using shop = await startShop()
  const { app, key, link, guest } = shop
  const guessed = await guest(`/order/${"x".repeat(24)}`)
  expect(guessed.status).toBe(404)
  expect(guessed.text).toContain("it was used, has expired or was revoked. Ask the sender for a new one.")
  const same = async () => {
    const page = await guest(link)
    expect([page.status, page.text]).toEqual([404, guessed.text])
  }
  await chooseSettings(app, { takesOrders: false })
  await same()
  await chooseSettings(app, { takesOrders: true })
  expect((await guest(link)).status).toBe(200)
  await show(app, key, "walks", [])
  await same()
  await show(app, key, "walks", ["*"])
  await removeProduct(app, "walks")
  await same()
  await givenProduct(app, productOf("walks"))
  await show(app, key, "walks", ["*"])
  await revoke(app, key)
  await same()
})

test("a link takes five orders an hour", async () => {
  await using shop = await startShop()
  for (let i = 0; i < 5; i++) expect((await place(shop.guest, shop.link)).status).toBe(200)
  const sixth = await place(shop.guest, shop.link)
  expect([sixth.status, sixth.text]).toEqual([422, expect.stringContaining("Too many orders")])
  shop.app.clock.advance({ hours: 1, seconds: 1 })
  expect((await place(shop.guest, shop.link)).status).toBe(200)
})

test("another seller doesn't see the order, and a wrong code opens nothing", async () => {
  await using shop = await startShop()
  const sent = await place(shop.guest, shop.link)
  const path = await openOrder(shop)
  const other = await givenSeller(shop.app, "other")
  const open = await signIn(shop.app, { organization: other })
  expect((await open(path.replace("/acme/", "/other/"))).status).toBe(404)
  expect((await shop.guest(`${sent.path}x`)).status).toBe(404)
})
