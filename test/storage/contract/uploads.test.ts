import { describe, expect, test } from "bun:test"
import { UPLOADS_KEPT_BYTES_MAX, UPLOADS_KEPT_MAX, UPLOADS_REMEMBERED_MAX } from "../../../src/domain/limits.ts"
import { storageContract } from "./contract.ts"
import type { Engine } from "./engine.ts"
import { A_FILE, givenMarket, givenUser, need, winners } from "./given.ts"

async function givenUploads(engine: Engine) {
  const at = await givenMarket(engine)
  const user = await givenUser(at, "uploader@example.com")
  const newFile = (change: object = {}) => ({
    ...A_FILE,
    organizationId: at.acme.id,
    uploadedBy: user.id,
    uploadedAt: at.clock(),
    ...change,
  })
  const add = async (change: object = {}, texts = ["a,b\n"]) => need(await at.here.uploads.add(newFile(change), texts))
  const by = (action: string | null = null) => ({ ...at.change(), action })
  const hasText = async (id: number) => (await at.there.uploads.text(id, 0)) !== null
  const sweep = async () => {
    while (await at.there.uploads.sweepText(at.clock()));
    await at.there.uploads.sweepRecords(at.clock())
  }
  return { ...at, user, newFile, add, by, hasText, sweep }
}

