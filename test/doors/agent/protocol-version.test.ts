import { expect, test } from "bun:test"
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js"
import { PROTOCOL_VERSIONS } from "../../../src/doors/agent/refusals.ts"
import { startApp } from "../../harness.ts"
import { post } from "./buyer.ts"

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }

test("the named versions are those that the protocol engine speaks", () => {
  expect(PROTOCOL_VERSIONS.toSorted()).toEqual(SUPPORTED_PROTOCOL_VERSIONS.toSorted())
})

test("every MCP version before 2026-07-28 is taken, and a missing or empty header too", async () => {
  await using app = await startApp()
  expect((await post(app, ping)).status).toBe(200)
  for (const version of [...PROTOCOL_VERSIONS, ""]) {
    const response = await post(app, ping, { headers: { "MCP-Protocol-Version": version } })
    expect([version, response.status]).toEqual([version, 200])
  }
})

test.each(["1999-01-01", "2025-06-19", "latest", "2.0", "2025-06-18, 2025-06-18"])(
  "%s is a 400 that names the supported versions",
  async (version) => {
    await using app = await startApp()
    const response = await post(app, ping, { headers: { "MCP-Protocol-Version": version } })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { message: string } }
    for (const each of PROTOCOL_VERSIONS) expect(error.message).toContain(each)
  },
)
