// Usage: express-delivery.mjs FILE each|gathered
import express from "express"
import { Body, deliveryService } from "./delivery-service.mjs"

const [file, writing] = process.argv.slice(2)
const service = deliveryService(file, writing === "gathered")
const app = express()
app.use(express.json({ limit: "1mb" }))

app.post("/api/ingest/delivery/metrics", (request, response) => {
  const key = service.authenticate(request.headers.authorization ?? "")
  if (!key) return response.status(401).json({ error: "invalid key" })
  const body = Body.safeParse(request.body)
  if (!body.success) return response.status(400).json({ error: "items must hold 1 to 500 elements" })
  response.json(service.report(body.data.items, key))
})

const server = app.listen(0, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${server.address().port}`))
