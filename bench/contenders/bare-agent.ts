// The limit for an agent's call: Bun's own server that parses the request and serialises the same result.
// Usage: bare-agent.ts ANSWER.json, a file with the answer that the other contenders give.
import { serve } from "bun"

interface Call {
  id: unknown
  method: string
}

const { result } = await Bun.file(process.argv[2] ?? "").json()

const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { id, method } = (await request.json()) as Call
    if (method !== "tools/call") return new Response(null, { status: 404 })
    return Response.json({ jsonrpc: "2.0", id, result })
  },
})
console.log(`listening on ${server.url}`)
