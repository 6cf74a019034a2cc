import { expect, test } from "bun:test"
import fc from "fast-check"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { reportDelivery } from "../../../src/actions/delivery/report-delivery.ts"
import { openFile } from "../../../src/actions/upload/open-file.ts"
import { previewOf } from "../../../src/actions/upload/preview.ts"
import { receiveUpload } from "../../../src/actions/upload/receive.ts"
import { reportUpload } from "../../../src/actions/upload/report.ts"
import type { DeliveryTotal } from "../../../src/domain/delivery/delivery.ts"
import { courseOf } from "../../../src/domain/delivery/line-course.ts"
import type { PreviewedLine } from "../../../src/domain/upload/upload.ts"
import { openTestStore } from "../../harness.ts"

const ZONE = "Europe/Berlin"
// Close together, so that they meet often: dates, times during and at the end of them, and none.
const asOf = fc.constantFrom(
  "",
  "2026-11-12",
  "2026-11-13",
  "2026-11-14",
  "2026-11-15",
  "2026-11-16",
  "2026-11-13T10:00:00Z",
  "2026-11-14T10:00:00Z",
  "2026-11-14T22:59:59.999999Z",
  "2026-11-15T09:00:00Z",
  "2026-11-15T13:00:00Z",
)
const fields = { line: fc.nat(2), quantity: fc.constantFrom(0, 5, 7, 400, 21_219), asOf }
const total = fc.record(fields)
/** A report before the file. One of four is withdrawn again. */
const earlier = fc.record({ ...fields, isWithdrawn: fc.nat(3).map((dice) => dice === 0) })

interface Total {
  readonly line: number
  readonly quantity: number
  readonly asOf: string
}

const elementOf = (packageId: string | undefined, { quantity, asOf: as_of }: Total) => ({
  package_id: packageId,
  impressions: quantity,
  ...(as_of !== "" && { as_of }),
})

/** What a preview may call a change of the total. */
function resultsOf(before: DeliveryTotal | null, after: DeliveryTotal | null): PreviewedLine["result"][] {
  if (before?.quantity !== after?.quantity) return ["update"]
  return before?.asOf === after?.asOf ? ["unchanged", "older"] : ["unchanged"]
}

test("a preview shows what reporting then does: random files after random histories", async () => {
  await using context = await openTestStore()
  const { store, clock } = context
  let market = 0

  /** A new seller with three lines. */
  async function givenLines() {
    const slug = `seller-${++market}`
    const ids = Array.from({ length: 3 }, () => crypto.randomUUID())
    const lines = ids.map((package_id) => ({
      package_id,
      seller: slug,
      name: package_id,
      pricing_basis: "impressions",
      flight_start: "2026-11-01",
      flight_end: "2026-11-30",
      booked: 1_000,
    }))
    const made = await importCatalogue(
      context,
      {
        organizations: [{ slug, name: slug, time_zone: ZONE }],
        campaigns: [{ slug, name: slug, buyer: slug, lines }],
      },
      "test",
    )
    expect(made.ok).toBe(true)
    return { ids, organizationId: (await store.organizations.findBySlug(slug))?.id ?? 0 }
  }

  const linesOf = (organizationId: number, ids: readonly string[]) => store.packageLines.findSold(organizationId, ids)

  await fc.assert(
    fc.asyncProperty(
      fc.array(earlier, { maxLength: 12 }),
      fc.array(total, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(0, 1, 5, 26),
      async (past, rows, hoursToDecide) => {
        clock.set("2026-11-15T12:00:00Z")
        const { ids, organizationId } = await givenLines()
        const source = { kind: "command", reference: "", detail: "" } as const
        for (const one of past) {
          clock.advance({ seconds: 1 })
          const element = elementOf(ids[one.line], one)
          await reportDelivery(context, { organizationId, source }, [element], { dryRun: false })
          const [line] = await linesOf(organizationId, [ids[one.line] ?? ""])
          const { entries } = await store.deliveryHistory.page(line?.lineId ?? 0, "seller", null, 1)
          const [last] = entries
          if (!one.isWithdrawn || last === undefined || last.withdrawn !== null) continue
          const by = { actor: "test", at: clock() }
          await store.deliveries.withdraw(organizationId, ids[one.line] ?? "", last, "wrong", by)
        }
        const before = await linesOf(organizationId, ids)

        const body = rows.map((one) => `${ids[one.line]},${one.quantity},${one.asOf}`)
        const text = ["package_id,impressions,as_of", ...body].join("\n")
        const file = { organizationId, userId: null, sent: null, kind: "delivery", fileName: "x" } as const
        const arriving = { ...file, bytes: text.length }
        const received = await receiveUpload(context, arriving, [{ name: "", text }])
        const id = received.ok ? received.id : 0
        const find = async () => {
          const upload = await store.uploads.find(organizationId, id)
          if (upload === null) throw new Error("there is no such file")
          return upload
        }
        const opened = await openFile(store, await find())
        if (opened === null) throw new Error("there is no such file")
        const { upload, lines: shown, digest } = await previewOf(context, opened)

        clock.advance({ seconds: hoursToDecide * 3_600 })
        const by = { actor: "test", at: clock() }
        expect(await reportUpload(context, upload, { anyway: "all", seen: digest }, by)).toBe("done")
        const after = await linesOf(organizationId, ids)
        for (const [i, line] of after.entries()) {
          if (line === undefined) throw new Error("there is no such line")
          const was = before[i]?.total ?? null
          const preview = shown.find(({ id }) => id === line.lineId)
          // A line that the preview does not show stays as it is.
          expect([preview?.before ?? was, preview === undefined ? was : preview.total]).toEqual([was, line.total])
          if (preview !== undefined && preview.result !== "asked") {
            expect(resultsOf(was, line.total)).toContain(preview.result)
          }
          // Even from a few of its days.
          const days = (await store.deliveryHistory.days([line.lineId], 3)).get(line.lineId) ?? []
          const forecast = courseOf(line, days, ZONE, 100).forecast
          expect(forecast?.atEnd ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(line.total?.quantity ?? 0)
        }
        const done = await find()
        const { update, asked, unchanged, older, refused } = upload.summary
        expect(done.summary.reported).toBe(update.rows + asked.rows + unchanged.rows + older.rows)
        expect(refused + update.rows + asked.rows + unchanged.rows + older.rows).toBe(rows.length)
      },
    ),
    { numRuns: 25 },
  )
})
