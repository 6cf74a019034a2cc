import { expect, test } from "bun:test"
import { issuePasswordLink } from "../../../src/actions/people/one-time-links.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenMarket, givenPerson } from "./given.ts"
import { signedIn, type Visitor, visitor } from "./visitor.ts"

const PASSWORD = "correct horse battery"

async function givenAdmins(app: TestApp) {
  await givenMarket(app)
  const adminOf = async (of: string) => signedIn(app, await givenPerson(app, { of, role: "admin" }))
  return { acme: await adminOf("acme-audio"), other: await adminOf("other-seller") }
}

async function invite(admin: Visitor, slug: string, email: string, name = "Mo") {
  const answer = await admin.follow(`/app/o/${slug}/members`, { name, email, role: "member" })
  const page = await answer.text()
  return { status: answer.status, page, link: /\/app\/(?:invitation|password)\/[\w-]+/.exec(page)?.[0] ?? "" }
}

async function givenKnown(app: TestApp, options: Parameters<typeof givenPerson>[1] = {}) {
  const id = await givenPerson(app, options)
  const user = await app.store.users.findById(id)
  return { id, email: user?.email ?? "", name: user?.name ?? "" }
}

test("inviting somebody touches nothing that another organization or the operator issued", async () => {
  await using app = await startApp()
  const { acme, other } = await givenAdmins(app)
  const first = await invite(other, "other-seller", "mo@example.com")
  await invite(acme, "acme-audio", "mo@example.com")
  expect((await app.fetch(first.link)).status).toBe(200)
  const known = await givenKnown(app, { of: "other-seller" })
  const passwordLink = await issuePasswordLink(app, known.id, "test")
  await invite(acme, "acme-audio", known.email)
  expect((await app.fetch(passwordLink)).status).toBe(200)
})

test("an inviter learns nothing about an address: neither that it has an account, nor a name", async () => {
  await using app = await startApp()
  const { acme } = await givenAdmins(app)
  const known = await givenKnown(app, { of: "other-seller", password: PASSWORD })
  const same = (page: string, email: string, link: string) =>
    page.replaceAll(email, "ADDRESS").replaceAll(link.slice(-43), "TOKEN")
  const pages: string[][] = []
  for (const email of [known.email, "nobody@example.com"]) {
    const { status, page, link } = await invite(acme, "acme-audio", email)
    const opened = await (await app.fetch(link)).text()
    const members = (await acme.read("/app/o/acme-audio/members")).replace(/invitations\/\d+/, "invitations/ID")
    expect([status, members.includes(known.name), members.includes("Mo")]).toEqual([200, false, true])
    pages.push([page, opened, members].map((text) => same(text, email, link)))
    const [invitation] = await app.store.invitations.list(
      (await app.store.organizations.findBySlug("acme-audio"))?.id ?? 0,
    )
    await acme.post(`/app/o/acme-audio/members/invitations/${invitation?.id}/withdraw`)
    await acme.read("/app/o/acme-audio/members")
  }
  expect(pages[1]).toEqual(pages[0] ?? [])
})

test("an invitation is good for nobody else, and for no account that it did not make", async () => {
  await using app = await startApp()
  const { acme } = await givenAdmins(app)
  const known = await givenKnown(app, { of: "other-seller" })
  const { link } = await invite(acme, "acme-audio", known.email)
  const stranger = await signedIn(app, await givenPerson(app))
  expect(await stranger.read(link)).toContain("for someone else")
  expect((await stranger.post(link)).status).toBe(409)
  expect((await stranger.get("/app/o/acme-audio/campaigns")).status).toBe(404)
  const taken = await visitor(app).post(link, { name: "Mo", password: PASSWORD })
  expect([taken.status, taken.headers.getSetCookie()]).toEqual([422, []])
  expect((await app.store.users.findById(known.id))?.hasPassword).toBe(false)
})

test("an invitation ends when it is withdrawn by its own organization, replaced by a fresh one, or too old", async () => {
  await using app = await startApp()
  const { acme, other } = await givenAdmins(app)
  const first = await invite(acme, "acme-audio", "mo@example.com")
  const second = await invite(acme, "acme-audio", "mo@example.com")
  const opens = async ({ link }: { link: string }) => (await app.fetch(link)).status === 200
  expect([await opens(first), await opens(second)]).toEqual([false, true])
  const withdraw = (await acme.read("/app/o/acme-audio/members")).match(/invitations\/\d+\/withdraw/)?.[0]
  expect((await other.post(`/app/o/other-seller/members/${withdraw}`)).status).toBe(404)
  expect(await opens(second)).toBe(true)
  await acme.post(`/app/o/acme-audio/members/${withdraw}`)
  expect(await opens(second)).toBe(false)
  const third = await invite(acme, "acme-audio", "mo@example.com")
  app.clock.advance({ hours: 73 })
  expect(await opens(third)).toBe(false)
  expect((await visitor(app).post(third.link, { name: "Mo", password: PASSWORD })).status).toBe(404)
})

test("of two who use an invitation at once, one makes the account", async () => {
  await using app = await startApp()
  const { acme } = await givenAdmins(app)
  const { link } = await invite(acme, "acme-audio", "mo@example.com")
  const answers = await Promise.all(["one", "two"].map((name) => visitor(app).post(link, { name, password: PASSWORD })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404])
})

test("an operator invites a buyer's person where the campaign is shared, without leaving the seller", async () => {
  await using app = await startApp()
  await givenMarket(app)
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const share = "/app/o/acme-audio/campaigns/acme-only/share"
  const mo = { name: "Mo", email: "mo@example.com", role: "member" }
  const link = /\/app\/invitation\/[\w-]+/
  const invited = await (await operator.follow(`${share}/people`, mo)).text()
  expect(invited).toContain("to join Brand Co")
  const page = await operator.read(share)
  expect([page.includes("mo@example.com"), page.includes("report totals"), page.includes("/o/brand-co")]).toEqual([
    true,
    false,
    false,
  ])
  expect((await operator.post(`${share}/people`, { ...mo, email: "mo" })).status).toBe(422)
  expect((await app.fetch(link.exec(invited)?.[0] ?? "")).status).toBe(200)
  await operator.post(`${share}/people/${/invitations\/\d+\/withdraw/.exec(page)?.[0]}`)
  expect((await app.fetch(link.exec(invited)?.[0] ?? "")).status).toBe(404)
})
