import { describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { openBeside } from "../harness/app.ts"
import { DELIVERY, givenFeed, givenKey } from "../harness/data/ingest.ts"
import { temporaryFolder } from "../harness/folder.ts"
import { PROGRAM, startProgram, tryProgram } from "../harness/program.ts"
import { head, openConnection } from "../harness/sockets.ts"
import { until } from "../harness/until.ts"

test("serve creates the database, prints one line, and takes totals with a key that another process made meanwhile", async () => {
  await using program = await startProgram()
  await using command = await openBeside(program.data)
  const { key, packageId } = await givenFeed(command)
  const response = await fetch(program.url + DELIVERY, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ items: [{ package_id: packageId, impressions: 125_000 }] }),
  })
  expect(await response.json()).toMatchObject({ accepted: 1, rejected: 0 })
  await until(() => program.log().includes(response.headers.get("x-request-id") ?? "missing"))
  expect(program.log()).not.toContain(key)
  expect(program.output().match(/listening on/g)).toHaveLength(1)
})

describe("the link for the first operator", () => {
  test("is printed while there is none, leads to the form, and isn't logged", async () => {
    await using program = await startProgram()
    const [link = ""] = /http\S+\/app\/setup\/\S+/.exec(program.output()) ?? []
    expect((await fetch(link)).status).toBe(200)
    await until(() => program.log().includes("/app/setup/"))
    expect(program.log()).not.toContain(link.split("/").at(-1) ?? "missing")
  })

  test("uses the public URL and ignores Host", async () => {
    await using program = await startProgram({ options: ["--public-url", "https://ads.example.com"] })
    expect(program.output()).toContain("https://ads.example.com/app/setup/")
  })
})

test("SIGTERM finishes the requests in flight, then exits with 0", async () => {
  await using program = await startProgram()
  await using command = await openBeside(program.data)
  const key = await givenKey(command)
  // Connections without a request don't hold it up.
  using _idle = await openConnection(program.port)
  using connection = await openConnection(program.port)
  const body = '{"items":[7]}'
  const headers = [`Authorization: Bearer ${key}`, "Content-Type: application/json", `Content-Length: ${body.length}`]
  connection.send(head(`POST ${DELIVERY}`, ...headers))
  await fetch(`${program.url}/healthz`)

  const exited = program.stop()
  await until(async () => !(await isListening(program.port)))
  connection.send(body)
  expect(await connection.status()).toBe(200)
  expect(await exited).toBe(0)
})

const isListening = async (port: number): Promise<boolean> => {
  try {
    using connection = await openConnection(port)
    return !connection.isClosed()
  } catch {
    return false
  }
}

test("a second server on the same data refuses to start, and names the process that has it", async () => {
  await using program = await startProgram()
  const second = await tryProgram(["serve", "--data", program.data, "--port", "0"])
  expect(second.code).toBe(1)
  expect(second.errors).toMatch(/process \d+/)
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
})

test("a port that is taken is an error in one sentence", async () => {
  await using program = await startProgram()
  using folder = temporaryFolder()
  const second = await tryProgram(["serve", "--data", folder.path, "--port", String(program.port)])
  expect(second).toMatchObject({ code: 1, errors: expect.stringContaining(`Port ${program.port} is already in use.`) })
})

