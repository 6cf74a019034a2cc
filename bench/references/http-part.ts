// A request to the ingest API without storage: the program's own HTTP part with a store that accepts everything, or Bun's own server with
// the same checks and nothing else.
// http-part.ts program|bare KEY
import { resolve } from "node:path"
import { serve } from "bun"
import type { Context } from "../../src/actions/context.ts"
import { DEFAULTS } from "../../src/config.ts"
import { fingerprintOf } from "../../src/domain/api-key.ts"
import { type Outcome, readItem } from "../../src/domain/delivery/delivery.ts"
import { limitsInMemory } from "../../src/domain/rate-limit.ts"
import { createLog, gatherLines } from "../../src/log.ts"
import { clock } from "../../src/server/open-context.ts"

const PATH = "/api/ingest/delivery/metrics"
const WINDOW = { name: "delivery", limit: 1_000_000 }
const BODY_BYTES_MAX = 1_048_576
const UTF8 = new TextDecoder("utf-8", { fatal: true })

const [part = "", key = ""] = process.argv.slice(2)
const limits = limitsInMemory()

/** Checks in the published order. */
async function answerBare(request: Request): Promise<Response> {
  const { method, headers, url } = request
  if (method !== "POST" || !url.endsWith(PATH)) return refusal(404)
  const authorization = headers.get("authorization") ?? ""
  const keyId = authorization.startsWith("Bearer ") ? keyIds.get(fingerprintOf(authorization.slice(7))) : undefined
  if (keyId === undefined) return refusal(401)
  const { isAllowed, remaining } = await limits.admit(String(keyId), WINDOW, clock())
  if (!isAllowed) return refusal(429)
  if (!/^application\/json *(;|$)/i.test(headers.get("content-type") ?? "")) return refusal(415)
  if (Number(headers.get("content-length") ?? Number.NaN) > BODY_BYTES_MAX) return refusal(413)
  const { items } = JSON.parse(UTF8.decode(await request.bytes())) as { items: unknown }
  if (!Array.isArray(items) || items.length < 1 || items.length > 500) return refusal(400)
  const known = new Set<string>()
  const results = items.map((sent: { package_id: string }, index) => {
    const item = readItem(sent)
    if ("reason" in item || known.has(item.packageId)) return { index, package_id: sent.package_id, status: "rejected" }
    known.add(item.packageId)
    return { index, package_id: sent.package_id, status: "accepted", effect: "applied" }
  })
  const accepted = results.filter(({ status }) => status === "accepted").length
  const body = { accepted, rejected: results.length - accepted, results }
  return Response.json(body, { headers: { RateLimit: `"delivery";r=${remaining};t=60` } })
}

const keyIds = new Map([[fingerprintOf(key), 1]])
const refusal = (status: number) => new Response(null, { status })

/** What the program asks of its database on the way. */
function contextWithoutStorage(): Context {
  const nothing = () => undefined
  const { add } = gatherLines((lines) => process.stderr.write(lines))
  const database = {
    read: { rows: async () => [{ fingerprint: fingerprintOf(key), id: 1, organizationId: 1 }] },
    reports: {
      record: async ({ items }: { items: readonly unknown[] }) => items.map(() => ({ effect: "applied" }) as Outcome),
    },
    later: { add: nothing, replace: nothing, count: nothing, used: nothing },
    limits,
  }
  const config = { ...DEFAULTS, limitIngest: WINDOW.limit }
  const services = { https: { url: () => null } }
  return { database, clock, log: createLog({ clock, write: add }), config, services } as unknown as Context
}

async function programsPart() {
  const { respondTo } = await import(resolve(import.meta.dir, "../../src/server/app.ts"))
  return respondTo(contextWithoutStorage())
}

const fetch = part === "bare" ? answerBare : await programsPart()
const server = serve({ hostname: "127.0.0.1", port: 0, development: false, fetch })
console.log(`listening on ${server.url}`)
