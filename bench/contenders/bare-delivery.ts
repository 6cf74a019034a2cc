// The limit for a request: Bun's own server that parses it and answers with the same bytes, and stores nothing.
import { serve } from "bun"

interface Delivery {
  items: { package_id: string }[]
}

const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { items } = (await request.json()) as Delivery
    const results = items.map(({ package_id }, index) => ({ index, package_id, status: "accepted", effect: "applied" }))
    return Response.json({ accepted: items.length, rejected: 0, results })
  },
})
console.log(`listening on ${server.url}`)
