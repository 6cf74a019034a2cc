import { expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { inviteMember } from "../../../src/actions/people/invitations.ts"
import type { User } from "../../../src/domain/people/user.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenMarket, givenPerson, LINE } from "./given.ts"
import { reportLine } from "./report-anyway.ts"
import { signedIn, untilHashed, visitor } from "./visitor.ts"

const PASSWORD = "correct horse battery"

async function givenAdmin(app: TestApp) {
  await givenMarket(app)
  return signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
}

const send = (app: TestApp, key: string) =>
  app.fetch("/api/ingest/delivery/metrics", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ items: [{ package_id: LINE, impressions: 1000 }] }),
  })

test("a key is shown once, works, is seen being used, and stops at once when it is revoked", async () => {
  await using app = await startApp()
  const admin = await givenAdmin(app)
  const shown = await (await admin.follow("/app/o/acme-audio/keys", { label: "Ad server" })).text()
  const key = /abi_\w{38}/.exec(shown)?.[0] ?? ""
  expect(shown).toContain("curl")
  expect((await send(app, key)).status).toBe(200)
  await app.store.flushWriteBuffer()
  const list = await admin.read("/app/o/acme-audio/keys")
  expect(list).toContain(`${key.slice(0, 12)}…`)
  expect(list).not.toContain(key)
  expect(list).toContain("just now")

  const revoke = /\/app\/o\/acme-audio\/keys\/[^"]+\/revoke/.exec(list)?.[0] ?? ""
  expect(await admin.read(revoke)).toContain("This cannot be undone")
  expect((await send(app, key)).status).toBe(200)
  await admin.post(revoke)
  expect((await send(app, key)).status).toBe(401)
  expect((await admin.post(revoke)).status).toBe(404)
})

test("another organization's key is as good as missing", async () => {
  await using app = await startApp()
  const admin = await givenAdmin(app)
  await admin.post("/app/o/acme-audio/keys", { label: "Ad server" })
  const [key] = await app.store.ingestKeys.list(null)
  const stranger = await signedIn(app, await givenPerson(app, { of: "other-seller", role: "admin" }))
  expect((await stranger.post(`/app/o/other-seller/keys/${key?.id}/revoke`)).status).toBe(404)
  expect((await app.store.ingestKeys.list(null))[0]?.revokedAt).toBeNull()
})

test("an invitation is a link to make an account, and the invited one can do what the role allows", async () => {
  await using app = await startApp()
  const admin = await givenAdmin(app)
  const invitation = { name: "Mo", email: "Mo@example.com", role: "member" }
  const shown = await (await admin.follow("/app/o/acme-audio/members", invitation)).text()
  const link = /\/app\/invitation\/[\w-]+/.exec(shown)?.[0] ?? ""
  const invited = visitor(app)
  await invited.post(link, { name: "Mo", password: "correct horse battery" })
  expect((await invited.get("/app/o/acme-audio/campaigns")).status).toBe(200)
  expect((await invited.get("/app/o/acme-audio/keys")).status).toBe(403)
  expect((await admin.post("/app/o/acme-audio/members", invitation)).status).toBe(422)
})

test("who leaves the organization sees nothing of it from then on", async () => {
  await using app = await startApp()
  const admin = await givenAdmin(app)
  const id = await givenPerson(app, { of: "acme-audio" })
  const member = await signedIn(app, id)
  expect((await member.get("/app/o/acme-audio/campaigns")).status).toBe(200)
  await admin.post(`/app/o/acme-audio/members/${id}/remove`)
  expect((await member.get("/app/o/acme-audio/campaigns")).status).toBe(404)
})

test("an organization keeps an admin", async () => {
  await using app = await startApp()
  const admin = await givenAdmin(app)
  const [only] = await app.store.members.list((await app.store.organizations.findBySlug("acme-audio"))?.id ?? 0)
  const page = await admin.read(`/app/o/acme-audio/members/${only?.userId}`)
  expect(page).toContain("Make someone else an admin first.")
  expect(page).not.toMatch(/Save role|Remove from/)
  await admin.post(`/app/o/acme-audio/members/${only?.userId}`, { role: "member" })
  await admin.post(`/app/o/acme-audio/members/${only?.userId}/remove`)
  expect(await admin.read("/app/o/acme-audio/members")).toContain("There must be at least one admin")
})

test("an admin makes a password link for its own people, never for an operator or somebody who also belongs elsewhere", async () => {
  await using app = await startApp()
  const admin = await givenAdmin(app)
  const reset = async (userId: number) => {
    const answer = await admin.follow(`/app/o/acme-audio/members/${userId}/reset`)
    return answer.status === 200 && (await answer.text()).includes("/app/password/")
  }
  const own = await givenPerson(app, { of: "acme-audio" })
  const operator = await givenPerson(app, { of: "acme-audio", isOperator: true })
  const elsewhere = await givenPerson(app, { of: "other-seller", role: "admin" })
  const known = (await app.store.users.findById(elsewhere))?.email ?? ""
  const typed = { name: "X", email: known, role: "member" }
  const added = await (await signedIn(app, operator)).follow("/app/o/acme-audio/members", typed)
  const link = /\/app\/invitation\/[\w-]+/.exec(await added.text())?.[0] ?? ""
  await untilHashed(() => visitor(app).post(link, { password: PASSWORD }))
  const offered = async (userId: number) =>
    (await admin.read(`/app/o/acme-audio/members/${userId}`)).includes("Create link")
  const people = [own, operator, elsewhere]
  expect(await Promise.all(people.map(offered))).toEqual([true, false, false])
  expect(await Promise.all(people.map(reset))).toEqual([true, false, false])
  expect((await admin.post(`/app/o/acme-audio/members/${await givenPerson(app)}/reset`)).status).toBe(404)
})

const promotions: [string, (app: TestApp, person: User) => Promise<unknown>][] = [
  [
    "becomes an operator",
    (app, person) => app.store.users.edit(person.id, { ...person, isOperator: true }, byOperator),
  ],
  [
    "joins another organization",
    async (app, { email, name }) => {
      const other = await app.store.organizations.findBySlug("other-seller")
      const person = { email, name, role: "member" } as const
      const by = { actor: "operator", isOperator: true }
      const invited = await inviteMember(app, { id: other?.id ?? 0 }, person, by)
      return untilHashed(() => visitor(app).post(invited.ok ? invited.path : "", { password: PASSWORD }))
    },
  ],
]
const byOperator = { actor: "operator", at: 0 }
const imported = (app: TestApp, user: object) => importCatalogue(app, { users: [user] }, "operator")

test.each(promotions)("a password link that an admin holds ends when its person %s", async (_, promote) => {
  await using app = await startApp()
  const admin = await givenAdmin(app)
  const person = await app.store.users.findById(await givenPerson(app, { of: "acme-audio" }))
  if (person === null) throw new Error("the test needs a person")
  const page = await (await admin.follow(`/app/o/acme-audio/members/${person.id}/reset`)).text()
  const link = /\/app\/password\/[\w-]+/.exec(page)?.[0] ?? ""
  await imported(app, { email: person.email, name: "The same rights" })
  expect((await app.fetch(link)).status).toBe(200)
  await promote(app, person)
  expect((await app.fetch(link)).status).toBe(404)
})

test("the time zone decides when a reported day ends", async () => {
  await using app = await startApp()
  const admin = await givenAdmin(app)
  const settings = "/app/o/acme-audio/settings"
  expect((await admin.post(settings, { name: "Acme", time_zone: "Mars/Olympus" })).status).toBe(422)
  await admin.edit(settings, { name: "Acme", time_zone: "America/New_York" })
  const line = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`
  await reportLine(admin, line, { impressions: "5", as_of: "2026-11-14" })
  expect(await admin.read(line)).toContain('<time datetime="2026-11-15T04:59:59.999999Z"')
})
