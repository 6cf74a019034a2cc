import { expect, test } from "bun:test"
import { runDoctor } from "../../src/actions/operations/doctor.ts"
import { currentTotal, report } from "../doors/ingest/feed.ts"
import { givenMarket, givenPerson, LINE } from "../doors/web/given.ts"
import { reportFile, uploadFile } from "../doors/web/uploaded.ts"
import { signedIn } from "../doors/web/visitor.ts"
import { givenIngestKey } from "../given.ts"
import { startApp, type TestApp } from "../harness.ts"

const TODAY = "/app/o/acme-audio"

/** The clock was a year ahead for a while, in which a total came; then it was set right, and others came. */
async function givenTotalAhead(app: TestApp) {
  await givenMarket(app)
  const acme = await app.store.organizations.findBySlug("acme-audio")
  if (acme === null) throw new Error("no Acme")
  const key = await givenIngestKey(app, acme)
  const send = async (impressions: number) =>
    (await report(app, key, [{ package_id: LINE, impressions }])).results[0]?.effect
  expect(await send(100)).toBe("applied")
  app.clock.advance({ days: 365 })
  expect(await send(200)).toBe("applied")
  app.clock.advance({ days: -365, minutes: 5 })
  for (const impressions of [300, 400, 500]) {
    expect(await send(impressions)).toBe("older_than_current")
    app.clock.advance({ days: 1 })
  }
}

const doctorSays = async (app: TestApp) => {
  const around = { ...app.config, diskFreeBytes: async () => 10 ** 12, dataMode: null }
  const findings = await runDoctor(app, around)
  return findings.find(({ check }) => check === "measured ahead")
}

test("Today names a total that was measured in the future, and withdrawing it lets the later ones count", async () => {
  await using app = await startApp()
  await givenTotalAhead(app)
  expect(await currentTotal(app, LINE)).toMatchObject({ quantity: 200 })
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const html = await (await admin.get(TODAY)).text()
  expect(html).toContain("was measured in the future")
  const withdrawal = /href="([^"]*\/withdraw)"/.exec(html)?.[1] ?? ""
  expect(await (await admin.get(withdrawal)).text()).toContain("200 impressions")
  expect((await admin.post(withdrawal, { reason: "The clock was ahead" })).status).toBe(303)
  expect(await currentTotal(app, LINE)).toMatchObject({ quantity: 500 })
  expect(await (await admin.get(TODAY)).text()).not.toContain("was measured in the future")
})

test("whoever may not withdraw it is told who can", async () => {
  await using app = await startApp()
  await givenTotalAhead(app)
  const member = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const html = await (await member.get(TODAY)).text()
  expect(html).toContain("An admin can withdraw it")
  expect(html).not.toContain("/withdraw")
})

test("doctor has nothing to say where the clock was right", async () => {
  await using app = await startApp()
  await givenMarket(app)
  expect(await doctorSays(app)).toMatchObject({ ok: true })
})

test("doctor finds a total that was measured in the future, and says where it is withdrawn", async () => {
  await using app = await startApp()
  await givenTotalAhead(app)
  const found = await doctorSays(app)
  expect(found).toMatchObject({ ok: false })
  expect(found?.advice).toContain("Withdraw it in the app: Today says where")
})

test.each(["form", "file"])("what a whole %s reported while the clock was ahead is withdrawn at once", async (door) => {
  await using app = await startApp()
  await givenMarket(app)
  const acme = await app.store.organizations.findBySlug("acme-audio")
  if (acme === null) throw new Error("no Acme")
  const key = await givenIngestKey(app, acme)
  const person = await givenPerson(app, { of: "acme-audio", role: "admin" })
  const withdrawal = async () => {
    const admin = await signedIn(app, person)
    if (door === "file") {
      const address = await uploadFile(admin, "delivery", `package_id,impressions\n${LINE},200\n`)
      await reportFile(admin, address)
      return `${address}/withdraw`
    }
    const fields = { [`total.${LINE}`]: "200", [`was.${LINE}`]: "" }
    const receipt = (await admin.post(`${TODAY}/totals`, fields)).headers.get("location") ?? ""
    return `${receipt.split("?")[0]}/withdraw`
  }
  app.clock.advance({ days: 365 })
  const address = await withdrawal()
  expect(await currentTotal(app, LINE)).toMatchObject({ quantity: 200 })
  app.clock.advance({ days: -365, minutes: 5 })
  await report(app, key, [{ package_id: LINE, impressions: 300 }])
  app.clock.advance({ days: 2 })
  const admin = await signedIn(app, person)
  expect((await admin.post(address, { reason: "The clock was ahead" })).status).toBe(303)
  expect(await currentTotal(app, LINE)).toMatchObject({ quantity: 300 })
})
