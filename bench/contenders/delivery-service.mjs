// The delivery endpoint as it is commonly written on Node: zod for the item, better-sqlite3 for the rows.
// Shared by the Express and the Fastify contender, so that they differ in nothing but the framework.
import { createHash } from "node:crypto"
import Database from "better-sqlite3"
import { z } from "zod"

const Item = z
  .object({
    package_id: z.uuid(),
    impressions: z.number().int().nonnegative().optional(),
    downloads: z.number().nonnegative().optional(),
    as_of: z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional(),
  })
  .refine((item) => item.impressions === undefined || item.downloads === undefined)

export const Body = z.object({ items: z.array(z.unknown()).min(1).max(500) })

/**
 * Opens the database and gives the two steps of the endpoint. `gathered` writes a request in one transaction; without it each
 * item is a small transaction of its own, because each is accepted or rejected on its own.
 */
export function deliveryService(file, gathered) {
  const database = new Database(file)
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  const findKey = database.prepare(
    "SELECT id, organization_id FROM api_key WHERE fingerprint = ? AND revoked_at IS NULL",
  )
  const findLine = database.prepare("SELECT * FROM package_line WHERE package_id = ? AND organization_id = ?")
  const addHistory = database.prepare("INSERT OR IGNORE INTO delivery_report VALUES (?, ?, ?, ?, ?)")
  const replaceTotal = database.prepare(`INSERT INTO delivery_total VALUES (?, ?, ?, ?) ON CONFLICT (package_id)
    DO UPDATE SET quantity = excluded.quantity, as_of = excluded.as_of, received_at = excluded.received_at
    WHERE excluded.as_of >= as_of`)

  const keep = database.transaction((packageId, quantity, asOf, now, keyId) => {
    addHistory.run(packageId, quantity, asOf, now, keyId)
    replaceTotal.run(packageId, quantity, asOf, now)
  })

  function judge(raw, key, now, seen) {
    const parsed = Item.safeParse(raw)
    if (!parsed.success) return "invalid_item"
    const item = parsed.data
    const id = item.package_id.toLowerCase()
    if (seen.has(id)) return "duplicate_package_id"
    seen.add(id)
    const line = findLine.get(id, key.organization_id)
    if (!line) return "not_seller"
    const asOf = item.as_of ? new Date(item.as_of) : now
    if (asOf < new Date(line.flight_start)) return "before_flight_start"
    if (asOf > now) return "as_of_in_future"
    const quantity = item[line.pricing_basis]
    if (quantity === undefined) return "quantity_required"
    keep(id, quantity, asOf.toISOString(), now.toISOString(), key.id)
    return undefined
  }

  function report(items, key) {
    const now = new Date()
    const seen = new Set()
    const results = items.map((item, index) => {
      const reason = judge(item, key, now, seen)
      const status = reason ? "rejected" : "accepted"
      return { index, package_id: item?.package_id ?? "", status, ...(reason ? { reason } : {}) }
    })
    const accepted = results.filter((result) => result.status === "accepted").length
    return { accepted, rejected: results.length - accepted, results }
  }

  return {
    authenticate: (header) => findKey.get(createHash("sha256").update(header.replace("Bearer ", "")).digest("hex")),
    report: gathered ? database.transaction(report) : report,
  }
}
