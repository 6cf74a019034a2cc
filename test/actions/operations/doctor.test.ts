import { describe, expect, test } from "bun:test"
import { changeProduct, writeEdit } from "../../../src/actions/catalogue/edit-catalogue.ts"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { runDoctor, type SettingsInForce } from "../../../src/actions/operations/doctor.ts"
import { noteHttps, noteMail } from "../../../src/actions/operations/services.ts"
import { parseCidr } from "../../../src/domain/callers/client-address.ts"
import { NOTHING_TRIED } from "../../../src/domain/operations/https.ts"
import { call, givenBuyers, givenProduct } from "../../doors/agent/buyer.ts"
import { report } from "../../doors/ingest/feed.ts"
import { givenPerson } from "../../doors/web/given.ts"
import { signedIn } from "../../doors/web/visitor.ts"
import { onlyOnSqlite } from "../../engine.ts"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { otherProgram } from "../../other-program.ts"

const testOnSqlite = onlyOnSqlite("PostgreSQL itself refuses rows that refer to nothing.")

const SAFE: SettingsInForce = {
  host: "127.0.0.1",
  publicUrl: null,
  trustProxy: [],
  domain: [],
  tlsCert: null,
  dataMode: 0o700,
}
const PLENTY = { diskFreeBytes: async () => 10 ** 12, backupEvery: null }

/** What is wrong, and whether each finding says what to do. */
async function wrong(app: TestApp, settings: Partial<SettingsInForce> = {}, surroundings: Partial<typeof PLENTY> = {}) {
  const findings = await runDoctor(app, { ...SAFE, ...PLENTY, ...settings, ...surroundings })
  const bad = findings.filter(({ ok }) => !ok)
  for (const { advice } of bad) expect(advice ?? "").toMatch(/\w.*[.]/)
  return bad.map(({ check }) => check)
}

function block(text: string) {
  const parsed = parseCidr(text)
  if (parsed === undefined) throw new Error(text)
  return parsed
}

describe("the doctor", () => {
  test("says how the last mail went, with what to do", async () => {
    await using app = await startApp()
    await noteMail(app, { sentAt: null, problem: "mail.example.com: connect ECONNREFUSED." })
    const findings = await runDoctor(app, { ...SAFE, ...PLENTY })
    expect(findings.find(({ check }) => check === "mail")).toEqual({
      check: "mail",
      ok: false,
      detail: "mail.example.com: connect ECONNREFUSED. So far: none was sent yet.",
      advice: "Check the port. Most servers use 587 or 465.",
    })
    await noteMail(app, { sentAt: app.clock(), problem: null })
    expect(await wrong(app)).toEqual([])
  })

  test("finds nothing wrong with a sound installation", async () => {
    await using app = await startApp()
    const line = await givenPackageLine(app)
    const key = await givenIngestKey(app, line.seller)
    await report(app, key, [{ package_id: line.packageId, impressions: 5, as_of: "2026-11-10" }])
    await report(app, key, [{ package_id: line.packageId, impressions: 4, as_of: "2026-11-09" }])
    expect(await wrong(app)).toEqual([])
  })

  test.each([
    ["a total that was changed", "UPDATE delivery_total SET quantity = 6", ["totals"]],
    ["a total that is older than its history", "UPDATE delivery_total SET as_of = as_of - 1", ["totals"]],
    ["a history without its total", "DELETE FROM delivery_total", ["totals"]],
    ["a total and a day without their history", "DELETE FROM delivery_report", ["totals", "days"]],
  ])("finds %s", async (_, sql, checks) => {
    await using app = await startApp()
    const line = await givenPackageLine(app)
    await report(app, await givenIngestKey(app, line.seller), [{ package_id: line.packageId, impressions: 5 }])
    await using program = otherProgram(app)
    await program.change(sql)
    expect(await wrong(app)).toEqual(checks)
  })

  testOnSqlite("finds rows that refer to nothing", async () => {
    await using app = await startApp()
    const line = await givenPackageLine(app)
    await givenIngestKey(app, line.seller)
    await using program = otherProgram(app)
    await program.change("UPDATE ingest_key SET organization_id = 77")
    expect(await wrong(app)).toEqual(["integrity"])
  })

  test("finds a clock that was ahead, by what was received in the future", async () => {
    await using app = await startApp()
    const line = await givenPackageLine(app)
    app.clock.advance({ hours: 3 })
    await report(app, await givenIngestKey(app, line.seller), [{ package_id: line.packageId, impressions: 5 }])
    app.clock.advance({ hours: -3 })
    expect(await wrong(app)).toEqual(["measured ahead", "clock"])
  })

  test("finds a full disk", async () => {
    await using app = await startApp()
    expect(await wrong(app, {}, { diskFreeBytes: async () => 1_000 })).toEqual(["disk"])
  })

  test("takes 50 MiB of free disk for enough, and less for full", async () => {
    await using app = await startApp()
    const disk = async (bytes: number) => {
      const findings = await runDoctor(app, { ...SAFE, ...PLENTY, diskFreeBytes: async () => bytes })
      return findings.find(({ check }) => check === "disk")
    }
    expect(await disk(50 * 1024 * 1024)).toMatchObject({ ok: true, detail: "52.5 MB free" })
    expect(await disk(50 * 1024 * 1024 - 1)).toMatchObject({ ok: false, detail: "52.5 MB free" })
  })

  test.each<[string, Partial<SettingsInForce>, string[]]>([
    ["open to other machines without TLS", { host: "0.0.0.0" }, ["tls"]],
    ["a public address without TLS", { host: "0.0.0.0", publicUrl: "http://ads.example.com" }, ["tls"]],
    ["a proxy that is not named", { publicUrl: "https://ads.example.com" }, ["proxy"]],
    ["every address is a proxy", { trustProxy: [block("0.0.0.0/0")] }, ["proxy"]],
    ["a data directory that everybody can read", { dataMode: 0o755 }, ["data directory"]],
    ["TLS in front, named", { publicUrl: "https://ads.example.com", trustProxy: [block("127.0.0.1")] }, []],
  ])("looks at settings: %s", async (_, settings, expected) => {
    await using app = await startApp()
    expect(await wrong(app, settings)).toEqual(expected)
  })

  test.each([
    ["127.0.0.1", true, "only this machine can connect, until there is a certificate"],
    [
      "0.0.0.0",
      false,
      "0.0.0.0 is reachable from other machines, apparently without TLS, until there is a certificate",
    ],
  ])("says that HTTPS waits for its certificate, and who can connect meanwhile: %s", async (host, ok, detail) => {
    await using app = await startApp()
    const settings = { ...SAFE, ...PLENTY, host, domain: ["ads.example.com"], publicUrl: "https://ads.example.com" }
    const tls = async () => (await runDoctor(app, settings)).find(({ check }) => check === "tls")
    const note = { ...NOTHING_TRIED, domains: settings.domain, validUntil: null }
    await noteHttps(app, note)
    expect(await tls()).toMatchObject({ ok, detail })
    await noteHttps(app, { ...note, validUntil: app.clock() })
    expect(await tls()).toMatchObject({ ok: true, detail: "callers use https://ads.example.com" })
  })
})

