import { describe, expect, test } from "bun:test"
import { EMPTY_SUMMARY, NO_CHOICES } from "../../../src/domain/upload/upload.ts"
import { storageContract } from "./contract.ts"
import type { Engine } from "./engine.ts"
import { givenMarket, givenUser, HOUR, need, winners } from "./given.ts"

const DAY = 24 * HOUR
const KEPT = { files: 100, bytes: 1_000 }

async function givenUploads(engine: Engine) {
  const at = await givenMarket(engine)
  const user = await givenUser(at, "uploader@example.com")
  const file = { kind: "delivery", fileName: "a.csv", bytes: 4 } as const
  const newFile = (uploadedBy: number | null = user.id, organizationId = at.acme.id) => ({
    ...file,
    organizationId,
    uploadedBy,
    uploadedAt: at.clock(),
  })
  const begin = (uploadedBy: number | null = user.id) => at.here.uploads.begin(newFile(uploadedBy), () => null, KEPT)
  const by = (action: string | null = null) => ({ ...at.change(), action })
  const arrive = async (state: "columns" | "preview" = "preview") => {
    const id = await begin()
    await at.here.uploads.savePart(id, "file", 0, "a,b\n")
    const change = { state, rows: 1, choices: { ...NO_CHOICES, columns: ["x", ""] } }
    expect(await at.here.uploads.move(id, ["arriving"], change, by())).toBe(true)
    return id
  }
  const sweep = (partsMax = 100, bounds = {}) =>
    at.there.uploads.sweep({
      lostBefore: at.clock() - HOUR,
      undecidedBefore: at.clock() - 7 * DAY,
      forgottenBefore: at.clock() - 90 * DAY,
      keptBytesMax: 1_000,
      keptFilesMax: 100,
      rememberedMax: 100,
      ...bounds,
      partsMax,
    })
  return { ...at, user, newFile, begin, by, arrive, sweep }
}

