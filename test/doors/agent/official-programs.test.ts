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

const inspector = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"

test.each(callers.flatMap((caller) => (["legacy", "modern"] as const).map((era) => [caller, era] as const)))(
  "the MCP Inspector's command line lists the tools and calls all three, %s, %s",
  async (caller, protocolEra) => {
    const { app, key, expected } = await givenOfficial(caller)
    await using _ = app
    using folder = temporaryFolder()
    const config = join(folder.path, "mcp.json")
    const headers = key ? { Authorization: `Bearer ${key}` } : {}
    const booth = { type: "streamable-http", url: `${app.url}/`, headers, protocolEra }
    await Bun.write(config, JSON.stringify({ mcpServers: { booth } }))
    const inspect = async (...args: string[]) => {
      const { code, out } = await run(inspector, "--cli", "--config", config, "--server", "booth", "--method", ...args)
      expect([code, code === 0 ? "" : out]).toEqual([0, ""])
      return JSON.parse(out.slice(out.indexOf("{"))) as Json
    }
    expect((await inspect("tools/list")).tools.map((tool: Json) => tool.name)).toEqual(TOOLS)
    for (const tool of TOOLS) {
      const payload = expectValid(tool, (await inspect("tools/call", "--tool-name", tool)).structuredContent)
      if (tool === "get_products") expect(payload.products).toHaveLength(expected)
    }
  },
  600_000,
)

describe("the scenarios of @modelcontextprotocol/conformance that fit a server with tools only", () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ options: { limitAgentAnonymous: "1000" } })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const conform = async (scenario: string, ...args: string[]) => {
    const url = `${app.url.replace("127.0.0.1", "localhost")}/`
    const program = "@modelcontextprotocol/conformance/dist/index.js"
    return run(program, "server", "--url", url, "--scenario", scenario, ...args)
  }

  test.each([
    ["server-initialize", "2025-11-25"],
    ["ping", "2025-11-25"],
    ["tools-list", "2025-11-25"],
    ["dns-rebinding-protection", "2025-11-25"],
    ["tools-list", "2026-07-28"],
    ["dns-rebinding-protection", "2026-07-28"],
    ["http-header-validation", "2026-07-28"],
  ])("%s passes in MCP %s", async (scenario, revision) => {
    const { code, out } = await conform(scenario, "--spec-version", revision)
    expect([code, out]).toEqual([0, expect.stringContaining("0 failed")])
  })

  // What fails wants tools of the suite's own server, prompts or resources. One that passed would fail here, too.
  const missing: Record<string, readonly string[]> = {
    "server-stateless": [
      "sep-2575-server-rejects-undeclared-capability",
      "sep-2575-missing-capability-http-400",
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-server-no-log-without-loglevel",
    ],
    caching: ["prompts-list", "resources-list", "resources-templates-list"].map(
      (list) => `sep-2549-${list}-caching-hints`,
    ),
  }

  test.each(Object.entries(missing))("%s passes in MCP 2026-07-28 but for what there is not", async (scenario, ids) => {
    using folder = temporaryFolder()
    const baseline = join(folder.path, "baseline.yml")
    await Bun.write(baseline, `server:\n${ids.map((id) => `  - ${scenario}:${id}\n`).join("")}`)
    const { code, out } = await conform(scenario, "--spec-version", "2026-07-28", "--expected-failures", baseline)
    expect([code, code === 0 ? "" : out]).toEqual([0, ""])
  })
})
