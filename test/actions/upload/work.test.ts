import { describe, expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import type { ReportContext } from "../../../src/actions/context.ts"
import { rejectedRows } from "../../../src/actions/upload/check-file.ts"
import { reportUpload } from "../../../src/actions/upload/decide.ts"
import { workOut } from "../../../src/actions/upload/preview.ts"
import { receiveUpload } from "../../../src/actions/upload/receive.ts"
import { reportFile } from "../../../src/actions/upload/report.ts"
import { sweepUploads } from "../../../src/actions/upload/sweep.ts"
import { NotCsv } from "../../../src/domain/csv/csv-reader.ts"
import type { Preset } from "../../../src/domain/presets/preset.ts"
import type { UploadKind } from "../../../src/domain/upload/columns.ts"
import type { Upload } from "../../../src/domain/upload/upload.ts"
import { workOnUploads } from "../../../src/jobs/work-on-uploads.ts"
import type { Deps } from "../../../src/server/deps.ts"
import { nextTurn, openTestStore } from "../../harness.ts"
import { until } from "../../until.ts"

const LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const HEADER = "package_id,impressions,as_of"
const SLICE_BYTES = 65_536

const lineAt = (i: number) => (i === 0 ? LINE : LINE.slice(0, -3) + String(i).padStart(3, "0"))

/** A seller with a line, or more, in flight since the first century, and the files of that seller. */
async function given(count = 1) {
  const context = await openTestStore()
  const line = { seller: "acme", name: "Line", pricing_basis: "impressions", flight_start: "0100-01-01" }
  const others = Array.from({ length: count - 1 }, (_, i) => ({ ...line, package_id: lineAt(i + 1) }))
  const lines = [{ ...line, package_id: LINE, external_id: "L" }, ...others]
  const market = {
    organizations: [{ slug: "acme", name: "Acme" }],
    campaigns: [{ slug: "c", name: "C", buyer: "acme", lines }],
  }
  expect((await importCatalogue(context, market, "test")).ok).toBe(true)
  const organizationId = (await context.store.organizations.findBySlug("acme"))?.id ?? 0

  async function* slices(text: string) {
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      yield bytes.subarray(from, from + SLICE_BYTES)
      await nextTurn()
    }
  }

  const find = async (id: number): Promise<Upload> => {
    const upload = await context.store.uploads.find(organizationId, id)
    if (upload === null) throw new Error("there is no such file")
    return upload
  }

  const decide = async (id: number): Promise<void> => {
    const { digest } = await workOut(context, await find(id), () => nextTurn())
    const by = { actor: "test", at: context.clock() }
    await reportUpload(context, await find(id), { anyway: "all", seen: digest }, by)
  }

  return {
    context,
    find,
    decide,
    async receive(text: string, kind: UploadKind = "delivery", presets: readonly Preset[] = []): Promise<number> {
      const file = {
        organizationId,
        userId: null,
        sent: null,
        presets,
        kind,
        fileName: "x.csv",
        bytes: text.length,
        bytesMax: 10 ** 8,
      }
      const received = await receiveUpload(context, file, slices(text))
      if (!received.ok) throw new Error(received.problem)
      return received.id
    },
    /** Works out what a file would do, and reports it. */
    async report(id: number): Promise<void> {
      await decide(id)
      await reportFile(context, await find(id), () => false)
    },
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  }
}

const DAILY: Preset = {
  name: "daily",
  title: "Daily",
  kind: "delivery",
  rows: "daily",
  columns: { Line: "external_id", Views: "impressions", Day: "as_of" },
  documentation: [],
} as unknown as Preset

const DAILY_CODES: Preset = {
  name: "codes",
  title: "Codes",
  kind: "affiliate_metrics",
  rows: "daily",
  columns: { Code: "code", Visits: "clicks", Day: "date" },
  documentation: [],
} as unknown as Preset

