import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { reservePort } from "../../src/doors/http/reserved-port.ts"
import { MCP_HEADERS } from "../doors/agent/buyer.ts"
import { ON_POSTGRES } from "../engine.ts"
import { startApp } from "../harness.ts"

test.each(["0.0.0.0", "::"])("a server that listens on %s names an address that a browser can open", async (host) => {
  await using app = await startApp({ options: { host } })
  const { port } = new URL(app.url)
  const own = `http://${host === "::" ? "[::1]" : "127.0.0.1"}:${port}`
  // The links that the command line prints, and what the agent calls itself, come from here.
  const [web, agent] = await Promise.all([app.store.settings.get("address"), app.store.settings.get("agent_address")])
  expect({ web, agent, answer: (await fetch(`${own}/healthz`)).status }).toEqual({
    web: own,
    agent: `${own}/`,
    answer: 200,
  })
})

test.skipIf(ON_POSTGRES)("whoever comes while the server starts is told its whole address", async () => {
  await using before = await startApp()
  const free = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const port = Number(free.port)
  await free.stop(true)
  const url = `http://127.0.0.1:${port}/`
  const reserved = new Map([[port, reservePort({ hostname: "127.0.0.1", port })]])
  const params = { name: "list_creative_formats", arguments: {} }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
  const waiting = fetch(url, { method: "POST", headers: MCP_HEADERS, body })
  // Nothing can be noted of the start until somebody was answered.
  using busy = new Database(join(before.config.data, "adbooth.db"))
  busy.run("BEGIN IMMEDIATE")
  const options = { port: String(port) }
  const starting = startApp({ beside: before, options, reserved })
  const answer = await (await waiting).text()
  busy.run("ROLLBACK")
  await using _ = await starting
  expect(answer).toContain(`"agent_url":"${url}"`)
})
