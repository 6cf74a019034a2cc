import { expect, test } from "bun:test"
import { changeFormat, deleteFormat, hideFormat, listFormats } from "../../src/actions/catalogue/formats.ts"
import {
  changeOpenings,
  changeProduct,
  deleteProduct,
  openingsVersion,
  productVersion,
} from "../../src/actions/catalogue/products.ts"
import { createBuyerKey, revokeBuyerKey } from "../../src/actions/keys.ts"
import { changeAgentSettings } from "../../src/actions/settings.ts"
import { fingerprintOf } from "../../src/domain/api-key.ts"
import { deleteOldCalls, findCalls, productCallsSince, type StoredCall } from "../../src/storage/catalogue/calls.ts"
import {
  catalogueRevision,
  openingsOfKey,
  openingsOfProduct,
  productById,
} from "../../src/storage/catalogue/catalogue.ts"
import { activeBuyerKeyId, buyerKeys } from "../../src/storage/keys.ts"
import { PLAIN_PRODUCT } from "../harness/agent/agent.ts"
import { eachEngine, openStore, type TestStore } from "../harness/store.ts"

const BY = "user:1"

async function givenKey(store: TestStore, label = "Buyer") {
  const created = await createBuyerKey(store, BY, { label, buyerId: null })
  if ("errors" in created) throw new Error(JSON.stringify(created.errors))
  return created
}

const edit = (fields: object = {}) => ({ product: { ...PLAIN_PRODUCT, ...fields }, sellerId: null })

const versionNow = async (store: TestStore) => {
  const stored = await productById(store.database.read, "plain")
  if (stored === null) throw new Error("The product is missing.")
  return productVersion(stored)
}

async function show(store: TestStore, buyerKeyId: string, territories: readonly string[], productId = "plain") {
  const version = openingsVersion(await openingsOfProduct(store.database.read, productId))
  return changeOpenings(store, BY, productId, [{ buyerKeyId, territories }], version)
}

const CALL: Omit<StoredCall, "id"> = {
  at: 0,
  buyerKeyId: null,
  address: "192.0.2.1",
  method: "tools/call",
  tool: "get_products",
  arguments: null,
  outcome: "completed",
  durationMicros: 5,
  brief: "shoes",
  channels: ["podcast"],
  countries: [],
  matched: 1,
}

