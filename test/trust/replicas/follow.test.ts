import { expect, test } from "bun:test"
import { call } from "../../doors/agent/buyer.ts"
import { PROGRAM } from "../../harness.ts"
import { noPostgres } from "../../storage/postgres/server.ts"
import { inTurn, startReplicas } from "./given.ts"

const CALLS = 45

/** The briefs that a command prints, one call on each line, until there are as many as were sent. */
async function printedBriefs(output: ReadableStream<Uint8Array>): Promise<string[]> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true })
    if (text.split("\n").length > CALLS) break
  }
  const lines = text.trim().split("\n")
  return lines.map((line) => (JSON.parse(line) as { arguments: { brief: string } }).arguments.brief)
}

test.skipIf(noPostgres !== null)(
  "calls --follow prints every call of every replica once, in whatever order they become visible",
  async () => {
    await using replicas = await startReplicas({ limitAgentAnonymous: "1000" })
    const { data, databaseUrl } = replicas.first.config
    const follower = Bun.spawn([...PROGRAM, "calls", "--follow", "--json", "--data", data], {
      env: { ...process.env, ADBOOTH_DATABASE_URL: databaseUrl ?? undefined },
      stdout: "pipe",
      stderr: "inherit",
    })
    const briefs = Array.from({ length: CALLS }, (_, n) => `brief ${n}`)
    const printed = printedBriefs(follower.stdout)
    await Promise.all(
      briefs.map(async (brief, n) => {
        const app = inTurn(replicas, n)
        await call(app, "get_products", { brief })
        await app.store.flushWriteBuffer()
      }),
    )
    expect((await printed).sort()).toEqual(briefs.sort())
    follower.kill()
    await follower.exited
  },
  600_000,
)
