import { expect, test } from "bun:test"
import { startApp, type TestApp } from "../../harness.ts"
import { givenMarket, givenPerson } from "./given.ts"
import { signedIn, untilHashed, type Visitor, visitor } from "./visitor.ts"

// Anybody may have registered an account under somebody else's address, and a seller may not become a buyer's person: only the operator
// adds an account to an organization, or anybody to a buyer's, and the person then opens a link that sets a new password.

const PLANTED = "the attacker knows this one"
const OWN = "and this one only Mo knows"
const LINK = /\/app\/invitation\/[\w-]+/

async function givenAdmins(app: TestApp) {
  await givenMarket(app)
  const adminOf = async (of: string) => signedIn(app, await givenPerson(app, { of, role: "admin" }))
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true }))
  return { acme: await adminOf("acme-audio"), other: await adminOf("other-seller"), operator }
}

/** Somebody's address with an account that another seller's admin made. */
async function givenPlanted(app: TestApp, other: Visitor) {
  const email = "mo@example.com"
  const link = await invite(other, "/app/o/other-seller/members", email)
  const planted = visitor(app)
  await untilHashed(() => planted.post(link, { name: "Mo", password: PLANTED }))
  expect((await planted.get("/app/o/other-seller/campaigns")).status).toBe(200)
  return { email, planted }
}

async function invite(inviter: Visitor, path: string, email: string): Promise<string> {
  const answer = await inviter.follow(path, { name: "Mo", email, role: "member" })
  return LINK.exec(await answer.text())?.[0] ?? ""
}

const signIn = (app: TestApp, email: string, password: string) =>
  untilHashed(() => visitor(app).post("/app/sign-in", { email, password }))

const seesCampaigns = async (person: Visitor, organization: string) =>
  (await person.get(`/app/o/${organization}/campaigns`)).status === 200

test("a seller invites nobody for a buyer, also for one that buys from nobody else", async () => {
  await using app = await startApp()
  const { acme, operator } = await givenAdmins(app)
  const line = { line_name: "Banner", pricing_basis: "impressions", flight_start: "2026-11-01" }
  await acme.post("/app/o/acme-audio/new-campaign", { name: "Spring", buyer: "Northwind", ...line })
  const buyer = await app.store.organizations.findBySlug("northwind")
  for (const campaign of ["spring", "acme-only", "autumn"]) {
    const share = `/app/o/acme-audio/campaigns/${campaign}/share`
    expect(await acme.read(share)).not.toContain("/people")
    const refused = await acme.post(`${share}/people`, { name: "Nora", email: "nora@example.com", role: "member" })
    expect(refused.status).toBe(404)
  }
  expect(await app.store.invitations.list(buyer?.id ?? 0)).toEqual([])
  const share = "/app/o/acme-audio/campaigns/spring/share"
  expect(await invite(operator, `${share}/people`, "nora@example.com")).not.toBe("")
  const [invitation] = await app.store.invitations.list(buyer?.id ?? 0)
  expect(await acme.read(share)).not.toContain("nora@example.com")
  expect((await acme.post(`${share}/people/invitations/${invitation?.id}/withdraw`)).status).toBe(404)
  expect(await app.store.invitations.list(buyer?.id ?? 0)).toHaveLength(1)
})

test("an admin's invitation is for no account that there is, whoever has its password", async () => {
  await using app = await startApp()
  const { acme, other } = await givenAdmins(app)
  const { email, planted } = await givenPlanted(app, other)
  const link = await invite(acme, "/app/o/acme-audio/members", email)
  expect(await planted.read(link)).toContain("Only the operator")
  expect((await planted.post(link)).status).toBe(409)
  expect((await planted.post(link, { name: "Mo", password: PLANTED })).status).toBe(409)
  const anonymous = await untilHashed(() => visitor(app).post(link, { name: "Mo", password: OWN }))
  expect([anonymous.status, anonymous.headers.getSetCookie()]).toEqual([422, []])
  expect(await seesCampaigns(planted, "acme-audio")).toBe(false)
  expect((await signIn(app, email, PLANTED)).status).toBe(303)
})

test("the operator adds an account, whose person sets a new password with the link: then nobody else has it", async () => {
  await using app = await startApp()
  const { other, operator } = await givenAdmins(app)
  const { email, planted } = await givenPlanted(app, other)
  const link = await invite(operator, "/app/o/brand-co/members", email)
  // Until then nothing changes.
  expect(await seesCampaigns(planted, "brand-co")).toBe(false)
  const mo = visitor(app)
  expect(await mo.read(link)).toContain("Choose a new password")
  expect((await mo.post(link, { password: "short" })).status).toBe(422)
  expect((await untilHashed(() => mo.post(link, { password: OWN }))).status).toBe(303)
  expect(await seesCampaigns(mo, "brand-co")).toBe(true)
  expect(await seesCampaigns(mo, "other-seller")).toBe(true)
  expect((await planted.get("/app/o/brand-co/campaigns")).status).toBe(303)
  const [old, own] = [await signIn(app, email, PLANTED), await signIn(app, email, OWN)]
  expect([old.status, own.status]).toEqual([422, 303])
  expect((await mo.post(link, { password: OWN })).status).toBe(404)
})

test("an admin who invites the same address anew takes the operator's link away, and adds no account by it", async () => {
  await using app = await startApp()
  const { acme, other, operator } = await givenAdmins(app)
  const { email, planted } = await givenPlanted(app, other)
  const first = await invite(operator, "/app/o/acme-audio/members", email)
  const link = await invite(acme, "/app/o/acme-audio/members", email)
  expect((await planted.get(first)).status).toBe(404)
  expect((await planted.post(link, { password: OWN })).status).toBe(409)
  expect(await seesCampaigns(planted, "acme-audio")).toBe(false)
})
