import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { importCatalogue } from "../../src/actions/catalogue/import-catalogue.ts"
import { openSession } from "../../src/actions/people/sessions.ts"
import { createUser } from "../../src/actions/people/users.ts"
import { SESSION_COOKIE } from "../../src/doors/web/cookies.ts"
import { databasePath } from "../../src/storage/sqlite/engine/open.ts"
import { sqliteStore } from "../../src/storage/sqlite/index.ts"
import { hasBinary, type RunningBinary, serveBinary } from "../binary.ts"
import { temporaryFolder } from "../harness.ts"
import { until } from "../until.ts"

const LINES = [1, 2, 3].map((i) => `0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a0${i}`)
const ROWS = 99_000
const START = Date.parse("2021-01-01T00:00:00Z")
const SAYS_EVERY_MS = 1_000

const context = (data: string) => ({
  store: sqliteStore(data, "test").store,
  clock: () => Date.now() * 1_000,
  random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)),
})

/** A seller with three lines and somebody who is signed in; the cookie. */
async function givenSeller(data: string): Promise<string> {
  const given = context(data)
  await using _ = given.store
  const lines = LINES.map((package_id) => ({
    package_id,
    seller: "acme",
    name: package_id,
    pricing_basis: "impressions",
    flight_start: "2020-01-01",
  }))
  const market = {
    organizations: [
      { slug: "acme", name: "Acme" },
      { slug: "brand", name: "Brand" },
    ],
    campaigns: [{ slug: "c", name: "C", buyer: "brand", lines }],
  }
  expect((await importCatalogue(given, market, "test")).ok).toBe(true)
  const organizationId = (await given.store.organizations.findBySlug("acme"))?.id ?? 0
  const membership = { organizationId, role: "member" } as const
  const person = { email: "a@example.com", name: "A", isOperator: false, passwordHash: null, membership }
  const made = await createUser(given, person, "test")
  const { token } = await openSession(given, made?.user.id ?? 0, null)
  return `${SESSION_COOKIE}=${token}`
}

/** One total for each minute, of one line after the other. */
function file(): string {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const at = new Date(START + i * 60_000).toISOString()
    return `${LINES[i % LINES.length]},${i + 1},${at}`
  })
  return ["package_id,impressions,as_of", ...rows].join("\n")
}

interface Status {
  readonly state: string
  readonly done: number
}

/** What a browser sends to the server at `url`. */
function browser(url: string, cookie: string) {
  const headers = { cookie, origin: url, "sec-fetch-site": "same-origin" }
  const post = (path: string, body: FormData | URLSearchParams = new URLSearchParams()) =>
    fetch(url + path, { method: "POST", body, headers, redirect: "manual" })
  const status = async (path: string) => (await (await fetch(`${url}${path}/status`, { headers })).json()) as Status
  const seen = async (path: string) => {
    const page = await (await fetch(url + path, { headers })).text()
    return /name="seen" value="([^"]*)"/.exec(page)?.[1] ?? ""
  }
  const reached = (path: string, wanted: string) => until(async () => (await status(path)).state === wanted)
  return { post, seen, status, reached }
}

/**
 * Holds up the server once it has stored something, for so long that it then says how far it got, and holds it again as soon as it has,
 * until this is disposed of: so it is in the middle of the file, however quick or slow the machine is.
 */
async function heldUp(data: string): Promise<Disposable> {
  const other = new Database(databasePath(data))
  other.run("PRAGMA busy_timeout = 60000")
  const isAny = (table: string) => other.query(`SELECT 1 FROM ${table} LIMIT 1`).get() !== null
  const heldOnce = (isSo: () => boolean) =>
    until(() => {
      other.run("BEGIN IMMEDIATE")
      if (isSo()) return true
      other.run("ROLLBACK")
      return false
    })
  await heldOnce(() => isAny("delivery_report"))
  const end = performance.now() + SAYS_EVERY_MS
  await until(() => performance.now() > end)
  other.run("ROLLBACK")
  await heldOnce(() => isAny("upload WHERE rows_done > 0"))
  return { [Symbol.dispose]: () => other.close() }
}

describe.if(hasBinary)("a server that is killed while it works on a file", () => {
  test("leaves it to be reported again, and no row is lost or counted twice", async () => {
    using folder = temporaryFolder()
    const cookie = await givenSeller(folder.path)
    const start = () => serveBinary(["--data", folder.path])
    let server: RunningBinary = await start()
    let person = browser(server.url, cookie)
    await using _server = { [Symbol.asyncDispose]: async () => void (await server.stop("SIGKILL")) }
    const killAndRestart = async () => {
      await server.stop("SIGKILL")
      server = await start()
      person = browser(server.url, cookie)
    }

    const form = new FormData()
    form.set("kind", "delivery")
    form.set("file", new File([file()], "year.csv", { type: "text/csv" }))
    const address = (await person.post("/app/o/acme/upload", form)).headers.get("location") ?? ""
    await killAndRestart()
    const report = async () => {
      await until(async () => (await person.seen(address)) !== "")
      const seen = await person.seen(address)
      await person.post(`${address}/report`, new URLSearchParams({ anyway_all: "yes", seen }))
    }
    await report()
    {
      using _held = await heldUp(folder.path)
      const { state, done } = await person.status(address)
      expect([state, done > 0]).toEqual(["reporting", true])
      await server.stop("SIGKILL")
    }
    await killAndRestart()
    await person.reached(address, "preview")
    await report()
    await person.reached(address, "done")
    await server.stop()

    const { store } = context(folder.path)
    await using _ = store
    expect(await store.health.integrity()).toEqual([])
    const organizationId = (await store.organizations.findBySlug("acme"))?.id ?? 0
    const [upload] = await store.uploads.list(organizationId, 1)
    expect(upload?.summary).toMatchObject({ reported: ROWS, refused: 0, leftOut: 0 })
    const lines = await store.packageLines.findSold(organizationId, LINES)
    for (const [i, line] of lines.entries()) {
      expect(line?.total?.quantity).toBe(ROWS - LINES.length + i + 1)
      const { entries } = await store.deliveryHistory.page(line?.lineId ?? 0, "seller", null, ROWS)
      expect(new Set(entries.map(({ quantity }) => quantity)).size).toBe(ROWS / LINES.length)
      expect(entries).toHaveLength(ROWS / LINES.length)
    }
  }, 600_000)
})
