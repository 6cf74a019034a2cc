import { expect, test } from "bun:test"
import {
  ask,
  chooseSettings,
  givenBuyer,
  givenProduct,
  givenShown,
  productOf,
  revoke,
  show,
} from "../../harness/agent/agent.ts"
import { browse } from "../../harness/browser/browse.ts"
import { rowsOf } from "../given.ts"
import { BUYER_KEYS, PRODUCTS, startOperator } from "./given.ts"

const KEY = /aba_[\w-]{20,}/

test("a new key is shown once, to the session that created it, and works at once", async () => {
  await using site = await startOperator()
  const shown = await (await site.open(BUYER_KEYS)).send({ label: "Kite Media", buyer: "acme-buyer" })
  expect(shown.title).toStartWith("Your new buyer key")
  const key = KEY.exec(shown.html)?.[0] ?? ""
  expect((await ask(site.app, { key })).products).toEqual([])
  expect((await site.open("/app/once")).html).not.toContain(key)
  const list = await site.open(BUYER_KEYS)
  expect(list.html).not.toContain(key)
  expect(rowsOf(list, "Buyer keys")[0]).toMatch(/Kite Media for Fernweh Travel In use aba_\w+… Nothing just now/)
})

test("two active keys can't have the same label, and a wrong buyer is refused", async () => {
  await using site = await startOperator()
  const page = await site.open(BUYER_KEYS)
  await page.send({ label: "Kite Media" })
  expect((await page.send({ label: "Kite Media" })).text).toContain("Another buyer key has this label.")
  expect((await page.send({ label: "Other", buyer: "nobody" })).text).toContain("Choose an organization.")
})

test("ask as this buyer would: the order of the answer, and why a product is missing", async () => {
  await using site = await startOperator()
  const products = [productOf("a", { channels: ["display"] }), productOf("b", { channels: ["podcast"] })]
  const buyer = await givenShown(site.app, products, { b: ["AT", "DE"] })
  await givenProduct(site.app, productOf("hidden"))
  const page = await site.open(`${BUYER_KEYS}/${buyer.id}?brief=podcasts,+no+radio`)
  expect(page.text).toContain('The brief names podcast. Not interpreted: "no radio".')
  const answer = rowsOf(page, "The answer")
  expect(answer.map((row) => row.slice(0, 12))).toEqual(["1. Product b", "2. Product a"])
  expect(answer[0]).toContain("Matches podcast. Austria, Germany")
  expect(answer[1]).toContain("Doesn’t match podcast. Everywhere")
  expect(rowsOf(page, "Not in the answer")).toEqual(["Product hidden Hidden from this buyer. Show to this buyer"])
  expect(page.html).toContain(`/app/operator/products/hidden/openings#key.${buyer.id}`)

  const elsewhere = await site.open(`${BUYER_KEYS}/${buyer.id}?countries=France`)
  expect(rowsOf(elsewhere, "Not in the answer").join()).toContain("Product b Shown in Austria, Germany only.")
})

test("if nothing fits, the answer says so in a sentence", async () => {
  await using site = await startOperator()
  const buyer = await givenShown(site.app, [productOf("a"), productOf("b")])
  const { text } = await site.open(`${BUYER_KEYS}/${buyer.id}?brief=cinema`)
  expect(text).toContain("The brief names cinema; none of the 2 products is cinema.")
  expect(text).not.toContain("[object")
})

test("a country that doesn't exist is refused in a sentence, and what was typed stays", async () => {
  await using site = await startOperator()
  const buyer = await givenBuyer(site.app)
  const page = await site.open(`${BUYER_KEYS}/${buyer.id}?countries=Atlantis`)
  expect(page.text).toContain("The agent would refuse this")
  expect(page.html).toContain('value="Atlantis"')
})

test("the order link of a product opens its order form, until orders are off or the key is revoked", async () => {
  await using site = await startOperator()
  const buyer = await givenShown(site.app, [productOf("a")])
  const address = `${BUYER_KEYS}/${buyer.id}`
  const linkOn = async () => />(http[^<]*\/order\/[\w-]+)</.exec((await site.open(address)).html)?.[1]
  const link = await linkOn()
  const path = new URL(link ?? "").pathname
  const stranger = browse(site.app)
  expect((await stranger(path)).text).toContain("Product a")
  await chooseSettings(site.app, { takesOrders: false })
  expect(await linkOn()).toBeUndefined()
  await chooseSettings(site.app, { takesOrders: true })
  expect(await linkOn()).toBe(link ?? "")
  const question = await site.open(`${address}/revoke`)
  expect((await question.send()).text).toContain("is revoked and no longer works.")
  expect((await stranger(path)).text).not.toContain("Product a")
  expect((await site.open(address)).text).toContain("This key is revoked")
  expect((await site.open(`${address}/revoke`)).status).toBe(404)
})

test("the operator chooses which buyer a key acts for", async () => {
  await using site = await startOperator()
  const buyer = await givenBuyer(site.app)
  const saved = await (await site.open(`${BUYER_KEYS}/${buyer.id}/buyer`)).send({ buyer: "acme-buyer" })
  expect(saved.text).toContain("acts for Fernweh Travel ( change )")
  const none = await (await site.open(`${BUYER_KEYS}/${buyer.id}/buyer`)).send({ buyer: "" })
  expect(none.text).toContain("acts for no buyer")
  expect((await site.open(`${BUYER_KEYS}/missing1`)).status).toBe(404)
})

test("the list counts the products that each key sees", async () => {
  await using site = await startOperator()
  const buyer = await givenShown(site.app, [productOf("a"), productOf("b")])
  const other = await givenBuyer(site.app)
  await show(site.app, other, "a", ["DE"])
  const rows = rowsOf(await site.open(BUYER_KEYS), "Buyer keys")
  const seenBy = (prefix: string) => rows.find((row) => row.includes(prefix))
  expect(seenBy(buyer.prefix)).toContain("2 products")
  expect(seenBy(other.prefix)).toContain("1 product")
})

test("a product is seen by active keys only, and a key sees no expired product, in every count", async () => {
  await using site = await startOperator()
  const expired = productOf("old", { expires_at: "2026-11-01T00:00:00Z", name: "Product old" })
  const buyer = await givenShown(site.app, [productOf("a"), expired])
  const other = await givenBuyer(site.app)
  await show(site.app, other, "a", ["*"])
  await revoke(site.app, other)
  expect((await site.open(BUYER_KEYS)).text).toContain("1 product")
  expect((await site.open(`${BUYER_KEYS}/${buyer.id}`)).text).toContain("What it sees 1 product")
  expect(rowsOf(await site.open(PRODUCTS), "Products")[0]).toContain("1 buyer key")
})
