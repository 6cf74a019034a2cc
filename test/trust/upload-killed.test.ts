import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { importCatalogue } from "../../src/actions/catalogue/import-catalogue.ts"
import { openSession } from "../../src/actions/people/sessions.ts"
import { createUser } from "../../src/actions/people/users.ts"
import { ROWS_AT_ONCE_MAX } from "../../src/actions/upload/checked-row.ts"
import { SESSION_COOKIE } from "../../src/doors/web/cookies.ts"
import { databasePath } from "../../src/storage/sqlite/engine/open.ts"
import { sqliteStore } from "../../src/storage/sqlite/index.ts"
import { hasBinary, type RunningBinary, serveBinary } from "../binary.ts"
import { temporaryFolder } from "../harness.ts"
import { until } from "../until.ts"

const LINES = [1, 2, 3].map((i) => `0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a0${i}`)
const ROWS = 9_000
/** The last row of a batch in the middle of the file. */
const HELD_AT = ROWS / 2
const START = Date.parse("2021-01-01T00:00:00Z")

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

/** What a browser sends to the server at `url`. */
function browser(url: string, cookie: string) {
  const headers = { cookie, origin: url, "sec-fetch-site": "same-origin" }
  const post = (path: string, body: FormData | URLSearchParams) =>
    fetch(url + path, { method: "POST", body, headers, redirect: "manual" })
  /** Reports the file as its page shows it. */
  const report = async (address: string) => {
    const page = await (await fetch(url + address, { headers })).text()
    const seen = /name="seen" value="([^"]*)"/.exec(page)?.[1] ?? ""
    return post(`${address}/report`, new URLSearchParams({ anyway_all: "yes", seen }))
  }
  return { post, report }
}

/** Until this is disposed of, a server that stores `HELD_AT` never gets to the end of that row: it is in the middle of the file, however fast it is. */
function heldUp(data: string) {
  const other = new Database(databasePath(data))
  other.run("PRAGMA busy_timeout = 60000")
  const forEver = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
  other.run(`CREATE TRIGGER held BEFORE INSERT ON delivery_report WHEN NEW.quantity = ${HELD_AT} BEGIN ${forEver}; END`)
  const counted = other.query<{ count: number }, []>("SELECT count(*) AS count FROM delivery_report")
  const letGo = () => {
    other.run("DROP TRIGGER held")
    other.close()
  }
  return { stored: () => counted.get()?.count, [Symbol.dispose]: letGo }
}

describe.if(hasBinary)("a server that is killed while it works on a file", () => {
  test("leaves it to be reported again, and no row is lost or counted twice", async () => {
    using folder = temporaryFolder()
    const cookie = await givenSeller(folder.path)
    const start = () => serveBinary(["--data", folder.path])
    let server: RunningBinary = await start()
    await using _server = { [Symbol.asyncDispose]: async () => void (await server.stop("SIGKILL")) }

    const form = new FormData()
    form.set("kind", "delivery")
    form.set("file", new File([file()], "year.csv", { type: "text/csv" }))
    const sent = await browser(server.url, cookie).post("/app/o/acme/upload", form)
    const address = sent.headers.get("location") ?? ""
    await server.stop("SIGKILL")
    server = await start()
    {
      using held = heldUp(folder.path)
      const lost = browser(server.url, cookie)
        .report(address)
        .catch(() => null)
      await until(() => held.stored() === HELD_AT - ROWS_AT_ONCE_MAX)
      await server.stop("SIGKILL")
      expect(await lost).toBeNull()
      expect(held.stored()).toBe(HELD_AT - ROWS_AT_ONCE_MAX)
    }
    server = await start()
    await browser(server.url, cookie).report(address)
    await server.stop()

    const { store } = context(folder.path)
    await using _ = store
    expect(await store.health.integrity()).toEqual([])
    const organizationId = (await store.organizations.findBySlug("acme"))?.id ?? 0
    const [upload] = await store.uploads.list(organizationId, 1)
    expect(upload).toMatchObject({ state: "done", summary: { reported: ROWS, refused: 0, leftOut: 0 } })
    const lines = await store.packageLines.findSold(organizationId, LINES)
    for (const [i, line] of lines.entries()) {
      expect(line?.total?.quantity).toBe(ROWS - LINES.length + i + 1)
      const { entries } = await store.deliveryHistory.page(line?.lineId ?? 0, "seller", null, ROWS)
      expect(new Set(entries.map(({ quantity }) => quantity)).size).toBe(ROWS / LINES.length)
      expect(entries).toHaveLength(ROWS / LINES.length)
    }
  }, 120_000)
})
