import { describe, expect, test } from "bun:test"
import { adbooth, hasBinary, serveBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"

const FORMER = ["--call-log-days", "90", "--agent-port", "3001", "--alert-from", "ads@example.com"]
const CONTACT = { ADBOOTH_AGENT_CONTACT: "sales@example.com", ADBOOTH_CALL_LOG_MB: "64" }

const instructions = async (url: string): Promise<string> => {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })
  return (await fetch(`${url}/`, { method: "POST", headers, body })).text()
}

describe.if(hasBinary)("a unit file and an environment of an earlier build", () => {
  test("stop no server: each is named with what to do, and what the app has now is stored once", async () => {
    using folder = temporaryFolder()
    const data = ["--data", folder.path]
    await using first = await serveBinary([...data, ...FORMER], { env: CONTACT })
    expect(await instructions(first.url)).toContain("ask sales@example.com for one")
    await first.stop()
    for (const sentence of [
      "--call-log-days is chosen in the app now: System, Settings. The first start of this version stores its value; remove it after that.",
      "--agent-port is no longer used; remove it",
      "--alert-from is now called --mail-from",
      "ADBOOTH_AGENT_CONTACT is chosen in the app now: Agent sales, Get listed.",
      "ADBOOTH_CALL_LOG_MB is no longer used; remove it: the log keeps 100,000 calls",
      '"agent_contact":"sales@example.com"',
    ])
      expect(first.errors().split(sentence)).toHaveLength(2)
    // Taken away, and given once more with another value: what is stored stays.
    await using without = await serveBinary(data)
    expect(await instructions(without.url)).toContain("ask sales@example.com for one")
    expect(without.errors()).not.toContain("ADBOOTH_")
    await without.stop()
    await using again = await serveBinary(data, { env: { ADBOOTH_AGENT_CONTACT: "other@example.com" } })
    expect(await instructions(again.url)).toContain("ask sales@example.com for one")
  })

  test("a typing error in an option is an error, and the help shows none of the former ones", async () => {
    using folder = temporaryFolder()
    const wrong = await adbooth(["serve", "--data", folder.path, "--call-log-dayz", "30"])
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('There is no option "--call-log-dayz".')])
    const { out } = await adbooth(["serve", "--help-all"])
    for (const option of FORMER.filter((word) => word.startsWith("--"))) expect(out).not.toContain(option)
  })
})
