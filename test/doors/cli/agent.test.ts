import { describe, expect, test } from "bun:test"
import { BINARY, hasBinary, serveBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"
import { MCP_HEADERS } from "../agent/buyer.ts"
import { EXAMPLE_FILE } from "./example-file.ts"
import { adbooth } from "./in-process.ts"

/** A running executable with the example in it, a way to call its agent, and the command line on the same folder. */
async function givenServer(...options: string[]) {
  const folder = temporaryFolder()
  const on = async (...words: string[]) => adbooth([...words, "--data", folder.path])
  const imported = await adbooth(["import", "-", "--data", folder.path, "--json"], {
    input: JSON.stringify(EXAMPLE_FILE),
  })
  const [{ key, prefix }] = JSON.parse(imported.out).agent_keys
  const server = await serveBinary(["--data", folder.path, ...options])
  const call = async (args: object, bearer?: string) => {
    const headers = { ...MCP_HEADERS, ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}) }
    const params = { name: "get_products", arguments: args }
    return fetch(`${server.url}/`, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    })
  }
  return {
    on,
    call,
    server,
    key: key as string,
    prefix: prefix as string,
    path: folder.path,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

describe.if(hasBinary)("the sales agent of the executable", () => {
  test("answers through the compiled MCP engine, and a key revoked on the command line stops at once", async () => {
    await using at = await givenServer()
    const answer = (await (await at.call({ brief: "morning" }, at.key)).json()) as {
      result: { structuredContent: { products: object[] } }
    }
    expect(answer.result.structuredContent.products).toHaveLength(1)
    expect((await at.on("agent-key", "revoke", at.prefix, "--yes")).code).toBe(0)
    expect((await at.call({}, at.key)).status).toBe(401)
  })

  test("agent-key create --buyer says whose purchases a key may read", async () => {
    await using at = await givenServer()
    const made = await at.on("agent-key", "create", "--label", "Second", "--buyer", "acme-audio", "--json")
    expect(JSON.parse(made.out).label).toBe("Second")
    expect(await at.on("agent-key", "create", "--label", "Third", "--buyer", "nobody")).toMatchObject({ code: 1 })
    const listed = JSON.parse((await at.on("agent-key", "list", "--json")).out) as { label: string; buyer: string }[]
    expect(Object.fromEntries(listed.map(({ label, buyer }) => [label, buyer]))).toEqual({
      "Buyer X": "brand-co",
      Second: "acme-audio",
    })
  })

  test("calls lists what was asked, newest last, and as JSON", async () => {
    await using at = await givenServer()
    await at.call({ brief: "first" }, at.key)
    await at.call({ buying_mode: "refine" })
    await at.server.stop()
    const listed = (await at.on("calls")).out.trim().split("\n")
    expect(listed).toHaveLength(3)
    expect(listed[1]).toContain("Buyer X")
    expect(listed[2]).toContain("INVALID_REQUEST")
    expect(JSON.parse((await at.on("calls", "--json")).out)).toMatchObject([
      {
        agent_key: { label: "Buyer X" },
        address: null,
        tool: "get_products",
        arguments: { brief: "first" },
        outcome: "completed",
      },
      { agent_key: null, address: "127.0.0.1", outcome: "INVALID_REQUEST" },
    ])
    expect(JSON.parse((await at.on("calls", "--json", "--limit", "1", "--outcome", "completed")).out)).toHaveLength(1)
    const found = async (outcome: string) => JSON.parse((await at.on("calls", "--json", "--outcome", outcome)).out)
    expect([(await found("found")).length, (await found("nothing")).length].sort()).toEqual([0, 1])
    expect((await at.on("calls", "--limit", "none")).code).toBe(2)
  })

  test("calls --follow prints a call that comes later", async () => {
    await using at = await givenServer()
    const child = Bun.spawn([BINARY, "calls", "--follow", "--json", "--data", at.path], {
      stdout: "pipe",
      stderr: "ignore",
    })
    await at.call({ brief: "seen while following" })
    let text = ""
    for await (const chunk of child.stdout) {
      text += new TextDecoder().decode(chunk)
      if (text.includes("\n")) break
    }
    child.kill()
    expect(JSON.parse(text)).toMatchObject({ tool: "get_products", arguments: { brief: "seen while following" } })
  })
})
