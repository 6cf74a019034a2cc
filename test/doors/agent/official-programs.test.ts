import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { expectValid, type Json } from "../../domain/adcp/schema/answers.ts"
import { startApp, type TestApp, temporaryFolder } from "../../harness.ts"
import { callers, givenOfficial, TOOLS } from "./official.ts"

// The programs with which people try a server, each a process of its own.

const modules = join(import.meta.dir, "..", "..", "..", "node_modules")

/** Runs a program of a package with the Bun that runs this test. Into a file, because some leave before a pipe is empty. */
async function run(program: string, ...args: string[]): Promise<{ code: number; out: string }> {
  using folder = temporaryFolder()
  const file = Bun.file(join(folder.path, "out"))
  const env = { ...process.env, NO_COLOR: "1" }
  const child = Bun.spawn([process.execPath, join(modules, program), ...args], { stdout: file, stderr: "ignore", env })
  const code = await child.exited
  return { code, out: await file.text() }
}

test.each([...callers])(
  "the MCP Inspector's command line lists the tools and calls all three, %s",
  async (caller) => {
    const { app, key, expected } = await givenOfficial(caller)
    await using _ = app
    const inspect = async (...args: string[]) => {
      const header = key ? ["--header", `Authorization: Bearer ${key}`] : []
      const program = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
      const { code, out } = await run(
        program,
        "--cli",
        `${app.url}/`,
        "--transport",
        "http",
        ...header,
        "--method",
        ...args,
      )
      expect([code, code === 0 ? "" : out]).toEqual([0, ""])
      return JSON.parse(out.slice(out.indexOf("{"))) as Json
    }
    expect((await inspect("tools/list")).tools.map((tool: Json) => tool.name)).toEqual(TOOLS)
    for (const tool of TOOLS) {
      const payload = expectValid(tool, (await inspect("tools/call", "--tool-name", tool)).structuredContent)
      if (tool === "get_products") expect(payload.products).toHaveLength(expected)
    }
  },
  180_000,
)

describe("the scenarios of @modelcontextprotocol/conformance that fit a server with tools only", () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test.each(["server-initialize", "ping", "tools-list", "dns-rebinding-protection"])("%s passes", async (scenario) => {
    const url = `${app.url.replace("127.0.0.1", "localhost")}/`
    const { code, out } = await run(
      "@modelcontextprotocol/conformance/dist/index.js",
      "server",
      "--url",
      url,
      "--scenario",
      scenario,
    )
    expect([code, out]).toEqual([0, expect.stringContaining("0 failed")])
  })
})
