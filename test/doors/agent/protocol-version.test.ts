import { expect, test } from "bun:test"
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js"
import { MCP_REVISIONS } from "../../../src/doors/agent/refusals.ts"
import { startApp } from "../../harness.ts"
import { post } from "./buyer.ts"

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }

test("the named revisions are those that the protocol engine speaks", () => {
  expect(MCP_REVISIONS.toSorted()).toEqual(SUPPORTED_PROTOCOL_VERSIONS.toSorted())
})

test("every MCP revision before 2026-07-28 is taken, and a missing or empty header too", async () => {
  await using app = await startApp()
  expect((await post(app, ping)).status).toBe(200)
  for (const revision of [...MCP_REVISIONS, ""]) {
    const response = await post(app, ping, { headers: { "MCP-Protocol-Version": revision } })
    expect([revision, response.status]).toEqual([revision, 200])
  }
})

test.each(["1999-01-01", "2025-06-19", "latest", "2.0", "2025-06-18, 2025-06-18"])(
  "%s is a 400 that names the supported revisions",
  async (revision) => {
    await using app = await startApp()
    const response = await post(app, ping, { headers: { "MCP-Protocol-Version": revision } })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { message: string } }
    for (const each of MCP_REVISIONS) expect(error.message).toContain(each)
  },
)
