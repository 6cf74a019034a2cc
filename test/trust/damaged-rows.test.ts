import { describe, expect, test } from "bun:test"
import { runDoctor } from "../../src/actions/operations/doctor.ts"
import { reportIdOf } from "../../src/domain/delivery/withdrawal.ts"
import { historyOf, report } from "../doors/ingest/feed.ts"
import { crawl, fewOfEachKind } from "../doors/web/crawl.ts"
import { givenMarket, givenPerson, LINE } from "../doors/web/given.ts"
import { reportAnyway } from "../doors/web/report-anyway.ts"
import { signedIn, textOf, type Visitor } from "../doors/web/visitor.ts"
import { ON_POSTGRES } from "../engine.ts"
import { givenIngestKey } from "../given.ts"
import { startApp, type TestApp } from "../harness.ts"
import { type OtherProgram, otherProgram } from "../other-program.ts"

// Somebody changed the tables of the history by hand. Pages show what is there, reports are taken, and the doctor names lines and days.

const PAGE = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`
const PATIENCE_MS = 600_000

// What others refer to comes first.
const TABLES = ["delivery_source", "delivery_report", "delivery_day", "delivery_total", "withdrawn_report"]
const OF_A_LINE = TABLES.slice(1)

interface Given {
  readonly app: TestApp
  readonly key: string
  readonly admin: Visitor
  readonly program: OtherProgram
}

/** Six days of totals of a line, by a key and by a form, one of them corrected and one withdrawn. */
async function givenHistory(opened: AsyncDisposableStack): Promise<Given> {
  const app = opened.use(await startApp({ options: { limitIngest: "100000" } }))
  await givenMarket(app)
  const acme = await app.store.organizations.findBySlug("acme-audio")
  if (acme === null) throw new Error("no Acme")
  const key = await givenIngestKey(app, acme)
  const send = (impressions: number, as_of: string) => report(app, key, [{ package_id: LINE, impressions, as_of }])
  for (const day of [10, 11, 12, 13]) await send(day * 100, `2026-11-${day}`)
  await send(1_250, "2026-11-12")
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin", isOperator: true }))
  await reportAnyway(admin, PAGE, { impressions: "1400", as_of: "2026-11-14" })
  const eleventh = (await historyOf(app, acme, LINE)).find(({ quantity }) => quantity === 1_100)
  if (eleventh === undefined) throw new Error("no report of the eleventh")
  await admin.post(`${PAGE}/reports/${reportIdOf(eleventh)}/withdraw`, { reason: "Wrong" })
  return { app, key, admin, program: opened.use(otherProgram(app)) }
}

const literal = (value: unknown) =>
  value === null ? "NULL" : typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value)

/** Puts the tables back as they are now. */
async function asTheyAre(program: OtherProgram): Promise<() => Promise<void>> {
  const kept = await Promise.all(
    TABLES.map(
      async (table) => [table, await program.rows<Record<string, unknown>>(`SELECT * FROM ${table}`)] as const,
    ),
  )
  const inserts = kept.flatMap(([table, rows]) =>
    rows.map((row) => `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.values(row).map(literal)})`),
  )
  return async () => {
    for (const table of TABLES.toReversed()) await program.change(`DELETE FROM ${table}`)
    for (const insert of inserts) await program.change(insert)
  }
}

/** What the doctor finds wrong, with what it says of it. */
async function found(app: TestApp): Promise<Record<string, string>> {
  const settings = { host: "127.0.0.1", publicUrl: null, trustProxy: [], domain: [], tlsCert: null, dataMode: 0o700 }
  const findings = await runDoctor(app, { ...settings, diskFreeBytes: async () => 10 ** 12, backupEvery: null })
  const wrong = findings.filter(({ ok }) => !ok)
  return Object.fromEntries(wrong.map(({ check, detail, advice }) => [check, `${detail} ${advice}`]))
}

const newest = (table: string) => `as_of = (SELECT max(as_of) FROM ${table})`
const oldest = (table: string) => `as_of = (SELECT min(as_of) FROM ${table})`

const REMOVALS = [
  ...OF_A_LINE.map((table) => `DELETE FROM ${table}`),
  ...["delivery_report", "delivery_day"].flatMap((table) => [
    `DELETE FROM ${table} WHERE ${newest(table)}`,
    `DELETE FROM ${table} WHERE ${oldest(table)}`,
    `DELETE FROM ${table} WHERE NOT (${newest(table)}) AND NOT (${oldest(table)})`,
  ]),
]

const CHANGES = [
  ...OF_A_LINE.flatMap((table) => [
    ...["0", "-1", "4611686018427387904", "9223372036854775807", "-9223372036854775807"].map(
      (asOf) => `UPDATE ${table} SET as_of = ${asOf} WHERE ${newest(table)}`,
    ),
    ...["-1", "0.5", "1e300"].map((quantity) => `UPDATE ${table} SET quantity = ${quantity} WHERE ${newest(table)}`),
  ]),
  ...["delivery_report", "withdrawn_report"].map(
    (table) => `UPDATE ${table} SET received_at = 4611686018427387904 - received_at`,
  ),
  ...["", "x", "2026-02-30", "9999-99-99", "0000-00-00"].map(
    (day) => `UPDATE delivery_day SET day = '${day}' WHERE ${newest("delivery_day")}`,
  ),
  ...["NULL", "1e300", "-1"].map((low) => `UPDATE delivery_day SET low = ${low}`),
  "UPDATE delivery_report SET line_id = 4000",
  "UPDATE delivery_day SET line_id = 4000",
  "UPDATE delivery_report SET source_id = 4000",
  ...["x", ""].map((kind) => `UPDATE delivery_source SET kind = '${kind}' WHERE reference <> ''`),
  ...["", "user:", "user:x", "user:4000"].map((by) => `UPDATE withdrawn_report SET withdrawn_by = '${by}'`),
]

// PostgreSQL itself refuses rows that refer to nothing.
const OF_REFERENCES = ON_POSTGRES ? [] : ["DELETE FROM delivery_source", "UPDATE withdrawn_report SET source_id = 4000"]

describe("rows of the history that were changed by hand", () => {
  test(
    "let every page about the line answer, and reports be taken",
    async () => {
      await using opened = new AsyncDisposableStack()
      const { app, key, admin, program } = await givenHistory(opened)
      const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
      const addresses: (readonly [Visitor, string])[] = []
      const isAboutLine = new RegExp(`Pre-roll|${LINE}`)
      for (const [person, start] of [
        [admin, PAGE],
        [buyer, PAGE.replace("acme-audio", "brand-co")],
      ] as const)
        await crawl(person, ["/app", start], {
          isWanted: fewOfEachKind(1),
          onAnswer: (path, _, text) => void (isAboutLine.test(text) && addresses.push([person, path])),
        })
      expect(addresses.length).toBeGreaterThan(15)
      expect(await found(app)).toEqual({})
      const restore = await asTheyAre(program)
      for (const damage of [...REMOVALS, ...CHANGES, ...OF_REFERENCES]) {
        await program.change(damage)
        for (const [person, path] of addresses) {
          const { status } = await person.get(path)
          expect(`${damage}: ${path} ${status < 500}`).toBe(`${damage}: ${path} true`)
        }
        await found(app)
        // The same as the last one, and a newer one.
        const reports = [
          { package_id: LINE, impressions: 1_400, as_of: "2026-11-14" },
          { package_id: LINE, impressions: 1_500, as_of: "2026-11-15T10:00:00Z" },
        ]
        for (const item of reports) expect((await report(app, key, [item])).accepted).toBe(1)
        await restore()
      }
      expect(await found(app)).toEqual({})
    },
    PATIENCE_MS,
  )

  test("which have lost their source say so, and stay: nothing could say from whom they were withdrawn", async () => {
    await using opened = new AsyncDisposableStack()
    const { app, admin, program } = await givenHistory(opened)
    await program.change("UPDATE delivery_report SET source_id = 4000")
    expect(textOf(await admin.read(PAGE))).toContain("Not known")
    const acme = await app.store.organizations.findBySlug("acme-audio")
    const [latest] = acme === null ? [] : await historyOf(app, acme, LINE)
    if (latest === undefined) throw new Error("no report")
    const withdrawal = await admin.post(`${PAGE}/reports/${reportIdOf(latest)}/withdraw`, { reason: "Wrong" })
    expect(withdrawal.status).toBe(404)
    expect((await found(app))["integrity"]).toContain("1 sources have reports but are not there")
  })

  test("show every report that is there, whatever else is missing", async () => {
    await using opened = new AsyncDisposableStack()
    const { admin, program } = await givenHistory(opened)
    const restore = await asTheyAre(program)
    for (const damage of ["DELETE FROM delivery_total", `DELETE FROM delivery_day WHERE ${newest("delivery_day")}`]) {
      await program.change(damage)
      const csv = await admin.read(`${PAGE}/history.csv`)
      for (const quantity of [1_000, 1_100, 1_200, 1_250, 1_300, 1_400]) expect(csv).toContain(`,${quantity},`)
      await restore()
    }
  })

  test.each([
    ["a day is missing", `DELETE FROM delivery_day WHERE ${oldest("delivery_day")}`, "2026-11-10"],
    ["the last day is missing", `DELETE FROM delivery_day WHERE ${newest("delivery_day")}`, "2026-11-14"],
    ["a day has another total", `UPDATE delivery_day SET quantity = 7 WHERE ${oldest("delivery_day")}`, "2026-11-10"],
    ["a day has another low", `UPDATE delivery_day SET low = 7 WHERE ${oldest("delivery_day")}`, "2026-11-10"],
    [
      "the reports of a day are missing",
      `DELETE FROM delivery_report WHERE ${oldest("delivery_report")}`,
      "2026-11-10",
    ],
    ["a day is none", `UPDATE delivery_day SET day = 'x' WHERE ${oldest("delivery_day")}`, "2026-11-10"],
  ])("are told by the doctor, with line and day, where %s", async (_, damage, day) => {
    await using opened = new AsyncDisposableStack()
    const { app, admin, program } = await givenHistory(opened)
    await program.change(damage)
    const { days = "", ...others } = await found(app)
    expect(Object.keys(others)).toEqual([])
    expect(days).toContain(`${day} of "Pre-roll" of acme-audio (${LINE})`)
    expect(days).toContain("save another time zone in the settings of the seller")
    // As it says.
    for (const timeZone of ["Asia/Kathmandu", "Europe/Berlin"])
      await admin.edit("/app/o/acme-audio/settings", { name: "Acme Audio", time_zone: timeZone })
    while (await app.store.deliveries.renewDays()) {}
    expect(await found(app)).toEqual({})
  })
})
