import { describe, expect, test } from "bun:test"
import type { CatalogueEdit } from "../../../src/domain/adcp/catalogue/catalogue-edit.ts"
import { storageContract } from "./contract.ts"
import { editCatalogue, given, givenOrganization, newKey, saveProduct, winners } from "./given.ts"

storageContract("catalogue", (engine) => {
  describe("the catalogue", () => {
    test("holds products and formats by id, as they were saved, for every process", async () => {
      await using at = await given(engine)
      const { catalogue } = at.there
      const odd = { product_id: "b", text: "\"'\\ ü 🎧 \u2028", deep: [null, 1.5, { a: [] }], big: 2 ** 53 - 1 }
      await saveProduct(at, "b", odd)
      await saveProduct(at, "a")
      await saveProduct(at, "a", { product_id: "a", name: "Second" })
      at.clock.advance({ seconds: 1 })
      await editCatalogue(at, { what: "save format", id: "y", body: { id: "y" } })
      await editCatalogue(at, { what: "save format", id: "x", body: null })
      const products = [
        { productId: "a", body: { product_id: "a", name: "Second" } },
        { productId: "b", body: odd },
      ]
      const formats = [
        { formatId: "x", body: null },
        { formatId: "y", body: { id: "y" } },
      ]
      expect(await catalogue.products()).toEqual(products)
      expect(await catalogue.formats()).toEqual(formats)
      const productsAfter = async (id: string) =>
        (await catalogue.productTexts(id)).map(({ productId, body }) => ({ productId, body: JSON.parse(body) }))
      expect(await productsAfter("")).toEqual(products)
      expect(await productsAfter("a")).toEqual(products.slice(1))
      expect(await productsAfter("b")).toEqual([])
      const texts = await catalogue.formatTexts()
      expect(texts.map(({ formatId, body }) => ({ formatId, body: body && JSON.parse(body) }))).toEqual(formats)
      expect(await catalogue.contents()).toEqual({
        revision: await catalogue.revision(),
        products: new Map(products.map(({ productId, body }) => [productId, body])),
        formats: new Map(formats.map(({ formatId, body }) => [formatId, body])),
        sellers: new Map(),
      })
    })

    test("a product is its seller's: nobody else lists it, and whoever has one sells and is not removed", async () => {
      await using at = await given(engine)
      const { catalogue, organizations } = at.there
      const [acme, other] = [await givenOrganization(at, "acme"), await givenOrganization(at, "other")]
      await editCatalogue(at, { what: "save product", id: "a", body: {}, seller: "acme" })
      await editCatalogue(at, { what: "save product", id: "b", body: {} })
      const ids = async (sellerId: number, withUnowned: boolean) =>
        (await catalogue.products({ sellerId, withUnowned })).map(({ productId }) => productId)
      expect(await ids(acme.id, false)).toEqual(["a"])
      expect(await ids(acme.id, true)).toEqual(["a", "b"])
      expect(await ids(other.id, false)).toEqual([])
      expect(await ids(other.id, true)).toEqual(["b"])
      const hasProducts = (sellerId: number) => catalogue.hasProducts({ sellerId, withUnowned: false })
      expect([await hasProducts(acme.id), await hasProducts(other.id)]).toEqual([true, false])
      expect((await organizations.sellers(9)).map(({ slug }) => slug)).toEqual(["acme"])
      expect(await at.here.organizations.remove("acme", at.change())).toBe("in use")
      // Saved without a word about it, the seller stays; nobody's is said.
      await editCatalogue(at, { what: "save product", id: "a", body: { name: "Second" } })
      expect((await catalogue.contents()).sellers).toEqual(new Map([["a", "acme"]]))
      await editCatalogue(at, { what: "save product", id: "a", body: {}, seller: null })
      expect((await catalogue.contents()).sellers).toEqual(new Map())
      expect(await at.here.organizations.remove("acme", at.change())).toBe("done")
    })

    test("its revision grows with every edit, whichever process made it", async () => {
      await using at = await given(engine)
      const edits: CatalogueEdit[] = [
        { what: "save product", id: "p", body: {} },
        { what: "save format", id: "f", body: null },
        { what: "delete format", id: "f" },
        { what: "delete product", id: "p" },
      ]
      let before = await at.there.catalogue.revision()
      for (const edit of edits) {
        await editCatalogue(at, edit)
        const after = await at.there.catalogue.revision()
        expect(after).toBeGreaterThan(before)
        before = after
      }
      expect(await at.there.catalogue.products()).toEqual([])
      expect(await at.there.catalogue.formats()).toEqual([])
    })

    test("of several edits that were checked at one revision, exactly one is made", async () => {
      await using at = await given(engine)
      const checkedRevision = await at.here.catalogue.revision()
      const outcomes = await Promise.all(
        [...at.stores, ...at.stores].map(({ catalogue }, i) =>
          catalogue.edit({ what: "save product", id: `p${i}`, body: {} }, checkedRevision, at.change()),
        ),
      )
      expect(winners(outcomes, Boolean)).toBe(1)
      expect(await at.there.catalogue.products()).toMatchObject([{ productId: `p${outcomes.indexOf(true)}` }])
    })

    test("a product of a seller that is gone is not saved, and stays as it was", async () => {
      await using at = await given(engine)
      await saveProduct(at, "p")
      const before = await at.there.catalogue.products()
      const edit = { what: "save product", id: "p", body: { name: "New" }, seller: "gone" } as const
      expect(await at.here.catalogue.edit(edit, await at.here.catalogue.revision(), at.change())).toBe(false)
      expect(await at.there.catalogue.products()).toEqual(before)
    })

    test("a product that is deleted takes its openings along", async () => {
      await using at = await given(engine)
      const key = newKey("Buyer")
      await at.here.agentKeys.create(key, at.change())
      for (const productId of ["q", "p"]) {
        await saveProduct(at, productId)
        await at.here.agentKeys.open(key.id, { productId, territories: ["DE", "FR"] }, at.change())
      }
      const openings = ["p", "q"].map((productId) => ({ productId, territories: ["DE", "FR"] }))
      expect(await at.there.catalogue.openings(key.id)).toEqual(openings)
      await editCatalogue(at, { what: "delete product", id: "p" })
      expect(await at.there.catalogue.openings(key.id)).toEqual(openings.slice(1))
      expect(await at.there.catalogue.openings("unknown")).toEqual([])
    })
  })
})
