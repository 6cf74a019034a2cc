import { expect, test } from "bun:test"
import { type Caller, fairQueue } from "../../../src/domain/callers/fair-queue.ts"
import { nextTurn } from "../../clock.ts"

const LIMITS = { runningMax: 1, waitingMax: 4, waitingPerCallerMax: 3 }

/** A queue whose work ends when the test says so, and a list of what was begun. */
function givenQueue() {
  const queue = fairQueue(LIMITS)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const want = (name: string, caller: Caller | null = { name: name.charAt(0) }) =>
    queue.run(caller, () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.push(() => resolve(name)))
    })
  const endOne = async () => {
    ends.shift()?.()
    await nextTurn()
  }
  return { begun, want, endOne }
}

test("callers take turns, whoever asks most", async () => {
  const { begun, want, endOne } = givenQueue()
  for (const name of ["a1", "a2", "a3", "b1", "c1"]) void want(name)
  for (let i = 0; i < 5; i++) await endOne()
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3"])
})

test("nobody waits beyond the bounds: neither one caller nor all together, but for ourselves", async () => {
  const { begun, want, endOne } = givenQueue()
  for (const name of ["a1", "a2", "a3", "a4"]) void want(name)
  expect(await want("a5")).toBeNull()
  void want("b1")
  expect(await want("c1")).toBeNull()
  void want("ours", null)
  for (let i = 0; i < 6; i++) await endOne()
  expect(begun.toSorted()).toEqual(["a1", "a2", "a3", "a4", "b1", "ours"])
})

test("whoever has gone gives the place back, and nothing is done for it", async () => {
  const { begun, want, endOne } = givenQueue()
  const leaving = new AbortController()
  void want("a1")
  const left = ["b1", "b2", "b3"].map((name) => want(name, { name: "b", gone: leaving.signal }))
  void want("c1")
  expect(await want("d1")).toBeNull()
  leaving.abort()
  expect(await Promise.all(left)).toEqual([null, null, null])
  expect(await want("b4", { name: "b", gone: leaving.signal })).toBeNull()
  for (const name of ["d2", "d3", "d4"]) void want(name)
  for (let i = 0; i < 5; i++) await endOne()
  expect(begun).toEqual(["a1", "c1", "d2", "d3", "d4"])
})

test("work that fails gives its place back", async () => {
  const queue = fairQueue(LIMITS)
  const failing = queue.run({ name: "a" }, () => Promise.reject(new Error("broken")))
  expect(failing).rejects.toThrow("broken")
  expect(await queue.run({ name: "b" }, async () => "done")).toBe("done")
})