const MANY = 25_000
const DAY_MS = 86_400_000
const rowsOf = (count: number, row: (i: number) => string) => Array.from({ length: count }, (_, i) => row(i)).join("\n")
const dayAt = (i: number) => new Date(Date.parse("1700-01-01") + i * DAY_MS).toISOString().slice(0, 10)
const plain = `${LINE},5,2026-11-14\n`

const SHAPES: readonly [name: string, text: string, kind?: UploadKind, preset?: Preset][] = [
  ["ordinary rows", `${HEADER}\n${rowsOf(MANY, (i) => `${LINE},${i},2026-11-14`)}`],
  ["blank rows", `${HEADER}\n${plain}${"\n".repeat(200_000)}${plain}`],
  ["blank rows with carriage returns", `${HEADER}\r\n${plain}${"\r\n".repeat(200_000)}${plain}`],
  ["rows of one letter", `${HEADER}\n${rowsOf(3 * MANY, () => "x")}`],
  ["long rows", `${HEADER}\n${plain}${rowsOf(8, () => `"${"y".repeat(30_000)}",`.repeat(30))}`],
  ["rows of quotation marks", `${HEADER}\n${plain}${rowsOf(60, () => `${LINE},5,"${'""'.repeat(16_000)}"`)}`],
  ["wide rows", `${HEADER}${",x".repeat(197)}\n${rowsOf(5_000, () => `${LINE},5,2026-11-14${",".repeat(197)}`)}`],
  ["long numbers", `${HEADER}\n${rowsOf(100, () => `${LINE},0.${"0".repeat(32_000)}1,`)}`],
  ["long days", `${HEADER}\n${rowsOf(100, () => `${LINE},5,"1${", ".repeat(16_000)}"`)}`],
  ["a row of a million columns", `${HEADER}\n${plain}${",".repeat(1_000_000)}`],
  ["a row without an end", `${HEADER}\n${plain}"${"x".repeat(5_000_000)}`],
  ["unknown lines", `external_id,impressions\n${rowsOf(MANY, (i) => `line ${i},5`)}`],
  ["one line with many days", `Line,Views,Day\n${rowsOf(MANY, (i) => `L,1,${dayAt(i)}`)}`, "delivery", DAILY],
  ["many codes", `code,date,clicks\n${rowsOf(20_000, (i) => `c${i},2026-11-14,1`)}`, "affiliate_metrics"],
  [
    "a code with many days",
    `Code,Visits,Day\n${rowsOf(MANY, (i) => `C,1,${dayAt(i)}`)}`,
    "affiliate_metrics",
    DAILY_CODES,
  ],
]

// 20 ms, with a factor of 3 for collecting garbage and for busy machines; other threads do not count.
const PROCESSOR_MS_MAX = 60

