import { expect, test } from "bun:test"
import fc from "fast-check"
import { openFile, saveAnswers } from "../../../src/actions/upload/answer.ts"
import { checkFile, digestOf, loadFile } from "../../../src/actions/upload/preview.ts"
import { receiveUpload } from "../../../src/actions/upload/receive.ts"
import { reportUpload } from "../../../src/actions/upload/report.ts"
import { sheetOfText } from "../../../src/domain/upload/csv.ts"
import type { Figures } from "../../../src/domain/upload/upload.ts"
import { linesSoldBy } from "../../../src/storage/campaigns/lines.ts"
import { uploadById } from "../../../src/storage/uploads.ts"
import { givenLine, givenSeller, report, type Seller } from "../../harness/data/given.ts"
import { eachEngine, openStore, type TestStore } from "../../harness/store.ts"

const DAYS = ["2026-11-12", "2026-11-13", "2026-11-14", "2026-11-15", "2026-11-16"] as const
// Close together, so that they meet often: dates, times during and at the end of them.
const MOMENTS = [
  ...DAYS,
  "2026-11-13T10:00:00Z",
  "2026-11-14T10:00:00Z",
  "2026-11-14T22:59:59.999999Z",
  "2026-11-15T09:00:00Z",
]

const quantity = fc.constantFrom(0, 5, 7, 400, 21_219)
const earlier = fc.record({ line: fc.nat(2), quantity, asOf: fc.constantFrom(...MOMENTS) })
const row = fc.record({ line: fc.nat(2), quantity, asOf: fc.constantFrom(...MOMENTS) })

interface FileRow {
  readonly line: number
  readonly quantity: number
  readonly asOf: string
}

/** A seller in Berlin with three lines. */
async function givenLines(store: TestStore) {
  const seller = await givenSeller(store, { timeZone: "Europe/Berlin" })
  const names = ["One", "Two", "Three"]
  const packageIds: string[] = []
  for (const name of names)
    packageIds.push(await givenLine(store, seller, { name, flightStart: "2026-11-12", booked: "" }))
  const totals = async () => {
    const lines = await linesSoldBy(store.database.read, seller.id)
    return new Map(lines.map(({ packageId, total }) => [packageId, total?.quantity ?? null]))
  }
  return { seller, names, packageIds, totals }
}

/** Uploads rows of names, days and figures, and answers how they are read. Returns the key of the open file. */
async function givenFile(store: TestStore, seller: Seller, rows: readonly string[], figures: Figures) {
  const text = ["Name,Day,Count", ...rows].join("\n")
  const sheets = [sheetOfText(text)]
  const about = { organizationId: seller.id, userId: null, fileName: "export.csv", bytes: text.length }
  const key = { organizationId: seller.id, id: await receiveUpload(store, { ...about, sheets }) }
  const columns = { line: 0, day: 1, impressions: 2 }
  const written = { dayOrder: null, decimalMark: null, withoutName: null, currency: null }
  // Each row counts, because random files may have the same row twice.
  const reading = { kind: "delivery", columns, figures, parts: [], ...written } as const
  expect(await saveAnswers(store, key, { headerRow: 1, reading, line: null, asOf: null })).toBe(true)
  return key
}

async function previewOf(store: TestStore, key: { readonly organizationId: number; readonly id: number }) {
  const file = openFile(await uploadById(store.database.read, key.organizationId, key.id))
  if (file === null) throw new Error("The file isn't open.")
  return checkFile(await loadFile(store.database.read, key.organizationId, file, store.clock()))
}

/** Reports everything in the file, whatever is odd about it. */
async function reportAll(store: TestStore, key: { readonly organizationId: number; readonly id: number }) {
  const preview = await previewOf(store, key)
  const confirmed = new Set(preview.entries.map((entry) => entry.key))
  return reportUpload(store, "user:1", key, { digest: digestOf(preview), confirmed })
}

const rowText = (names: readonly string[], { line, quantity, asOf }: FileRow) => `${names[line]},${asOf},${quantity}`

eachEngine((engine) => {
  test("the preview is right: random files after random histories end at the totals shown", async () => {
    await using store = await openStore(engine)
    store.setClock("2026-11-15T12:00")
    const past = fc.array(earlier, { maxLength: 10 })
    const rows = fc.array(row, { minLength: 1, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(past, rows, fc.constantFrom<Figures>("totals", "daily"), async (past, rows, figures) => {
        const { seller, names, packageIds, totals } = await givenLines(store)
        for (const { line, quantity, asOf } of past)
          await report(store, seller, [{ package_id: packageIds[line], impressions: quantity, as_of: asOf }])
        const before = await totals()
        const key = await givenFile(
          store,
          seller,
          rows.map((one) => rowText(names, one)),
          figures,
        )
        const { entries } = await previewOf(store, key)
        expect(await reportAll(store, key)).toBe("reported")
        const expected = new Map(before)
        for (const { key, after } of entries) expected.set(key, after?.quantity ?? null)
        expect(await totals()).toEqual(expected)
      }),
      { numRuns: engine === "SQLite" ? 30 : 6 },
    )
  })

  const daily = fc.record({ line: fc.nat(2), quantity: fc.nat(1_000), asOf: fc.constantFrom(...DAYS.slice(0, 4)) })
  const dailyRows = fc.array(daily, { minLength: 1, maxLength: 12 })

  test("daily figures end at the same totals if their file is cut between two days, repeated or reordered", async () => {
    await using store = await openStore(engine)
    store.setClock("2026-11-18T12:00")
    await fc.assert(
      fc.asyncProperty(dailyRows, fc.constantFrom(...DAYS.slice(1, 4)), async (rows, cut) => {
        // Every line has a row on every day, as in an export, so that no day before the cut is unknown.
        const all = [
          ...rows,
          ...DAYS.slice(0, 4).flatMap((asOf) => [0, 1, 2].map((line) => ({ line, quantity: 0, asOf }))),
        ]
        const sums = [0, 1, 2].map((line) =>
          all.filter((one) => one.line === line).reduce((sum, one) => sum + one.quantity, 0),
        )
        const ends = async (files: readonly (readonly FileRow[])[]) => {
          const { seller, names, packageIds, totals } = await givenLines(store)
          for (const file of files) {
            const key = await givenFile(
              store,
              seller,
              file.map((one) => rowText(names, one)),
              "daily",
            )
            expect(await reportAll(store, key)).toBe("reported")
          }
          const after = await totals()
          return packageIds.map((packageId) => after.get(packageId) ?? null)
        }
        const [first, second] = [all.filter(({ asOf }) => asOf < cut), all.filter(({ asOf }) => asOf >= cut)]
        expect(await ends([all])).toEqual(sums)
        expect(await ends([all.toReversed(), all])).toEqual(sums)
        expect(await ends([first, second])).toEqual(sums)
        // The first part can't be sent again alone, because later days would not follow. Together they can.
        expect(await ends([first, second, first, second, all])).toEqual(sums)
      }),
      { numRuns: engine === "SQLite" ? 12 : 3 },
    )
  })
})
