import { join } from "node:path"
import { notifications, requests } from "../fuzz/engine-messages.ts"
import { wrongOnes } from "../fuzz/from-schema.ts"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { eachOf } from "../harness/each-of.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"

const AT_A_TIME = 200
const PATIENCE_MS = 10_000
const HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }

export const malformed: Part = {
  name: "malformed",
  promise: "every message is answered, whichever part of it is wrong, and afterwards everything goes on as before",
  async run({ malformedMessages }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    await using server = await serve(booth.data)
    const ledger = new Ledger(booth)
    const messages = messagesWithWrongParts().slice(0, malformedMessages)
    const problems: string[] = []
    let slowest = 0
    await eachOf(messages, AT_A_TIME, async (message) => {
      const began = performance.now()
      const status = await post(server, message)
      slowest = Math.max(slowest, performance.now() - began)
      if (status !== ("id" in message ? 200 : 202)) problems.push(`${JSON.stringify(message)}: ${status}`)
    })
    const ping = await post(server, { jsonrpc: "2.0", id: 1, method: "ping" })
    if (ping !== 200) problems.push(`a plain ping was answered ${ping} afterwards`)
    await ledger.send(server.url, 5)
    if (ledger.acceptedCount !== 5) problems.push("a report was not accepted afterwards")
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    return {
      done: `${messages.length.toLocaleString("en")} messages made from the protocol engine's schemas with one part wrong, ${AT_A_TIME} at a time`,
      figures: `all answered, the slowest after ${Math.round(slowest)} ms; then a ping and a report as ever`,
      problems,
    }
  },
}

/** Those that no handler would see come first, more of them than there are places. */
function messagesWithWrongParts(): object[] {
  const metas = [null, [], 5, { progressToken: {} }, { "io.modelcontextprotocol/related-task": 5 }]
  const unseen = Array.from({ length: 2_400 }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: requests[id % requests.length]?.method,
    params: { name: "get_products", _meta: metas[id % metas.length] },
  }))
  const wrong = requests.flatMap(({ method, params }) =>
    wrongOnes(params)
      .map((some) => ({ jsonrpc: "2.0", id: 1, method, params: some }))
      .toArray(),
  )
  const notices = notifications.flatMap(({ method, params }) =>
    wrongOnes(params)
      .map((some) => ({ jsonrpc: "2.0", method, params: some }))
      .toArray(),
  )
  return [...unseen, ...wrong, ...notices]
}

async function post({ url }: Server, message: object): Promise<number | string> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    const response = await fetch(url, { method: "POST", headers: HEADERS, body: JSON.stringify(message), signal })
    await response.text()
    return response.status
  } catch {
    return "no answer"
  }
}
