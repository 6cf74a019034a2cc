import { Database } from "bun:sqlite"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { mint } from "../../src/domain/keys/api-key.ts"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"

const MEBIBYTE = 1_048_576
const AT_A_TIME = 16
// Refusals leave a few counts. The write-ahead log of the start is part of what grows, and stays below this with them.
const REFUSED_GROWTH_MAX = MEBIBYTE
// What is kept of a call of somebody without a key, and as much again for its row, its index and the pages between.
const CALL_BYTES_MAX = 5_000
// Beside the log itself: its index, what one commit adds before it removes, and a write-ahead log that is begun anew from 8 MiB on.
const SLACK_MEBIBYTES = 16
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
// Two of these are as much as the log keeps of a call.
const LARGE = "an advertiser of garden furniture ".repeat(114)
const ARGS = ["--trust-proxy", "127.0.0.1", "--limit-agent-anonymous", "1"]

export const disk: Part = {
  name: "disk",
  promise:
    "strangers cannot fill the disk: refused calls add less than 1 MiB however many they are, and admitted ones are bounded in number and size",
  async run({ diskRefusals, diskCalls }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 1 })
    await using server = await serve(booth.data, { args: ARGS })
    const problems: string[] = []
    // A report's commit takes along what is noted until then.
    const reports = new Ledger(booth)
    // The door is open and all that a start writes is written.
    await askMany(server, AT_A_TIME, () => ({ "X-Forwarded-For": "192.0.2.1" }))
    await reports.send(server.url, 1)
    const before = bytesOf(booth.data)
    const refused = await askMany(server, diskRefusals, (i) =>
      i % 2 === 0 ? { Authorization: `Bearer ${mint("agent", random)}` } : { "X-Forwarded-For": "192.0.2.1" },
    )
    await reports.send(server.url, 1)
    const grown = bytesOf(booth.data) - before
    if (refused[200] !== undefined) problems.push(`${refused[200]} calls that should be refused were answered`)
    if (grown > REFUSED_GROWTH_MAX) problems.push(`refused calls made the data directory grow by ${mib(grown)} MiB`)

    const admitted = await askMany(server, diskCalls, (i) => ({ "X-Forwarded-For": address(i) }))
    await reports.send(server.url, 1)
    const full = bytesOf(booth.data) - before
    if ((admitted[200] ?? 0) < diskCalls * 0.9) problems.push(`only ${admitted[200]} of ${diskCalls} calls were let in`)
    if (full > diskCalls * CALL_BYTES_MAX + SLACK_MEBIBYTES * MEBIBYTE)
      problems.push(`admitted calls took ${mib(full)} MiB`)
    const sum = numberIn(booth.data, "SELECT sum(requests) AS number FROM refusal WHERE status IN (401, 429)")
    if (sum < diskRefusals) problems.push(`only ${sum} of ${diskRefusals} refusals were counted`)
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...databaseProblems(booth.data))
    return {
      done: `${diskRefusals.toLocaleString("en")} refused calls (wrong keys, over the limit) and ${diskCalls.toLocaleString("en")} admitted ones from as many addresses, each with 7.8 KB of arguments`,
      figures: `refused: the data directory grew by ${mib(grown)} MiB, ${sum.toLocaleString("en")} counted; admitted: ${mib(full)} MiB in the end, ${numberIn(booth.data, "SELECT count(*) AS number FROM agent_call").toLocaleString("en")} calls kept, write-ahead log included`,
      problems,
    }
  },
}

const mib = (bytes: number) => (bytes / MEBIBYTE).toFixed(1)

function bytesOf(data: string): number {
  return readdirSync(data).reduce((sum, name) => sum + statSync(join(data, name)).size, 0)
}

function numberIn(data: string, question: string): number {
  using database = new Database(join(data, "adbooth.db"), { readonly: true })
  return database.query<{ number: number | null }, []>(question).get()?.number ?? 0
}

/** Sends calls with large arguments, each with headers of its own. How many were answered with each status. */
async function askMany(
  { url }: Server,
  count: number,
  headersOf: (number: number) => Record<string, string>,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  let next = 0
  const ask = async () => {
    for (let number = next++; number < count; number = next++) {
      const params = { name: "get_products", arguments: { brief: LARGE, ext: { more: LARGE, number } } }
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...headersOf(number),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      })
      await response.arrayBuffer()
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, ask))
  return statuses
}

const address = (number: number) => `11.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
