import { expect, test } from "bun:test"
import fc from "fast-check"
import { type Behind, WriteBehind } from "../../src/storage/steps/behind/write-behind.ts"

/** Rows that are written to a list. A commit that fails leaves the list as it was. */
function given(kind: Behind<{ n: number }> = {}) {
  const stored: number[] = []
  let sent: number[] = []
  let flushes = 0
  const rows = new WriteBehind(
    kind,
    (written) => {
      sent = written.map(({ n }) => n)
    },
    async () => {
      flushes += 1
      throw new Error("the database is away")
    },
  )
  return {
    rows,
    stored,
    flushes: () => flushes,
    commit(succeeds: boolean) {
      if (!rows.isDue()) return
      rows.write()
      if (!succeeds) return
      rows.written()
      stored.push(...sent)
    },
  }
}

test("whichever commits fail, every row is written once, in the order in which it came", () => {
  const step = fc.constantFrom("add" as const, "commit" as const, "fail" as const)
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { rows, commit, stored } = given()
      let added = 0
      for (const what of steps) {
        if (what === "add") rows.add({ n: added++ })
        else commit(what === "commit")
      }
      commit(true)
      expect(stored).toEqual(Array.from({ length: added }, (_, n) => n))
      expect(rows.isDue()).toBe(false)
    }),
  )
})

test("rows of one key become one, also when those that were written before are undone", () => {
  const { rows, commit, stored } = given({ merge: (older, newer) => ({ n: older.n + newer.n }) })
  rows.add({ n: 1 }, "a")
  rows.add({ n: 2 }, "a")
  commit(false)
  rows.add({ n: 4 }, "a")
  rows.add({ n: 100 }, "b")
  commit(true)
  expect(stored).toEqual([7, 100])
})

test("while the database is away, no more waits than there is room for, and there is room again afterwards", () => {
  const { rows, commit, stored } = given({ sizeOf: ({ n }) => n, room: 10 })
  for (const n of [4, 4, 4, 2, 1]) rows.add({ n })
  commit(false)
  rows.add({ n: 1 })
  commit(true)
  expect(stored).toEqual([4, 4, 2])
  rows.add({ n: 9 })
  commit(true)
  expect(stored).toEqual([4, 4, 2, 9])
})

test("many rows ask for a flush, one at a time, and a flush that fails loses nothing", async () => {
  const { rows, commit, stored, flushes } = given({ room: 1_000, flushedAt: 10 })
  for (let n = 0; n < 35; n++) rows.add({ n })
  expect(flushes()).toBe(1)
  await Promise.resolve()
  await Promise.resolve()
  for (let n = 35; n < 45; n++) rows.add({ n })
  expect(flushes()).toBe(2)
  commit(true)
  expect(stored).toHaveLength(45)
})

test("rows that ride alone wait for a flush, and are due then", () => {
  const { rows } = given({ ridesAlone: true })
  rows.collect()
  rows.add({ n: 1 })
  expect(rows.isDue()).toBe(false)
  rows.collect()
  expect(rows.isDue()).toBe(true)
})
