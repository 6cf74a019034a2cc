import { describe, expect, test } from "bun:test"
import { chmodSync } from "node:fs"
import { join } from "node:path"
import { adbooth, hasBinary, serveBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"
import { EXAMPLE_FILE } from "./example-file.ts"

describe.if(hasBinary)("adbooth serve", () => {
  test("prints where it listens, answers the probes and stops with 0 on SIGTERM and SIGINT", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      using folder = temporaryFolder()
      await using server = await serveBinary(["--data", folder.path])
      expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      const alive = await fetch(`${server.url}/healthz`)
      expect(await alive.json()).toEqual({ status: "ok" })
      const ready = await fetch(`${server.url}/readyz`)
      expect(ready.status).toBe(200)
      expect(await ready.json()).toMatchObject({
        status: "ready",
        checks: { database: { ok: true }, migrations: { ok: true }, disk: { ok: true } },
      })
      expect(await server.stop(signal)).toBe(0)
    }
  })

  test("every response has a request id, and every request one log line that can never contain a key", async () => {
    using folder = temporaryFolder()
    await using server = await serveBinary(["--data", folder.path])
    const secret = "abi_0123456789abcdefghijklmnopqrstuvwxyzAB"
    const response = await fetch(`${server.url}/${secret}?key=${secret}`, {
      headers: { Authorization: `Bearer ${secret}` },
    })
    const id = response.headers.get("X-Request-Id") ?? ""
    expect(id).not.toBe("")
    expect(response.headers.get("Content-Type")).toBe("application/problem+json")
    expect(await response.json()).toMatchObject({ status: 404, code: "not_found", request_id: id })
    await server.stop()
    const lines = server
      .errors()
      .split("\n")
      .filter((line) => line.includes('"event":"request"'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ method: "GET", status: 404, id })
    expect(server.errors()).not.toContain(secret)
  })

  test("the command line works on the data directory of a running server", async () => {
    using folder = temporaryFolder()
    const data = join(folder.path, "data")
    await using _ = await serveBinary(["--data", data])
    const imported = await adbooth(["import", "-", "--data", data], { input: JSON.stringify(EXAMPLE_FILE) })
    expect(imported).toMatchObject({ code: 0 })
    const key = await adbooth([
      "key",
      "create",
      "--org",
      "acme-audio",
      "--label",
      "Ad server",
      "--json",
      "--data",
      data,
    ])
    expect(JSON.parse(key.out)).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^abi_\w{38}$/),
      prefix: JSON.parse(key.out).key.slice(0, 12),
      label: "Ad server",
      organization: "acme-audio",
    })
    const lines = await adbooth(["line", "list", "--json", "--org", "acme-audio", "--data", data])
    expect(JSON.parse(lines.out)).toEqual([
      {
        package_id: "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01",
        campaign: "autumn",
        seller: "acme-audio",
        external_id: null,
        name: "Pre-roll",
        pricing_basis: "impressions",
        flight_start: "2026-11-01",
        flight_end: "2026-12-31",
        booked: 500_000,
        delivered: null,
        as_of: null,
        // It depends on the day.
        state: expect.any(String),
      },
    ])
    const exported = await adbooth(["export", "--data", data])
    expect(JSON.parse(exported.out)).toMatchObject({
      products: [{ product_id: "p1" }],
      agent_keys: [{ label: "Buyer X" }],
    })
  })

  test("a port in use is told in a sentence, exit code 1", async () => {
    using folder = temporaryFolder()
    await using server = await serveBinary(["--data", folder.path])
    const port = new URL(server.url).port
    const second = await adbooth(["serve", "--port", port, "--data", join(folder.path, "other")])
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining(`Port ${port} of 127.0.0.1 is in use`) })
  })

  test("a corrupt database file is told in a sentence, exit code 1, and not changed", async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, "adbooth.db")
    const rubbish = "not a database, ".repeat(1_000)
    await Bun.write(file, rubbish)
    for (const command of [["serve", "--port", "0"], ["line", "list"], ["doctor"]]) {
      const failed = await adbooth([...command, "--data", folder.path])
      expect(failed.code).toBe(1)
      expect(failed.err).toContain("is damaged or not a database")
      expect(failed.err).not.toMatch(/\n\s+at /)
    }
    expect(await Bun.file(file).text()).toBe(rubbish)
  })

  test("a data directory that cannot be created is reported in a sentence, exit code 1", async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, "file")
    await Bun.write(file, "")
    chmodSync(file, 0o400)
    const failed = await adbooth(["serve", "--port", "0", "--data", join(file, "data")])
    expect(failed.code).toBe(1)
    expect(failed.err).toContain("cannot be created")
  })

  test("a database from a newer version is refused with a sentence that says what to do", async () => {
    using folder = temporaryFolder()
    await adbooth(["import", "-", "--data", folder.path], { input: "{}" })
    const { Database } = await import("bun:sqlite")
    const database = new Database(join(folder.path, "adbooth.db"))
    database.run("PRAGMA user_version = 9999")
    database.close()
    const failed = await adbooth(["serve", "--port", "0", "--data", folder.path])
    expect(failed.code).toBe(1)
    expect(failed.err).toContain("written by a newer version")
    expect(failed.err).toContain("Start the newer program again")
  })
})