eachEngine((engine) => {
  test("every change that an answer shows raises the revision, on every server", async () => {
    await using store = await openStore(engine)
    const other = await store.openAnother()
    let before = await catalogueRevision(other.database.read)
    const isRaisedBy = async (change: Promise<unknown>) => {
      await change
      const now = await catalogueRevision(other.database.read)
      const isRaised = now > before
      before = now
      return isRaised
    }
    const { id } = await givenKey(store)
    expect(await isRaisedBy(changeProduct(store, BY, edit(), null))).toBe(true)
    expect(await isRaisedBy(show(store, id, ["DE"]))).toBe(true)
    expect(await isRaisedBy(show(store, id, []))).toBe(true)
    expect(await isRaisedBy(hideFormat(store, BY, "video_vast"))).toBe(true)
    expect(await isRaisedBy(changeAgentSettings(store, BY, { contact: "a@b.example" }))).toBe(true)
    expect(await isRaisedBy(deleteProduct(store, BY, "plain"))).toBe(true)
    expect(await isRaisedBy(Promise.resolve())).toBe(false)
  })

  test("a product is saved unless it's wrong, taken, changed meanwhile or gone", async () => {
    await using store = await openStore(engine)
    expect(await changeProduct(store, BY, edit({ name: "" }), null)).toMatchObject({ problems: [{ pointer: "/name" }] })
    expect(await changeProduct(store, BY, edit(), null)).toEqual({ saved: true })
    expect(await changeProduct(store, BY, edit(), null)).toMatchObject({ problems: [{ pointer: "/product_id" }] })
    const began = await versionNow(store)
    expect(await changeProduct(store, BY, edit({ name: "New" }), began)).toEqual({ saved: true })
    expect(await changeProduct(store, BY, edit({ name: "Other" }), began)).toBe("changed")
    expect(await deleteProduct(store, BY, "plain")).toBe(true)
    expect(await deleteProduct(store, BY, "plain")).toBe(false)
    expect(await changeProduct(store, BY, edit(), began)).toBe("not found")
  })

  test("a product is shown to active keys only, and deleting it hides it", async () => {
    await using store = await openStore(engine)
    const [active, revoked] = [await givenKey(store, "a"), await givenKey(store, "b")]
    await revokeBuyerKey(store, BY, revoked.id)
    await changeProduct(store, BY, edit(), null)
    const territories = ["AT", "DE"]
    expect(await show(store, active.id, territories)).toBe("saved")
    expect(await show(store, revoked.id, territories)).toBe("saved")
    expect(await show(store, active.id, territories, "none")).toBe("not found")
    const { read } = store.database
    expect(await openingsOfProduct(read, "plain")).toEqual([{ buyerKeyId: active.id, productId: "plain", territories }])
    expect(await changeOpenings(store, BY, "plain", [], openingsVersion([]))).toBe("changed")
    await deleteProduct(store, BY, "plain")
    expect(await openingsOfKey(read, active.id)).toEqual([])
  })

  test("a format that a product takes can't be hidden, and its edits don't overwrite each other", async () => {
    await using store = await openStore(engine)
    await changeProduct(store, BY, edit(), null)
    expect(await hideFormat(store, BY, "display_300x250_image")).toMatchObject({ problems: [{ keyword: "rule" }] })
    expect(await hideFormat(store, BY, "nothing")).toMatchObject({ problems: [{ keyword: "rule" }] })
    const own = { format_id: { id: "own" }, name: "Own", canonical: { kind: "image" } }
    expect(await changeFormat(store, BY, own, null)).toEqual({ saved: true })
    expect(await changeFormat(store, BY, own, null)).toMatchObject({ problems: [{ pointer: "/format_id/id" }] })
    const version = (await listFormats(store.database.read)).find(({ id }) => id === "own")?.version ?? ""
    expect(await changeFormat(store, BY, { ...own, name: "New" }, version)).toEqual({ saved: true })
    expect(await changeFormat(store, BY, own, version)).toBe("changed")
    const states = new Map((await listFormats(store.database.read)).map(({ id, state }) => [id, state]))
    expect([states.get("own"), states.get("video_vast")]).toEqual(["own", "built-in"])
    expect(await deleteFormat(store, BY, "own")).toEqual({ saved: true })
  })

  test("a buyer key works until it's revoked, and two active keys don't share a label", async () => {
    await using store = await openStore(engine)
    const { id, key, prefix } = await givenKey(store)
    const { read, later } = store.database
    expect(await createBuyerKey(store, BY, { label: "Buyer", buyerId: null })).toHaveProperty("errors.label")
    expect(await activeBuyerKeyId(read, fingerprintOf(key))).toBe(id)
    later.usedBuyerKey(id, 5_000_000)
    await later.flush()
    expect(await buyerKeys(read)).toMatchObject([{ id, prefix, lastUsedAt: 5_000_000, revokedAt: null }])
    expect(await revokeBuyerKey(store, BY, id)).toBe(true)
    expect(await revokeBuyerKey(store, BY, id)).toBe(false)
    expect(await activeBuyerKeyId(read, fingerprintOf(key))).toBeNull()
    await givenKey(store)
  })

  test("the call log is read page by page, newest first, and by key or failure", async () => {
    await using store = await openStore(engine)
    const { later, read } = store.database
    for (let n = 1; n <= 5; n++) {
      const outcome = n === 2 ? "INVALID_REQUEST" : "completed"
      const matched = n === 3 ? null : n
      later.add("agentCall", { ...CALL, channels: [...(CALL.channels ?? [])], countries: [], at: n, outcome, matched })
    }
    await later.flush()
    const timesOf = (calls: readonly StoredCall[]) => calls.map(({ at }) => at)
    const first = await findCalls(read, { count: 2 })
    expect(timesOf(first)).toEqual([5, 4])
    expect(timesOf(await findCalls(read, { before: first[1]?.id ?? 0, count: 9 }))).toEqual([3, 2, 1])
    const all = { before: Number.MAX_SAFE_INTEGER, count: 9 }
    expect(timesOf(await findCalls(read, { ...all, outcome: "refused" }))).toEqual([2])
    expect(await findCalls(read, { ...all, buyerKeyId: "none" })).toEqual([])
    expect(await findCalls(read, { ...all, text: "SHO", outcome: "found", tool: CALL.tool ?? "" })).toHaveLength(4)
    expect(await findCalls(read, { ...all, text: "s_oes" })).toEqual([])
    expect(timesOf(await productCallsSince(read, 2))).toEqual([2, 4, 5])
    expect(first[0]).toMatchObject({ channels: ["podcast"], countries: [], brief: "shoes" })
  })

  test("old calls are deleted; if there are too many, calls without a key are deleted first", async () => {
    await using store = await openStore(engine)
    const { later, read } = store.database
    const { id } = await givenKey(store)
    const now = store.clock()
    for (let n = 0; n < 6; n++) {
      const buyerKeyId = n % 2 === 0 ? id : null
      later.add("agentCall", { ...CALL, channels: [], countries: [], at: now + n, buyerKeyId })
    }
    later.add("agentCall", { ...CALL, channels: [], countries: [], at: 1 })
    await later.flush()
    expect(await store.database.transactBeside((tx) => deleteOldCalls(tx, now))).toBe(1)
    const left = async () =>
      (await findCalls(read, { before: Number.MAX_SAFE_INTEGER, count: 9 })).map(({ at }) => at - now)
    expect(await store.database.transactBeside((tx) => deleteOldCalls(tx, 0, 4))).toBe(2)
    expect(await left()).toEqual([5, 4, 2, 0])
    expect(await store.database.transactBeside((tx) => deleteOldCalls(tx, 0, 1))).toBe(1)
    expect(await store.database.transactBeside((tx) => deleteOldCalls(tx, 0, 1))).toBe(2)
    expect(await left()).toEqual([4])
  })
})
