import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { SQL } from "bun"
import { databasePath } from "../../../src/storage/sqlite/engine/open.ts"
import { BINARY, adbooth as executable, hasBinary, serveBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"
import { emptyDatabase, noPostgres } from "../../storage/postgres/server.ts"
import { until } from "../../until.ts"
import { EXAMPLE_FILE } from "./example-file.ts"
import { adbooth } from "./in-process.ts"

// The test server lets everybody in, whatever the password: no output may show it.
const PASSWORD = "hunter2secret"
const SELLER = "acme-audio"
const PACKAGE_ID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"

async function given({ filled = true } = {}) {
  const held = new AsyncDisposableStack()
  const folder = held.use(temporaryFolder())
  const database = held.use(await emptyDatabase())
  const url = database.url.replace("://adbooth@", `://adbooth:${PASSWORD}@`)
  const data = join(folder.path, "data")
  const seen: string[] = []
  /** Runs a command on the database, and sees to it that the password is in nothing that it says. */
  const on = async (args: readonly string[], env: Record<string, string> = {}, input?: string) => {
    const settings = { ADBOOTH_DATA: data, ADBOOTH_DATABASE_URL: url, ...env }
    const done = await adbooth(args, { env: settings, ...(input !== undefined && { input }) })
    seen.push(done.out, done.err)
    expect(seen.join("")).not.toContain(PASSWORD)
    return done
  }
  if (filled) expect(await on(["import", "-"], {}, JSON.stringify(EXAMPLE_FILE))).toMatchObject({ code: 0 })
  return { url, data, path: folder.path, on, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

const WITHOUT_URL = { ADBOOTH_DATABASE_URL: "" }

describe.if(hasBinary && noPostgres === null)("with a database URL", () => {
  test("every command works on the database, and none of them shows its password", async () => {
    await using at = await given()
    const created = await at.on(["key", "create", "--org", SELLER, "--label", "feed", "--json"])
    expect(created.code).toBe(0)
    const commands = [
      ["line", "list", "--org", SELLER],
      ["export"],
      ["key", "list"],
      ["key", "revoke", JSON.parse(created.out).prefix, "--yes"],
      ["agent-key", "list"],
      ["user", "list"],
      ["user", "link", "a@example.com"],
      ["user", "setup-link"],
      ["calls"],
      ["doctor"],
      ["doctor", "--settings"],
      ["doctor", "--settings", "--json"],
    ]
    for (const command of commands) expect({ command, ...(await at.on(command)) }).toMatchObject({ command, code: 0 })
    expect((await at.on(["doctor"])).out).toContain("PostgreSQL")
    // Nothing was put where the data directory would be.
    expect(await Bun.file(databasePath(at.data)).exists()).toBe(false)
  })

  test("a backup to standard output needs no /tmp", async () => {
    await using at = await given()
    const made = await at.on(["backup", "create", "-", "--compress"], { TMPDIR: "/nowhere/at/all" })
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining("checked") })
  })

  test("the URL may come from a file; both at once, and no file, are told", async () => {
    await using at = await given()
    const file = join(at.path, "url")
    await Bun.write(file, `${at.url}\n`)
    expect(await at.on(["line", "list", "--database-url-file", file], WITHOUT_URL)).toMatchObject({ code: 0 })
    const twice = await at.on(["line", "list"], { ADBOOTH_DATABASE_URL_FILE: file })
    expect(twice).toMatchObject({ code: 2, err: expect.stringContaining("not both") })
    const told = expect.stringContaining("Anyone on this machine can read the password in --database-url")
    const typed = await at.on(["line", "list", "--database-url", at.url], WITHOUT_URL)
    expect(typed).toMatchObject({ code: 0, err: told })
    expect((await at.on(["line", "list"])).err).not.toEqual(told)
    const missing = await at.on(["line", "list", "--database-url-file", join(at.path, "none")], WITHOUT_URL)
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("There is no file") })
  })

  test.each([
    [`postgres://u:${PASSWORD}@127.0.0.1:1/d`, 1, "cannot be reached"],
    [`postgre://u:${PASSWORD}@127.0.0.1:1/d`, 2, "ADBOOTH_DATABASE_URL must be"],
    [`postgres://u:x/${PASSWORD}@127.0.0.1/d`, 1, "cannot be used"],
    [`postgres://u@127.0.0.1:1/d?sslmode=no&password=${PASSWORD}`, 1, "sslmode"],
  ])("a URL that leads nowhere is told in a sentence without the password: %#", async (url, code, sentence) => {
    await using at = await given({ filled: false })
    // A server waits for a database that cannot be reached.
    const serve = sentence === "cannot be reached" ? [] : [["serve", "--port", "0"]]
    for (const command of [["line", "list"], ...serve, ["backup", "create", join(at.path, "b")]]) {
      const done = await at.on(command, { ADBOOTH_DATABASE_URL: url })
      expect(done).toMatchObject({ code, out: "", err: expect.stringContaining(sentence) })
    }
  })

  test("a server serves, makes its scheduled backups, and has the password in no log and no argument", async () => {
    await using at = await given()
    await using server = await serveBinary(["--backup-every", "24h", "--log-format", "json"], {
      env: { ADBOOTH_DATA: at.data, ADBOOTH_DATABASE_URL: at.url },
    })
    const ready = await fetch(`${server.url}/readyz`)
    expect(ready.status).toBe(200)
    const folder = join(at.data, "backups")
    const made = () => (server.errors().includes("backup made") ? readdirSync(folder) : [])
    const shown: string[] = []
    await until(() => shown.push(...argumentsOfChildren(server.pid)) >= 0 && made().length > 0)
    expect(shown.join(" ")).not.toContain(PASSWORD)
    const restored = join(at.path, "restored")
    const [name = ""] = made()
    const back = await at.on(["backup", "restore", join(folder, name), "--data", restored], WITHOUT_URL)
    expect(back).toMatchObject({ code: 0 })
    const [there, here] = [await at.on(["export", "--data", restored], WITHOUT_URL), await at.on(["export"])]
    expect(there.out).toBe(here.out)
    expect(await server.stop()).toBe(0)
    expect(server.errors()).not.toContain(PASSWORD)
  })

  test.if(process.platform === "linux")(
    "a new process takes the server's place while reports come in: each is answered, and none is lost",
    async () => {
      await using at = await given()
      const key = (await at.on(["key", "create", "--org", SELLER, "--label", "feed"])).out.trim()
      const env = { ADBOOTH_DATA: at.data, ADBOOTH_DATABASE_URL: at.url }
      await using server = await serveBinary(["--log-format", "json", "--limit-ingest", "100000"], { env })
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
      const successor = () => /"took over","pid":(\d+)/.exec(server.errors())?.[1]
      using _ = { [Symbol.dispose]: () => void Bun.spawnSync(["kill", "-KILL", successor() ?? ""]) }
      let impressions = 0
      const report = async () => {
        const body = JSON.stringify({ items: [{ package_id: PACKAGE_ID, impressions: ++impressions }] })
        const send = () => fetch(`${server.url}/api/ingest/delivery/metrics`, { method: "POST", headers, body })
        // A connection that is opened while the old process closes its port may be cut off: callers send again.
        const response = await send().catch(send)
        expect([response.status, await response.json()]).toMatchObject([200, { accepted: 1 }])
      }
      await report()
      process.kill(server.pid, "SIGUSR2")
      while (successor() === undefined) await report()
      await report()
      const [line] = JSON.parse((await at.on(["line", "list", "--org", SELLER, "--json"])).out)
      expect(line).toMatchObject({ delivered: impressions })
      process.kill(Number(successor()), "SIGTERM")
      expect(await server.ended).toBe(0)
      expect(server.errors()).not.toContain(PASSWORD)
    },
  )

  test("a backup restores into either engine; what was revoked since stays revoked, and the old data is kept", async () => {
    await using at = await given()
    const key = JSON.parse((await at.on(["key", "create", "--org", SELLER, "--label", "feed", "--json"])).out)
    const backup = join(at.path, "backup")
    await using sql = new SQL(at.url)
    await sql`INSERT INTO order_link (token_hash, product_id, label, territories, created_at, expires_at)
      VALUES ('hash', 'audio', 'For the buyer', '[]', 1, 2)`
    const campaign = () =>
      sql`INSERT INTO campaign (slug, name, buyer_id, created_at) SELECT 'gone', 'Gone', min(id), 1 FROM organization`
    await campaign()
    await sql`INSERT INTO share_link (token_hash, campaign_id, organization_id, label, created_at, expires_at)
      SELECT 'hash', id, buyer_id, 'For the buyer', 1, 2 FROM campaign WHERE slug = 'gone'`
    expect(await at.on(["backup", "create", backup, "--compress"])).toMatchObject({ code: 0 })
    await at.on(["key", "revoke", key.prefix, "--yes"])
    await sql`UPDATE order_link SET ended_at = 8`
    const exported = (await at.on(["export"])).out
    await sql`DELETE FROM share_link`
    await sql`DELETE FROM campaign WHERE slug = 'gone'`
    await sql`INSERT INTO audit_entry (at, actor, action, subject) VALUES (9, 'test', 'remove campaign', 'gone')`
    await campaign()
    expect(await at.on(["backup", "restore", backup])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--yes"),
    })
    const forced = await at.on(["backup", "restore", backup, "--yes", "--json"])
    expect(forced.code).toBe(0)
    const { aside } = JSON.parse(forced.out)
    const keys = async (args: string[] = []) =>
      (await at.on(["key", "list", ...args], args.length > 0 ? WITHOUT_URL : {})).out
    expect(await keys()).toContain("revoked")
    expect(await sql`SELECT ended_at::text FROM order_link`).toEqual([{ ended_at: "8" }])
    expect(await sql`SELECT revoked_at::text FROM share_link`).toEqual([{ revoked_at: "9" }])
    expect((await at.on(["export"])).out).toBe(exported)
    // What was kept aside is a backup like any other.
    for (const [name, file] of [
      ["aside", aside],
      ["first", backup],
    ] as const) {
      const data = join(at.path, name)
      expect(await at.on(["backup", "restore", file, "--data", data], WITHOUT_URL)).toMatchObject({ code: 0 })
      expect((await at.on(["export", "--data", data], WITHOUT_URL)).out).toBe(exported)
    }
    expect(await keys(["--data", join(at.path, "first")])).toContain("active")
    expect(await keys(["--data", join(at.path, "aside")])).toContain("revoked")
  })

  test("restoring under a running server: it goes on with the restored data, and everybody signs in again", async () => {
    await using at = await given()
    const backup = join(at.path, "backup")
    const client = new SQL(at.url, { max: 1 })
    await client`INSERT INTO session (token_hash, user_id, created_at, expires_at) SELECT 'x', id, 1, 2 FROM "user"`
    await client`INSERT INTO invitation (organization_id, email, name, role, token_hash, created_at, expires_at)
      SELECT id, 'b@example.com', 'Ben', 'admin', slug, 1, 2 FROM organization`
    const { key } = JSON.parse((await at.on(["key", "create", "--org", SELLER, "--label", "feed", "--json"])).out)
    await at.on(["backup", "create", backup])
    await using server = await serveBinary([], { env: { ADBOOTH_DATA: at.data, ADBOOTH_DATABASE_URL: at.url } })
    const report = async () => {
      const item = { package_id: PACKAGE_ID, impressions: 100, as_of: "2026-11-10" }
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
      const init = { method: "POST", headers, body: JSON.stringify({ items: [item] }) }
      return (await fetch(`${server.url}/api/ingest/delivery/metrics`, init)).json()
    }
    expect(await report()).toMatchObject({ accepted: 1, results: [{ effect: "applied" }] })
    expect(await at.on(["backup", "restore", backup, "--yes"])).toMatchObject({ code: 0 })
    expect([...(await client`SELECT * FROM session`)]).toEqual([])
    expect([...(await client`SELECT * FROM invitation`)]).toEqual([])
    // The total of before is gone, so the same one is new again.
    expect(await report()).toMatchObject({ accepted: 1, results: [{ effect: "applied" }] })
    await client.close()
  })

  test("a move there and back gives the same digests, names no password, and wants an empty target", async () => {
    await using at = await given({ filled: false })
    const from = join(at.path, "from")
    await at.on(["import", "-", "--data", from], WITHOUT_URL, JSON.stringify(EXAMPLE_FILE))
    await Bun.write(join(at.path, "url"), at.url)
    const there = await at.on(["move", "--from", from, "--to", "env:ADBOOTH_DATABASE_URL", "--json"])
    expect(there).toMatchObject({ code: 0, err: expect.stringContaining("The copy begins") })
    const back = await at.on([
      "move",
      "--from",
      `file:${join(at.path, "url")}`,
      "--to",
      join(at.path, "back"),
      "--json",
    ])
    expect(back.code).toBe(0)
    const { setting: _, ...tables } = JSON.parse(there.out).tables
    expect(JSON.parse(back.out).tables).toMatchObject(tables)
    const again = await at.on(["move", "--from", from, "--to", "env:ADBOOTH_DATABASE_URL"])
    expect(again).toMatchObject({ code: 1, out: "", err: expect.stringContaining("already") })
    expect(await at.on(["move", "--from", from, "--to", "env:NOT_SET"])).toMatchObject({ code: 2 })
  })

  test("after a move no server starts on the old directory, and says where everything went, until it is told otherwise", async () => {
    await using at = await given({ filled: false })
    const from = join(at.path, "from")
    await at.on(["import", "-", "--data", from], WITHOUT_URL, JSON.stringify(EXAMPLE_FILE))
    await at.on(["move", "--from", from, "--to", "env:ADBOOTH_DATABASE_URL"])
    const { host, pathname } = new URL(at.url)
    const { code, err } = await executable(["serve", "--port", "0", "--data", from])
    expect([code, err]).toEqual([1, expect.stringContaining(`was moved to ${pathname.slice(1)} at ${host}`)])
    expect(err).not.toContain(PASSWORD)
    rmSync(join(from, "moved-to.txt"))
    await using server = await serveBinary(["--data", from])
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })

  test("a move from under a running server waits for its end and says so", async () => {
    await using at = await given()
    const server = await serveBinary([], { env: { ADBOOTH_DATA: at.data, ADBOOTH_DATABASE_URL: at.url } })
    const to = join(at.path, "to")
    const child = Bun.spawn([BINARY, "move", "--from", "env:URL", "--to", to], { env: { URL: at.url }, stderr: "pipe" })
    let said = ""
    for await (const chunk of child.stderr) {
      said += new TextDecoder().decode(chunk)
      if (said.includes("Stop every server") && !said.includes("Nobody uses")) await server.stop()
    }
    expect(await child.exited).toBe(0)
    expect(said).toMatch(
      /^\d+ sessions? .* connected to .* A million reports take some 15 seconds\.\nNobody uses --from now/,
    )
    expect((await at.on(["export", "--data", to], WITHOUT_URL)).out).toBe((await at.on(["export"])).out)
  })

  test("a move that is killed leaves an empty target, which the next one fills", async () => {
    await using at = await given({ filled: false })
    const from = join(at.path, "from")
    await at.on(["import", "-", "--data", from], WITHOUT_URL, JSON.stringify(EXAMPLE_FILE))
    using file = new Database(databasePath(from))
    file.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO delivery_report SELECT i, 1, i, 1, 1 FROM n`)
    file.close()
    const client = new SQL(at.url, { max: 1 })
    const args = ["move", "--from", from, "--to", "env:ADBOOTH_DATABASE_URL"]
    const child = Bun.spawn([BINARY, ...args], { env: { ADBOOTH_DATABASE_URL: at.url }, stderr: "ignore" })
    while ((await client`SELECT 1 FROM pg_stat_progress_copy WHERE datname = current_database()`).length === 0) {}
    child.kill("SIGKILL")
    await child.exited
    expect([...(await client`SELECT * FROM delivery_report LIMIT 1`)]).toEqual([])
    await client.close()
    expect(await at.on(args)).toMatchObject({ code: 0, out: expect.stringContaining("every table reads back equal") })
  })
})

/** What the process list shows of the children of a process; nothing where there is no /proc. */
function argumentsOfChildren(parent: number): string[] {
  try {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(" ")
    return children.map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8"))
  } catch {
    return []
  }
}
