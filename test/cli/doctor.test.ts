import { describe, expect, test } from "bun:test"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startProgram, tryProgram } from "../harness/program.ts"
import { exampleData } from "./given.ts"

type Finding = { readonly check: string; readonly ok: boolean; readonly detail: string; readonly advice: string }

const findingIn = (output: string, check: string): Finding =>
  JSON.parse(output).findings.find((finding: Finding) => finding.check === check)

describe("doctor", () => {
  test("prints settings with where each came from, then what it found", async () => {
    using given = await exampleData()
    const { code, output } = await given.run("doctor")
    expect(code).toBe(0)
    expect(output).toMatch(/^SETTING +VALUE +FROM\ndata +\S+ +--data\n/)
    expect(output).toContain("ok    integrity: The stored data is intact.\n")
    expect(output).toContain("ok    environment: No unknown ADBOOTH_ variables.")
  })

  test("options take precedence over variables, which may be in files, and those over defaults", async () => {
    using given = await exampleData()
    const file = join(given.folder, "url")
    writeFileSync(file, "https://ads.example.com\n", { mode: 0o600 })
    const environment = {
      ADBOOTH_PORT: "4000",
      PORT: "5000",
      ADBOOTH_LIMIT_INGEST: "70",
      ADBOOTH_PUBLIC_URL_FILE: file,
      ADBOOTH_SMTP: "smtp://user:hidden@mail.example.com:587",
    }
    const args = ["doctor", "--json", "--limit-ingest", "80", "--trust-proxy", "127.0.0.1", "--data", given.data]
    const { output, errors } = await tryProgram(args, environment)
    expect(JSON.parse(output).settings).toMatchObject({
      port: { value: "4000", from: "environment", name: "ADBOOTH_PORT" },
      "limit-ingest": { value: "80", from: "option", name: "--limit-ingest" },
      "public-url": { value: "https://ads.example.com", from: "environment", name: "ADBOOTH_PUBLIC_URL_FILE" },
      host: { value: "127.0.0.1", from: "default" },
    })
    expect(output + errors).not.toContain("hidden")
    const hosted = await tryProgram(["doctor", "--json", "--data", given.data], { PORT: "5000" })
    expect(JSON.parse(hosted.output).settings.port).toEqual({ value: "5000", from: "environment", name: "PORT" })
  })

  test("says what is wrong, with advice, and exits with 1", async () => {
    using given = await exampleData()
    const key = join(given.folder, "key")
    writeFileSync(key, "id:secret")
    chmodSync(key, 0o644)
    chmodSync(given.data, 0o755)
    const args = ["doctor", "--json", "--host", "0.0.0.0", "--backup-key-file", key, "--data", given.data]
    const { code, output, errors } = await tryProgram(args, { ADBOOTH_PROT: "1" })
    expect(code).toBe(1)
    expect(errors).toContain("4 problems found.")
    expect(findingIn(output, "environment").detail).toContain("ADBOOTH_PROT")
    expect(findingIn(output, "files with secrets").advice).toBe(`Restrict it: chmod o= ${key}`)
    expect(findingIn(output, "permissions").advice).toContain("chmod 700")
    expect(findingIn(output, "encryption").ok).toBe(false)
    expect(findingIn(output, "integrity").ok).toBe(true)
  })

  test("a database that can't be opened is a finding like any other", async () => {
    using given = await exampleData()
    writeFileSync(join(given.data, "adbooth.db"), "not a database, ".repeat(1_000))
    const { code, output } = await given.run("doctor", "--json")
    expect(code).toBe(1)
    expect(findingIn(output, "database")).toMatchObject({ ok: false, detail: expect.stringContaining("is damaged") })
  })

  test("--ready asks the server of this machine", async () => {
    await using server = await startProgram()
    const ready = await tryProgram(["doctor", "--ready", "--port", String(server.port)])
    expect(ready).toMatchObject({ code: 0, output: "ready\n" })
    await server.stop()
    const stopped = await tryProgram(["doctor", "--ready", "--port", String(server.port)])
    expect(stopped).toMatchObject({ code: 1, errors: expect.stringContaining("No server answers at") })
  })
})
