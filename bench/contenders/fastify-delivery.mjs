// Usage: fastify-delivery.mjs FILE each|gathered
import Fastify from "fastify"
import { Body, deliveryService } from "./delivery-service.mjs"

const [file, writing] = process.argv.slice(2)
const service = deliveryService(file, writing === "gathered")
const app = Fastify({ bodyLimit: 1_048_576 })

app.post("/api/ingest/delivery/metrics", async (request, reply) => {
  const key = service.authenticate(request.headers.authorization ?? "")
  if (!key) return reply.code(401).send({ error: "invalid key" })
  const body = Body.safeParse(request.body)
  if (!body.success) return reply.code(400).send({ error: "items must hold 1 to 500 elements" })
  return service.report(body.data.items, key)
})

console.log(`listening on ${await app.listen({ port: 0, host: "127.0.0.1" })}`)
