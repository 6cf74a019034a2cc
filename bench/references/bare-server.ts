// The limit for a request: Bun's own server that parses it, answers with the bytes that the program would send, and stores nothing.
// bare-server.ts delivery, or bare-server.ts ANSWER.json
import { serve } from "bun"

interface Delivery {
  readonly items: readonly { readonly package_id: string }[]
}

const [answer = ""] = process.argv.slice(2)
const result = answer === "delivery" ? null : (await Bun.file(answer).json()).result

function answerTo(body: unknown): unknown {
  if (result !== null) return { jsonrpc: "2.0", id: (body as { id: unknown }).id, result }
  const { items } = body as Delivery
  const results = items.map(({ package_id }, index) => ({ index, package_id, status: "accepted", effect: "applied" }))
  return { accepted: items.length, rejected: 0, results }
}

const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: async (request) => Response.json(answerTo(await request.json())),
})
console.log(`listening on ${server.url}`)
