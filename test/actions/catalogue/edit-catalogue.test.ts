import { expect, test } from "bun:test"
import { deleteFormat, deleteProduct, hideFormat } from "../../../src/actions/catalogue/edit-catalogue.ts"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { listFormats } from "../../../src/actions/catalogue/list-formats.ts"
import { plainFormat, plainProduct } from "../../domain/adcp/schema/documents.ts"
import { saveFormat, saveProduct } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"

const banner = "display_300x250_image"
const ownBanner = { ...plainProduct, product_id: "own", format_ids: [{ id: "banner" }] }

async function stateOf(app: TestApp, id: string) {
  return (await listFormats(app)).find((format) => format.id === id)?.state
}

test("a product that is not right is refused with a message at the field, and nothing is stored", async () => {
  await using app = await startApp()
  const wrong = { ...plainProduct, format_ids: [{ id: "nope" }] }
  const problems = await saveProduct(app, wrong, "user:1")
  expect(problems).toMatchObject([{ pointer: "/format_ids/0" }])
  expect(await app.store.catalogue.products()).toEqual([])
})

test("a saved product is in the catalogue, and in the audit trail under who saved it", async () => {
  await using app = await startApp()
  expect(await saveProduct(app, plainProduct, "user:7")).toEqual([])
  expect(await app.store.catalogue.products()).toMatchObject([{ productId: "p1", body: plainProduct }])
  const { entries } = await app.store.audit.list({ actor: "user:7" }, { before: null, limit: 1 })
  const [entry] = entries
  expect(entry).toMatchObject({ action: "save product", subject: "p1" })
})

test("what a product references is always resolvable: its formats can be neither hidden nor deleted", async () => {
  await using app = await startApp()
  await saveFormat(app, plainFormat, "user:1")
  await saveProduct(app, plainProduct, "user:1")
  await saveProduct(app, ownBanner, "user:1")
  expect((await hideFormat(app, banner, "user:1"))[0]?.message).toContain('the product "p1"')
  expect((await deleteFormat(app, "banner", "user:1"))[0]?.message).toContain('the product "own"')
  expect(await stateOf(app, banner)).toBe("built-in")
  await deleteProduct(app, "p1", "user:1")
  await deleteProduct(app, "own", "user:1")
  expect(await hideFormat(app, banner, "user:1")).toEqual([])
  expect(await deleteFormat(app, "banner", "user:1")).toEqual([])
  expect(await stateOf(app, banner)).toBe("hidden")
  expect(await stateOf(app, "banner")).toBeUndefined()
})

test("a replacement that does not take the size a product asks for is refused", async () => {
  await using app = await startApp()
  const sized = { ...plainProduct, format_ids: [{ id: "display_image", width: 468, height: 60 }] }
  await saveProduct(app, sized, "user:1")
  const fixed = { ...plainFormat, format_id: { id: "display_image" } }
  expect((await saveFormat(app, fixed, "user:1"))[0]?.message).toContain('the product "p1"')
})

test("a built-in format can be replaced, hidden and brought back; only built-in ones can be hidden", async () => {
  await using app = await startApp()
  await saveFormat(app, { ...plainFormat, format_id: { id: banner } }, "user:1")
  expect(await stateOf(app, banner)).toBe("replaced")
  await hideFormat(app, banner, "user:1")
  expect(await stateOf(app, banner)).toBe("hidden")
  await deleteFormat(app, banner, "user:1")
  expect(await stateOf(app, banner)).toBe("built-in")
  await saveFormat(app, plainFormat, "user:1")
  expect(await hideFormat(app, "banner", "user:1")).toHaveLength(1)
  expect(await stateOf(app, "banner")).toBe("own")
})

test("an import may not hide what a stored product references either", async () => {
  await using app = await startApp()
  await saveProduct(app, plainProduct, "user:1")
  const outcome = await importCatalogue(app, { hidden_formats: ["video_vast", banner] }, "command")
  expect(outcome).toMatchObject({ ok: false, problems: [{ pointer: "/hidden_formats/1" }] })
  const both = { hidden_formats: [banner], products: [{ ...plainProduct, format_ids: [{ id: "video_vast" }] }] }
  expect(await importCatalogue(app, both, "command")).toMatchObject({ ok: true })
})

test("of two edits that arrive together and exclude each other, one is refused", async () => {
  await using app = await startApp()
  const [saved, hidden] = await Promise.all([
    saveProduct(app, plainProduct, "user:1"),
    hideFormat(app, banner, "user:2"),
  ])
  expect([saved.length, hidden.length].sort()).toEqual([0, 1])
})
