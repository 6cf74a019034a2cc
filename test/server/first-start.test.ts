import { expect, test } from "bun:test"
import type { Deps } from "../../src/server/deps.ts"
import { invitation, noteFailedStart, noteStart, type Start } from "../../src/server/first-start.ts"
import { givenPerson } from "../doors/web/given.ts"
import { startApp, type TestApp } from "../harness.ts"

const START: Start = { version: "0.2.0", copy: "/data/adbooth.db.before-upgrade-from-9-x", data: "/data" }

function partsOf(app: TestApp, freeBytes: number) {
  const told: { event: string; fields: Record<string, unknown> }[] = []
  const note = (event: string, fields: object = {}) => void told.push({ event, fields: { ...fields } })
  const log = { request: () => undefined, info: note, warn: note, error: note }
  const parts = { ...app, log, diskFreeBytes: async () => freeBytes } as unknown as Deps
  return { parts, told }
}

test("the first start of a version that is not ready says how to go back, with the commands", async () => {
  await using app = await startApp()
  const { parts, told } = partsOf(app, 1_000)
  await noteStart(parts, { ...START, version: "0.1.0", copy: null })
  expect(told).toEqual([])
  await noteStart(parts, START)
  const fields = told.find(({ event }) => event === "this version is not ready")?.fields
  expect(fields?.["problem"]).toContain("disk: 0.1 MB free")
  expect(fields?.["go_back"]).toBe(
    "1. See what would be lost: adbooth backup rollback --data /data 2. Stop the server. " +
      "3. Go back to the copy made before the upgrade: adbooth backup rollback --yes --data /data " +
      "4. Put the executable of 0.1.0 back and start it.",
  )
  // The second start of a version is as any other.
  told.length = 0
  await noteStart(parts, START)
  expect(told).toEqual([])
})

test("a version that is ready is noted, and nothing else is said", async () => {
  await using app = await startApp()
  const { parts, told } = partsOf(app, 10 ** 12)
  await noteStart(parts, { ...START, version: "0.1.0", copy: null })
  await noteStart(parts, { ...START, copy: null })
  expect(told.map(({ event }) => event)).toEqual(["first start of this version"])
  expect(JSON.parse((await app.store.settings.get("versions_run")) ?? "")).toMatchObject([
    { version: "0.1.0", since: "2026-11-15T12:00:00Z" },
    { version: "0.2.0" },
  ])
})

test("a new version that cannot listen says how to go back; the one that ran already does not", async () => {
  await using app = await startApp()
  const { parts, told } = partsOf(app, 10 ** 12)
  const cause = new Error("Port 3000 is in use.")
  await noteFailedStart(parts, { ...START, copy: null }, cause)
  expect(told).toEqual([])
  await noteStart(parts, { ...START, version: "0.1.0", copy: null })
  await noteFailedStart(parts, { ...START, version: "0.1.0", copy: null }, cause)
  expect(told).toEqual([])
  await noteFailedStart(parts, { ...START, copy: null, data: null }, cause)
  expect(told[0]?.fields["go_back"]).toContain("into an empty database: adbooth backup restore FILE --database-url URL")
})

test("each start prints a new link for the first operator, into a log too, until there is one", async () => {
  await using app = await startApp()
  const linkIn = async () =>
    /http:\/\/booth\.example(\/app\/setup\/\S+)/.exec(await invitation("http://booth.example", app))?.[1]
  const [before, link] = [await linkIn(), await linkIn()]
  const status = async (path = "") => (await app.fetch(path)).status
  expect([await status(before), await status(link)]).toEqual([404, 200])
  await givenPerson(app, { isOperator: true })
  expect(await invitation("http://booth.example", app)).toBe("")
})
