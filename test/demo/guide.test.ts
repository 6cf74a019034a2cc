import { expect, test } from "bun:test"
import { daysAround } from "../../src/demo/days.ts"
import { demoExamples, demoGuide } from "../../src/demo/guide.ts"
import { seedDemo } from "../../src/demo/seed.ts"
import { createLog } from "../../src/log/log.ts"
import { startApp } from "../harness.ts"

// Passwords are hashed slowly on purpose.
const PATIENCE_MS = 600_000

interface PrintedCommand {
  readonly url: string
  readonly init: RequestInit
}

/** The printed commands, as a shell would take them apart. */
function commandsIn(guide: string): PrintedCommand[] {
  const lines = guide.replaceAll("\\\n", "").split("\n")
  return lines
    .filter((line) => line.startsWith("curl "))
    .map((line) => {
      const headers = [...line.matchAll(/-H '([^:']+): ([^']+)'/g)].map(([, name = "", value = ""]) => [name, value])
      const body = / -d '([^']*)'/.exec(line)?.[1]
      const url = /https?:\/\/\S+/.exec(line)?.[0] ?? ""
      const method = line.includes("-X POST") ? "POST" : "GET"
      return { url, init: { method, headers: headers as [string, string][], ...(body !== undefined && { body }) } }
    })
}

test(
  "every printed command can be pasted and is answered",
  async () => {
    await using app = await startApp()
    const log = createLog({ format: "json", clock: app.clock, write: () => undefined })
    const secrets = await seedDemo({ ...app, log })
    const commands = commandsIn(
      demoExamples({ url: app.url, agentUrl: `${app.url}/` }, daysAround(app.clock()), secrets),
    )
    const guide = demoGuide({ url: app.url, agentUrl: app.url }, "examples.txt", secrets)
    expect(guide.trimEnd().split("\n")).toHaveLength(3 + secrets.accounts.length)
    const paths = commands.map(({ url }) => new URL(url).pathname)
    expect(new Set(paths)).toEqual(
      new Set([
        "/api/ingest/delivery/metrics",
        "/api/ingest/affiliate/codes",
        "/api/ingest/affiliate/metrics",
        "/",
        "/openapi.json",
        "/healthz",
        "/readyz",
      ]),
    )
    const answers = []
    for (const { url, init } of commands) {
      const response = await fetch(url, init)
      expect([url, response.status]).toEqual([url, 200])
      answers.push(await response.json())
    }
    expect(answers[0]).toMatchObject({ accepted: 2, rejected: 0 })
    expect(answers[1]).toMatchObject({
      rejected: 2,
      results: [{ reason: "flat_rate_takes_no_quantity" }, { reason: "not_seller" }],
    })
    expect(answers[2]).toMatchObject({ ok: true, upserted: 1 })
    expect(answers[3]).toMatchObject({ ok: true, upserted: 1 })
    expect(JSON.stringify(answers[5])).toContain("sea-stories-midroll")
  },
  PATIENCE_MS,
)
