import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Database, Tx } from "../../../src/storage/database.ts"
import { openDatabase } from "../../../src/storage/engines.ts"
import { quickFolder } from "../../harness/folder.ts"
import { machine, testWith } from "../../harness/machine.ts"
import { giveToServer, startServer } from "../../harness/postgres.ts"

// Each test starts a PostgreSQL of its own, because it changes or breaks the whole server.

const errors: unknown[] = []
const LOG = {
  info: () => undefined,
  warn: () => undefined,
  error: (_: string, cause: unknown) => void errors.push(cause),
}

const add = (tx: Tx, slug: string) => tx.db.insert(tx.organization).values({ slug, name: slug, timeZone: "UTC" })

async function slugsIn({ read }: Database): Promise<string[]> {
  const rows = await read.rows("SELECT slug FROM organization ORDER BY slug", [], { slug: String })
  return rows.map(({ slug }) => slug)
}

const milliseconds = async (work: Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work.catch(() => undefined)
  return performance.now() - began
}

describe.skipIf(machine.postgres === null)("PostgreSQL [needs postgres]", () => {
  test("while the server is frozen every operation fails within five seconds, and afterwards everything resumes", async () => {
    const server = await startServer()
    const database = await openDatabase(server.urlOf("postgres"), LOG)
    await database.transact((tx) => add(tx, "before"))
    server.signal("SIGSTOP")
    const durations = await Promise.all(
      [database.transact((tx) => add(tx, "a")), database.transactReport((tx) => add(tx, "b")), slugsIn(database)]
        .concat([database.limits.admit("k", { name: "n", limit: 1 }, 0)] as never[])
        .map(milliseconds),
    )
    for (const duration of durations) expect(duration).toBeLessThan(6_000)
    server.signal("SIGCONT")
    await database.transact((tx) => add(tx, "after"))
    expect(await slugsIn(database)).toContain("after")
    await database.close()
    server.stop()
  })

  test("after the server crashes everything resumes, with empty windows", async () => {
    const server = await startServer()
    const database = await openDatabase(server.urlOf("postgres"), LOG)
    const admit = () => database.limits.admit("k", { name: "n", limit: 1 }, 0)
    expect((await admit()).isAllowed).toBe(true)
    expect((await admit()).isAllowed).toBe(false)
    await database.transact((tx) => add(tx, "before"))
    await server.crash()
    expect(await slugsIn(database)).toEqual(["before"])
    await database.transact((tx) => add(tx, "after"))
    expect((await admit()).isAllowed).toBe(true)
    await database.close()
    server.stop()
  })
})

testWith("openssl")(
  "TLS works as libpq names it",
  async () => {
    using folder = certificates()
    const file = (name: string) => join(folder.path, name)
    const server = await startServer({ ssl: "on", ssl_cert_file: file("ours.crt"), ssl_key_file: file("ours.key") })
    const url = server.urlOf("postgres").replace("127.0.0.1", "localhost").replace("disable", "")
    const open = async (mode: string, root?: string) => {
      const database = await openDatabase(`${url}${mode}${root === undefined ? "" : `&sslrootcert=${file(root)}`}`, LOG)
      const query = "SELECT ssl::text AS ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
      const [session] = await database.read.rows(query, [], { ssl: String })
      await database.close()
      return session?.ssl
    }
    expect(await open("require")).toBe("true")
    expect(await open("prefer")).toBe("true")
    expect(await open("disable")).toBe("false")
    expect(await open("verify-full", "ours.crt")).toBe("true")
    await expect(open("verify-full", "theirs.crt")).rejects.toThrow("can't be reached")
    await expect(open("require", "theirs.crt")).rejects.toThrow("can't be reached")
    server.stop()
  },
  30_000,
)

/** Two certificates for localhost, in a folder that the server's user can read. */
function certificates() {
  const path = mkdtempSync(join(quickFolder, "adbooth-tls-"))
  for (const name of ["ours", "theirs"]) {
    const { status, stderr } = spawnSync(
      "openssl",
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"].concat([
        "-addext",
        "subjectAltName=DNS:localhost",
        "-keyout",
        `${name}.key`,
        "-out",
        `${name}.crt`,
      ]),
      { cwd: path, encoding: "utf8" },
    )
    if (status !== 0) throw new Error(`openssl failed: ${stderr}`)
    giveToServer(join(path, `${name}.key`))
  }
  giveToServer(path)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}