test("what an earlier version stored of a product is named, shown to buyers and kept when the product is edited", async () => {
  await using app = await startApp()
  const { Buyer: key } = await givenBuyers(app, [givenProduct("old")], { Buyer: { old: ["*"] } })
  const body = givenProduct("old", { product_card: { title: "Card" }, signal_targeting_allowed: false })
  const by = { actor: "test", at: app.clock() }
  await app.store.transact((tx) => writeEdit(tx, { what: "save product", id: "old", body }, tx.catalogueRevision(), by))
  const found = (await runDoctor(app, { ...SAFE, ...PLENTY })).find(({ check }) => check === "catalogue")
  expect(found).toEqual({
    check: "catalogue",
    ok: true,
    detail:
      'not supported by this version, and shown as stored: the product "old" has product_card, signal_targeting_allowed',
  })
  const { products } = await call(app, "get_products", { buying_mode: "wholesale" }, { key })
  expect(products[0]).toMatchObject({ product_card: { title: "Card" } })
  expect(await changeProduct(app, { ...body, name: "Edited" }, { actor: "test" })).toEqual([])
  expect(await changeProduct(app, { ...body, product_card: {} }, { actor: "test" })).toMatchObject([
    { message: "product_card is not supported by this version" },
  ])
  const elsewhere = await importCatalogue(app, { products: [{ ...body, product_id: "new" }] }, "test")
  expect(elsewhere).toMatchObject({ ok: false })
})

test("what somebody broke by hand, so that buyers do not see it, is named with what to do", async () => {
  await using app = await startApp()
  await givenBuyers(app, [givenProduct("bad"), givenProduct("worse"), givenProduct("good")], {})
  await using program = otherProgram(app)
  await program.change(`UPDATE product SET body = '{"product_id":"bad"}' WHERE product_id = 'bad'`)
  await program.change("UPDATE product SET body = '{no JSON' WHERE product_id = 'worse'")
  const found = (await runDoctor(app, { ...SAFE, ...PLENTY })).find(({ check }) => check === "catalogue")
  expect(found).toEqual({
    check: "catalogue",
    ok: false,
    detail: 'not valid, so that buyers do not see them: the product "bad"; the product "worse"',
    advice: "Import them again, or delete them in the app.",
  })
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await olga.read("/app/operator/products")).toContain("/app/operator/product/worse")
  expect((await olga.post("/app/operator/product/worse/delete")).status).toBe(303)
})