storageContract("uploads", (engine) => {
  describe("uploaded files", () => {
    test("are found by their organization once they have arrived", async () => {
      await using at = await givenUploads(engine)
      const id = await at.begin()
      expect(await at.there.uploads.find(at.acme.id, id)).toBeNull()
      await at.here.uploads.move(id, ["arriving"], { state: "columns", rows: 1 }, at.by())
      expect(await at.there.uploads.find(at.acme.id, id)).toEqual({
        id,
        organizationId: at.acme.id,
        uploadedBy: at.user.id,
        kind: "delivery",
        fileName: "a.csv",
        state: "open",
        bytes: 4,
        uploadedAt: at.clock(),
        rows: 1,
        // Earlier builds asked in a state of its own.
        choices: { ...NO_CHOICES, asks: true },
        summary: EMPTY_SUMMARY,
        receivedAt: null,
      })
      expect(await at.there.uploads.find(at.brand.id, id)).toBeNull()
      expect(await at.there.uploads.list(at.brand.id, 10)).toEqual([])
      at.clock.advance({ seconds: 1 })
      const next = await at.arrive()
      expect((await at.there.uploads.list(at.acme.id, 10)).map((one) => one.id)).toEqual([next, id])
      expect((await at.there.uploads.list(at.acme.id, 1)).map((one) => one.id)).toEqual([next])
    })

    test("consist of parts in any language, which can be replaced", async () => {
      await using at = await givenUploads(engine)
      const id = await at.begin()
      const texts = ["Größe,\u{1f600}\r\n", "\\N\t'\"{}\\", ""]
      for (const [position, text] of texts.entries()) {
        await at.here.uploads.savePart(id, "file", position, text)
      }
      await at.here.uploads.savePart(id, "preview", 0, "[1]")
      await at.here.uploads.savePart(id, "preview", 0, "[2]")
      for (const [position, text] of texts.entries()) {
        expect(await at.there.uploads.part(id, "file", position)).toBe(text)
      }
      expect(await at.there.uploads.part(id, "file", texts.length)).toBeNull()
      expect(await at.there.uploads.part(id, "preview", 0)).toBe("[2]")
      expect(await at.there.uploads.remove(id, at.by("discard upload"))).toBe(true)
      expect(await at.there.uploads.remove(id, at.by("discard upload"))).toBe(false)
      expect(await at.there.uploads.part(id, "file", 0)).toBeNull()
    })

    test("are moved on by one of several, and only from the states that were named", async () => {
      await using at = await givenUploads(engine)
      const id = await at.arrive("preview")
      const moves = at.stores.map(({ uploads }) =>
        uploads.move(id, ["preview"], { state: "done" }, at.by("report upload")),
      )
      expect(winners(await Promise.all(moves), (isMoved) => isMoved)).toBe(1)
      expect(await at.here.uploads.move(id, ["preview", "columns"], { state: "discarded" }, at.by())).toBe(false)
      expect((await at.there.uploads.find(at.acme.id, id))?.state).toBe("done")
    })

    test("count as received at one moment, however often and wherever they are reported", async () => {
      await using at = await givenUploads(engine)
      const id = await at.arrive()
      const first = await at.here.uploads.fixReceipt(id, at.clock())
      at.clock.advance({ seconds: 5 })
      expect(await at.there.uploads.fixReceipt(id, at.clock())).toBe(first)
      await at.here.uploads.move(id, ["preview"], { state: "done" }, at.by())
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

    test("begin one after the other, and each knows what waits: of people and of programs apart", async () => {
      await using at = await givenUploads(engine)
      const seen: object[] = []
      const begin = (uploadedBy: number | null, organizationId = at.acme.id) =>
        at.here.uploads.begin(
          at.newFile(uploadedBy, organizationId),
          (waiting) => {
            seen.push(waiting)
            return null
          },
          KEPT,
        )
      await begin(at.user.id)
      const unreadable = need(await begin(at.user.id))
      const sent = need(await begin(null))
      await at.here.uploads.move(unreadable, ["arriving"], { state: "unreadable" }, at.by())
      await at.here.uploads.move(sent, ["arriving"], { state: "done" }, at.by())
      const gone = need(await begin(at.user.id))
      await at.here.uploads.move(gone, ["arriving"], { state: "discarded" }, at.by())
      await begin(at.user.id)
      // A file of a program waits for nobody.
      await begin(null)
      await begin(at.user.id, at.brand.id)
      expect(seen).toEqual([
        { files: 0, bytes: 0 },
        { files: 1, bytes: 4 },
        { files: 0, bytes: 0 },
        { files: 2, bytes: 8 },
        { files: 2, bytes: 8 },
        { files: 0, bytes: 0 },
        { files: 0, bytes: 0 },
      ])
      const atOnce = Array.from({ length: 8 }, (_, i) =>
        need(at.stores[i % 2]).uploads.begin(
          at.newFile(at.user.id, at.brand.id),
          ({ files }) => (files >= 3 ? "too many" : null),
          KEPT,
        ),
      )
      expect((await Promise.all(atOnce)).filter((id) => id !== "too many")).toHaveLength(2)
    })

    test("keep their text within a size and a number, the newest first, and are forgotten beyond another", async () => {
      await using at = await givenUploads(engine)
      const ids: number[] = []
      for (let i = 0; i < 5; i++) {
        const id = await at.arrive("preview")
        await at.here.uploads.move(id, ["preview"], { state: "done" }, at.by())
        ids.push(id)
        at.clock.advance({ seconds: 1 })
      }
      const waiting = await at.arrive("preview")
      const kept = async () => {
        const texts = await Promise.all([...ids, waiting].map((id) => at.there.uploads.part(id, "file", 0)))
        return texts.map((text) => text !== null)
      }
      await at.sweep(100, { keptFilesMax: 4 })
      expect(await kept()).toEqual([false, true, true, true, true, true])
      await at.sweep(100, { keptBytesMax: 11 })
      expect(await kept()).toEqual([false, false, false, true, true, true])
      expect(await at.there.uploads.list(at.acme.id, 10)).toHaveLength(6)
      await at.sweep(100, { rememberedMax: 3 })
      expect((await at.there.uploads.list(at.acme.id, 10)).map(({ id }) => id)).toEqual([
        waiting,
        ...ids.slice(2).toReversed(),
      ])
    })

    test("go when they stopped arriving, when nobody decides, and when they are old", async () => {
      await using at = await givenUploads(engine)
      const arriving = await at.begin()
      await at.here.uploads.savePart(arriving, "file", 0, "x")
      await at.here.uploads.savePart(arriving, "file", 1, "y")
      const undecided = await at.arrive("preview")
      const finished = await at.arrive("preview")
      await at.here.uploads.savePart(finished, "lines", 0, "[1]")
      await at.here.uploads.move(finished, ["preview"], { state: "done" }, at.by())
      expect(await at.sweep()).toBe(false)
      expect(await at.there.uploads.part(arriving, "file", 0)).toBe("x")

      at.clock.advance({ hours: 2 })
      expect(await at.sweep(1)).toBe(true)
      expect(await at.sweep(100)).toBe(false)
      expect(await at.there.uploads.part(arriving, "file", 0)).toBeNull()
      expect(await at.there.uploads.part(undecided, "file", 0)).not.toBeNull()

      at.clock.advance({ days: 8 })
      await at.sweep()
      expect(await at.there.uploads.find(at.acme.id, undecided)).toBeNull()
      expect(await at.there.uploads.part(finished, "file", 0)).toBeNull()
      expect((await at.there.uploads.find(at.acme.id, finished))?.state).toBe("done")
      expect(await at.there.uploads.part(finished, "lines", 0)).toBe("[1]")

      at.clock.advance({ days: 90 })
      await at.sweep()
      expect(await at.there.uploads.find(at.acme.id, finished)).toBeNull()
      expect(await at.there.uploads.part(finished, "lines", 0)).toBeNull()
    })
  })
})