describe("settings", () => {
  const PASSWORD = "sesame-opens"

  test("come from options, then variables, then the variable PORT", async () => {
    await using program = await startProgram({
      options: ["--log-format", "text"],
      environment: { ADBOOTH_LOG_FORMAT: "json", ADBOOTH_PUBLIC_URL: "https://env.example.com" },
    })
    expect(program.output()).toContain("https://env.example.com/app/setup/")
    await fetch(`${program.url}/healthz`)
    await until(() => program.log().includes("path=/healthz"))
  })

  test.each([
    ["--port must be a whole number", { args: ["--port", "many"] }],
    ["--public-url must be a URL without a path", { args: ["--public-url", "https://ads.example.com/app"] }],
    ["--trust-proxy must be an IP address or a network", { args: ["--trust-proxy", "10.0.0.0/33"] }],
    ["--tls-cert needs --tls-key", { args: ["--tls-cert", "cert.pem"] }],
    [
      "With PostgreSQL, let a proxy",
      { args: ["--domain", "a.example", "--database-url", "postgres://a@127.0.0.1:1/a"] },
    ],
    ["ADBOOTH_SMTP must be a URL", { env: { ADBOOTH_SMTP: `http://me:${PASSWORD}@mail.example.com` } }],
    ["ADBOOTH_BACKUP_KEY must be the ID", { env: { ADBOOTH_BACKUP_KEY: PASSWORD } }],
    ["The file that ADBOOTH_SMTP_FILE names can't be read", { env: { ADBOOTH_SMTP_FILE: PASSWORD } }],
    ["--alert-to needs --smtp-file or ADBOOTH_SMTP", { args: ["--alert-to", "op@example.com"] }],
  ] as const)("a wrong one is exit code 2, without any password: %s", async (message, given) => {
    const { args = [], env = {} } = given as { args?: readonly string[]; env?: Record<string, string> }
    const result = await tryProgram(["serve", "--data", "/nonexistent/data", ...args], env)
    expect([result.code, result.errors]).toEqual([2, expect.stringContaining(message)])
    expect(result.errors + result.output).not.toContain(PASSWORD)
  })

  test("a secret can be in a file, and an unknown variable is a warning", async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, "smtp")
    writeFileSync(file, `smtp://me:${PASSWORD}@mail.example.com\n`)
    await using program = await startProgram({
      options: ["--smtp-file", file, "--alert-to", "op@example.com"],
      environment: { ADBOOTH_PROT: "3000" },
    })
    await until(() => program.log().includes("There is no setting ADBOOTH_PROT"))
    expect(program.log()).not.toContain(PASSWORD)
  })

  test("a password in an option is a warning, because everybody on the machine can read it", async () => {
    const url = `postgres://me:${PASSWORD}@127.0.0.1:1/none?sslmode=disable`
    // It waits for the database, which isn't there.
    const program = Bun.spawn([...PROGRAM, "serve", "--database-url", url, "--port", "0"], {
      stdout: "ignore",
      stderr: "pipe",
    })
    const decoder = new TextDecoder()
    let errors = ""
    for await (const bytes of program.stderr) {
      errors += decoder.decode(bytes, { stream: true })
      if (errors.includes("waiting for the database")) program.kill()
    }
    expect(errors).toContain("can read the password")
    expect(errors).not.toContain(PASSWORD)
  })
})

test("metrics are on a port of their own", async () => {
  await using program = await startProgram({ options: ["--metrics-port", "0"] })
  await until(() => program.log().includes('"event":"metrics"'))
  const url = /http:\S+\/metrics/.exec(program.log())?.[0] ?? ""
  await fetch(`${program.url}/healthz`)
  await using command = await openBeside(program.data)
  const { key, packageId } = await givenFeed(command)
  const items = [{ package_id: packageId, impressions: 5 }, { package_id: "nobody's" }]
  await fetch(program.url + DELIVERY, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ items }),
  })
  const metrics = await (await fetch(url)).text()
  expect(metrics).toMatch(/adbooth_requests_total{way="probe",status="200"} [1-9]/)
  expect(metrics).toContain('adbooth_requests_total{way="api",status="429"} 0')
  expect(metrics).toContain('adbooth_rows_total{feed="delivery",outcome="accepted"} 1')
  expect(metrics).toContain('adbooth_rows_total{feed="delivery",outcome="invalid_item"} 1')
  expect(metrics).toMatch(/adbooth_disk_free_bytes \d/)
  expect((await fetch(`${program.url}/metrics`)).status).toBe(404)
})
