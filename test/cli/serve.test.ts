import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DELIVERY } from "../harness/data/ingest.ts"
import { PROGRAM, startProgram } from "../harness/program.ts"
import { until } from "../harness/until.ts"
import { emptyData, exampleData, exampleFile, PACKAGE_ID } from "./given.ts"

const AGENT_HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }

function post(url: string, key: string, body: object): Promise<Response> {
  const headers = { ...AGENT_HEADERS, Authorization: `Bearer ${key}` }
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
}

describe("beside a running server, commands", () => {
  test("import, create keys that work at once, and see what was reported", async () => {
    using given = emptyData()
    await using server = await startProgram({ data: given.data })
    expect((await given.import(exampleFile())).code).toBe(0)
    const { key } = await given.json("key", "create", "--org", "acme-audio", "--label", "Ad server")
    const items = [{ package_id: PACKAGE_ID, impressions: 125_000 }]
    const response = await post(server.url + DELIVERY, key, { items })
    expect(await response.json()).toMatchObject({ accepted: 1, rejected: 0 })
    expect((await given.json("line", "list"))[0]).toMatchObject({
      delivered: 125_000,
      as_of: expect.stringMatching(/Z$/),
    })
    expect((await given.run("key", "revoke", key, "--yes")).code).toBe(0)
    expect((await post(server.url + DELIVERY, key, { items })).status).toBe(401)
  })

  test("print links with the address of the server", async () => {
    using given = await exampleData()
    await using server = await startProgram({ data: given.data })
    const { link } = await given.json("user", "setup-link")
    expect(link).toStartWith(server.url)
    expect((await fetch(link)).status).toBe(200)
  })

  test("restore a backup, and the server answers with what was restored", async () => {
    using given = await exampleData()
    const file = join(given.folder, "copy.db")
    await given.run("backup", "create", file)
    await using server = await startProgram({ data: given.data })
    const { key } = await given.json("key", "create", "--org", "acme-audio", "--label", "Later")
    const items = [{ package_id: PACKAGE_ID, impressions: 1_000 }]
    expect((await post(server.url + DELIVERY, key, { items })).status).toBe(200)
    expect((await given.run("backup", "restore", file, "--yes")).code).toBe(0)
    expect((await post(server.url + DELIVERY, key, { items })).status).toBe(401)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  test("list the calls of the sales agent, and follow them", async () => {
    using given = await exampleData()
    const { key } = await given.json("agent-key", "create", "--label", "Buyer Y")
    await using server = await startProgram({ data: given.data })
    const call = (brief: string) => {
      const params = { name: "get_products", arguments: { buying_mode: "brief", brief } }
      return post(server.url, key, { jsonrpc: "2.0", id: 1, method: "tools/call", params })
    }
    expect((await call("morning podcasts")).status).toBe(200)
    await until(async () => (await given.json("calls")).length === 1)
    const [logged] = await given.json("calls", "--since", "1h", "--key", key.slice(0, 12))
    expect(logged).toMatchObject({
      outcome: "completed",
      tool: "get_products",
      method: "tools/call",
      arguments: { brief: "morning podcasts" },
      agent_key: { label: "Buyer Y" },
      address: null,
    })
    expect(await given.json("calls", "--key", "anonymous")).toEqual([])
    expect(await given.json("calls", "--outcome", "INVALID_REQUEST")).toEqual([])
    expect((await given.run("calls", "--key", "aba_unknown")).code).toBe(1)
    expect((await given.run("calls")).output).toContain('"brief":"morning podcasts"')

    await using following = await follow(given.data)
    await until(() => following.output().includes("morning podcasts"))
    await call("evening news")
    await until(() => following.output().includes("evening news"))
    const lines = following.output().trimEnd().split("\n")
    expect(lines.map((text) => JSON.parse(text).arguments.brief)).toEqual(["morning podcasts", "evening news"])
  })
})

/** `calls --follow --json`, until the test ends. */
async function follow(data: string) {
  const args = [...PROGRAM, "calls", "--follow", "--json", "--data", data]
  const child = Bun.spawn(args, { stdout: "pipe", stderr: "inherit" })
  const decoder = new TextDecoder()
  let text = ""
  const reading = (async () => {
    for await (const bytes of child.stdout) text += decoder.decode(bytes)
  })()
  return {
    output: () => text,
    async [Symbol.asyncDispose]() {
      child.kill("SIGINT")
      await reading
    },
  }
}

test("a database that is damaged, or of a newer version, is explained and not changed", async () => {
  using given = emptyData()
  await given.run("user", "setup-link")
  const file = join(given.data, "adbooth.db")
  const database = new Database(file)
  database.run("PRAGMA user_version = 9999")
  database.close()
  expect((await given.run("serve", "--port", "0")).errors).toContain("was written by a newer version of Adbooth")
  const rubbish = "not a database, ".repeat(1_000)
  writeFileSync(file, rubbish)
  for (const args of [
    ["serve", "--port", "0"],
    ["line", "list"],
  ]) {
    const { code, errors } = await given.run(...args)
    expect(code).toBe(1)
    expect(errors).toContain("is damaged or isn't a database")
    expect(errors).not.toMatch(/\n\s+at /)
  }
  expect(await Bun.file(file).text()).toBe(rubbish)
})