/** The most processor time of this thread between two turns of the event loop while something is done. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isDone = false
  const watch = async () => {
    while (!isDone) {
      const before = process.threadCpuUsage()
      await nextTurn()
      const { user, system } = process.threadCpuUsage(before)
      longest = Math.max(longest, (user + system) / 1_000)
    }
  }
  await Promise.all([watch(), work().finally(() => (isDone = true))])
  return longest
}

describe("the event loop stays free while a file is received, read and reported, whatever its shape", () => {
  test.each(SHAPES)(
    "%s",
    async (_, text, kind = "delivery", preset?: Preset) => {
      const attempt = async () => {
        await using g = await given()
        const turn = await longestTurn(async () => {
          const id = await g.receive(text, kind, preset === undefined ? [] : [preset])
          if ((await g.find(id)).state !== "preview") return
          await g.report(id).catch((cause) => {
            if (!(cause instanceof NotCsv)) throw cause
          })
        })
        return turn
      }
      // Something else may have taken the processor once; work that is too long is too long every time.
      let longest = await attempt()
      for (let again = 0; longest >= PROCESSOR_MS_MAX && again < 3; again++) longest = await attempt()
      expect(longest).toBeLessThan(PROCESSOR_MS_MAX)
    },
    600_000,
  )
})

describe("whoever works on a file says so, also when all of it is read", () => {
  const many = 300
  const codes = `Code,Visits,Day\n${rowsOf(many, (i) => `C${i},1,2026-11-14`)}`
  const lines = `${HEADER}\n${rowsOf(many, (i) => `${lineAt(i)},1,2026-11-14`)}`

  test.each([
    ["of many codes", codes, "affiliate_metrics", [DAILY_CODES]],
    ["of many lines", lines, "delivery", []],
  ] as const)("%s", async (_, text, kind, presets) => {
    await using g = await given(many)
    const upload = await g.find(await g.receive(text, kind, presets))
    let timesAfterReading = 0
    await workOut(g.context, upload, async (rows) => {
      if (rows === many) timesAfterReading++
    })
    expect(timesAfterReading).toBeGreaterThanOrEqual(many)
  })
})

/** With a store that lets nobody begin to check a file before it is released. */
function heldBack(context: ReportContext) {
  const { store } = context
  const gate = Promise.withResolvers<void>()
  const held = {
    begun: 0,
    release: gate.resolve,
    context: { ...context, store: { ...store, deliveries: { ...store.deliveries, linesSold } } },
  }
  async function linesSold(...asked: Parameters<typeof store.deliveries.linesSold>) {
    held.begun++
    await gate.promise
    return store.deliveries.linesSold(...asked)
  }
  return held
}

test("rejected rows are answered before they are found, and looked for in two files at a time", async () => {
  await using g = await given()
  const upload = await g.find(await g.receive(`${HEADER}\n${LINE},x,2026-11-14\n${LINE},5,2026-11-14`))
  const held = heldBack(g.context)
  const answers = await Promise.all(Array.from({ length: 5 }, () => rejectedRows(held.context, upload)))
  expect(held.begun).toBe(0)
  const found = answers.map(async (answer) => (await Array.fromAsync(answer?.rows ?? [])).flat())
  for (let turns = 0; turns < 20; turns++) await nextTurn()
  expect(held.begun).toBe(2)
  held.release()
  for (const rows of await Promise.all(found)) expect(rows.map((row) => row.at(-3))).toEqual([2])
})

test("a file that waits until others are reported is not taken for an abandoned one", async () => {
  await using g = await given()
  const ids: number[] = []
  for (const total of [1, 2, 3, 4]) {
    const id = await g.receive(`${HEADER}\n${LINE},${total},2026-11-14`)
    await g.decide(id)
    ids.push(id)
  }
  const held = heldBack(g.context)
  await using work = workOnUploads({ ...held.context, config: { maxUploadMb: 50 } } as unknown as Deps)
  const states = async () => Promise.all(ids.map(async (id) => (await g.find(id)).state))
  const { organizationId } = await g.find(ids[0] ?? 0)
  const reported = ids.map((id) => work.report(organizationId, id))
  await until(() => held.begun === 3)
  g.context.clock.advance({ seconds: 11 })
  const now = g.context.clock()
  await until(async () => (await Promise.all(ids.map(g.find))).some(({ changedAt }) => changedAt === now))
  await sweepUploads(g.context, 10 ** 8, () => false)
  const swept = await states()
  held.release()
  await Promise.all(reported)
  await until(async () => !(await states()).includes("reporting"))
  // Those that were held back had said nothing.
  expect(swept.sort()).toEqual(["preview", "preview", "preview", "reporting"])
})

test("a file whose server went away while the clock was ahead is taken back once the clock is right", async () => {
  await using at = await given()
  at.context.clock.advance({ days: 400 })
  const id = await at.receive(`${HEADER}\n${plain}`)
  await at.decide(id)
  at.context.clock.advance({ days: -400 })
  await sweepUploads(at.context, 1_000_000, () => false)
  expect((await at.find(id)).state).toBe("preview")
})
