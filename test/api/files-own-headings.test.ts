import { expect, test } from "bun:test"
import { startUploads } from "../harness/data/uploads.ts"

async function startFlat() {
  const site = await startUploads()
  await site.line({ name: "Flat", pricingBasis: "flat_rate", externalId: "F1", flightEnd: "2026-11-10" })
  await site.line({ externalId: "5001", booked: "" })
  const headers = { Authorization: `Bearer ${await site.key()}`, "Content-Type": "text/csv" }
  const send = async (body: string, query = "") =>
    (await site.app.fetch(`/api/ingest/files${query}`, { method: "POST", headers, body })).json()
  return { site, send, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() }
}

test.each([
  ["external_id,impressions,downloads,as_of\nF1,,,2026-11-14\n5001,900,,2026-11-14\n", ""],
  ["line_name,impressions\nFlat,\nPre-roll,900\n", ""],
  // Rows of several days say the same about a flat-rate line.
  ["external_id,impressions,as_of\nF1,,2026-11-13\nF1,,2026-11-14\n5001,900,2026-11-01\n", "?figures=daily"],
  ["external_id,device,impressions,as_of\nF1,TV,,2026-11-14\nF1,Phone,,2026-11-14\n5001,,900,2026-11-14\n", ""],
])("a row of a flat-rate line without a quantity marks it as delivered (%#)", async (body, query) => {
  await using feed = await startFlat()
  expect(await feed.send(body, query)).toMatchObject({ complete: true, rejected: 0, skipped: 0, changed: 2 })
  expect(await feed.site.totals()).toEqual({ Flat: 1, "Pre-roll": 900 })
})

test("rows of one's own lines without a figure are counted by themselves", async () => {
  await using feed = await startFlat()
  const message = "1 total reported, 1 row rejected, 1 row without a figure."
  const body = "external_id,impressions\nF1,5\n5001,\nPre-roll,7\n"
  expect(await feed.send(body)).toMatchObject({ accepted: 1, skipped: 0, message })
  const preview = await feed.site.upload(body)
  expect(preview.text).toContain("Skipped, not yours 0 rows Left out 1 row 1 without a figure")
})