storageContract("uploads", (engine) => {
  describe("uploaded files", () => {
    test("are found by their organization", async () => {
      await using at = await givenUploads(engine)
      const id = await at.add()
      expect(await at.there.uploads.find(at.acme.id, id)).toEqual({ ...at.newFile(), id, receivedAt: null })
      expect(await at.there.uploads.find(at.brand.id, id)).toBeNull()
      expect(await at.there.uploads.list(at.brand.id, 10)).toEqual([])
      at.clock.advance({ seconds: 1 })
      const next = await at.add()
      expect((await at.there.uploads.list(at.acme.id, 10)).map((one) => one.id)).toEqual([next, id])
      expect((await at.there.uploads.list(at.acme.id, 1)).map((one) => one.id)).toEqual([next])
    })

    test("have a text for each sheet, in any language, until they are discarded", async () => {
      await using at = await givenUploads(engine)
      const texts = ["Größe,\u{1f600}\r\n", "\\N\t'\"{}\\", ""]
      const id = await at.add({}, texts)
      for (const [sheet, text] of texts.entries()) expect(await at.there.uploads.text(id, sheet)).toBe(text)
      expect(await at.there.uploads.text(id, texts.length)).toBeNull()
      expect(await at.there.uploads.remove(id, at.by())).toBe(true)
      expect(await at.there.uploads.remove(id, at.by())).toBe(false)
      expect(await at.there.uploads.text(id, 0)).toBeNull()
    })

    test("are moved on by one of several, and only from the state that was named", async () => {
      await using at = await givenUploads(engine)
      const id = await at.add()
      expect(await at.there.uploads.lines(id)).toBeNull()
      const done = { state: "done", lines: [{ id: 7 }] } as const
      const moves = at.stores.map(({ uploads }) => uploads.move(id, "open", done, at.by("report upload")))
      expect(winners(await Promise.all(moves), (isMoved) => isMoved)).toBe(1)
      expect(await at.here.uploads.move(id, "open", { rows: 2 }, at.by())).toBe(false)
      expect(await at.here.uploads.remove(id, at.by())).toBe(false)
      expect((await at.there.uploads.find(at.acme.id, id))?.state).toBe("done")
      expect(await at.there.uploads.lines(id)).toEqual([{ id: 7 }])
    })

    test("count as received at one moment, however often and wherever they are reported", async () => {
      await using at = await givenUploads(engine)
      const id = await at.add()
      const first = await at.here.uploads.fixReceipt(id, at.clock())
      at.clock.advance({ seconds: 5 })
      expect(await at.there.uploads.fixReceipt(id, at.clock())).toBe(first)
      await at.here.uploads.move(id, "open", { state: "done" }, at.by())
      expect(await at.here.uploads.fixReceipt(id, at.clock())).toBeNull()
      expect((await at.there.uploads.find(at.acme.id, id))?.receivedAt).toBe(first)
    })

    test("have readings and names that are remembered for each organization until they are forgotten", async () => {
      await using at = await givenUploads(engine)
      const reading = { kind: "delivery", columns: ["external_id", "impressions"], figures: "daily", at: at.clock() }
      const { uploads } = at.here
      await uploads.remember(at.acme.id, "reading", "hash", "{}")
      await uploads.remember(at.acme.id, "reading", "hash", JSON.stringify(reading))
      await uploads.remember(at.acme.id, "line", "Mid roll", "a-line")
      await uploads.remember(at.acme.id, "line", "Theirs", "")
      expect(await at.there.uploads.remembered(at.acme.id)).toEqual({
        readings: new Map([["hash", reading]]) as never,
        lines: new Map([
          ["Mid roll", "a-line"],
          ["Theirs", ""],
        ]),
      })
      await uploads.forget(at.acme.id, "line", "Mid roll")
      await uploads.forget(at.brand.id, "line", "Theirs")
      expect((await at.there.uploads.remembered(at.acme.id)).lines).toEqual(new Map([["Theirs", ""]]))
      expect((await at.there.uploads.remembered(at.brand.id)).lines).toEqual(new Map())
    })

    test("give up their text to newer ones once they are reported, the oldest first, but not while somebody has to decide", async () => {
      await using at = await givenUploads(engine)
      const third = Math.floor(UPLOADS_KEPT_BYTES_MAX / 3)
      const addLarge = () => at.add({ bytes: third })
      const oldest = await addLarge()
      await at.here.uploads.move(oldest, "open", { state: "done" }, at.by())
      at.clock.advance({ seconds: 1 })
      const waiting = await addLarge()
      await addLarge()
      expect(await at.hasText(oldest)).toBe(true)
      await addLarge()
      expect(await at.hasText(oldest)).toBe(false)
      expect(await at.hasText(waiting)).toBe(true)
      expect((await at.there.uploads.find(at.acme.id, oldest))?.state).toBe("done")
      const oneMore = at.newFile({ bytes: 1 })
      expect(await at.here.uploads.add({ ...oneMore, bytes: 3 }, ["x"])).toBeNull()
      // A program's has no text, and other organizations have a room of their own.
      expect(await at.here.uploads.add({ ...oneMore, state: "done", uploadedBy: null }, [])).not.toBeNull()
      expect(await at.here.uploads.add({ ...oneMore, organizationId: at.brand.id }, ["x"])).not.toBeNull()
    })

    test("wait in a number that is kept however many come at once, and are forgotten beyond another", async () => {
      await using at = await givenUploads(engine)
      for (let i = 0; i < UPLOADS_KEPT_MAX - 2; i++) await at.add()
      const atOnce = Array.from({ length: 6 }, (_, i) => need(at.stores[i % 2]).uploads.add(at.newFile(), ["x"]))
      expect((await Promise.all(atOnce)).filter((id) => id !== null)).toHaveLength(2)
      const sent = { state: "done", organizationId: at.brand.id, uploadedBy: null } as const
      for (let i = 0; i < UPLOADS_REMEMBERED_MAX + 2; i++) await at.add(sent, [])
      const listed = await at.there.uploads.list(at.brand.id, 10_000)
      expect(listed).toHaveLength(UPLOADS_REMEMBERED_MAX + 1)
    })

    test("go when nobody decides, lose their text after a week, and are forgotten when they are old", async () => {
      await using at = await givenUploads(engine)
      const undecided = await at.add()
      const finished = await at.add()
      await at.here.uploads.move(finished, "open", { state: "done", lines: [{ id: 1 }] }, at.by())
      await at.sweep()
      expect(await at.hasText(undecided)).toBe(true)

      at.clock.advance({ days: 8 })
      await at.sweep()
      expect(await at.there.uploads.find(at.acme.id, undecided)).toBeNull()
      expect(await at.hasText(finished)).toBe(false)
      expect((await at.there.uploads.find(at.acme.id, finished))?.state).toBe("done")
      expect(await at.there.uploads.lines(finished)).toEqual([{ id: 1 }])

      at.clock.advance({ days: 90 })
      await at.sweep()
      expect(await at.there.uploads.find(at.acme.id, finished)).toBeNull()
    })
  })
})
