import { expect, test } from "bun:test"
import { startApp, type TestApp } from "../../harness/app.ts"
import { type BrowsedPage, browse, signIn } from "../../harness/browser/browse.ts"
import { type GivenSeller, givenSeller } from "../given.ts"
import { givenPerson, linkOn, signedInBrowser, signInAs } from "./given.ts"

const NEW_PASSWORD = "eight kites in june"
const BEN = { name: "Ben Okri", email: "ben@example.com", role: "member" }

async function startWithSeller() {
  const app = await startApp()
  const seller = await givenSeller(app)
  await givenPerson(app, { organization: seller })
  const open = await signedInBrowser(app)
  const people = `${seller.home}/people`
  return { app, seller, open, people, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const accept = async (app: TestApp, link: string): Promise<BrowsedPage> =>
  (await browse(app)(link)).send({ newPassword: NEW_PASSWORD })

test("an admin invites a person, who chooses a password and signs in", async () => {
  await using site = await startWithSeller()
  const shown = await (await site.open(site.people)).send(BEN)
  expect(shown.text).toContain("Send this link only to Ben Okri.")
  expect((await site.open(site.people)).text).toContain("Invited until")
  const link = linkOn(shown, "invitation")
  const page = await browse(site.app)(link)
  expect(page.title).toStartWith("Join Acme Audio")
  expect((await page.send({ newPassword: "qwertyuiop" })).text).toContain("Many people use this password")
  expect((await page.send({ newPassword: NEW_PASSWORD })).text).toContain("You can sign in now.")
  expect((await browse(site.app)(link)).status).toBe(404)

  const ben = browse(site.app)
  await signInAs(ben, { email: BEN.email, password: NEW_PASSWORD })
  expect((await ben(`${site.seller.home}/search`)).status).toBe(200)
  expect((await ben(site.people)).title).toStartWith("Only admins can do this")
})

test("a mailed invitation isn't shown, so the inviter can't accept it", async () => {
  await using app = await startApp({ options: { smtp: "smtp://mail.example.com:587", mailFrom: "a@example.com" } })
  const seller = await givenSeller(app)
  const open = await signIn(app, { organization: seller, name: "Ada Brandt" })
  const done = await (await open(`${seller.home}/people`)).send(BEN)
  expect(done.text).toContain("A link was mailed to ben@example.com.")
  expect(done.html).not.toContain("/app/invitation/")
  const [letter] = app.world.letters
  expect(letter?.text).toStartWith("Ada Brandt sent you this link to join Acme Audio as ben@example.com:")
  await accept(app, linkOn({ html: letter?.text ?? "" }, "invitation"))
  expect((await open(`${seller.home}/people`)).text).toContain("Ben Okri")

  app.world.mailProblem = "The mailbox is full."
  const failed = await (await open(`${seller.home}/people`)).send({ ...BEN, email: "cleo@example.com" })
  expect(failed.text).toContain("It couldn’t be mailed: The mailbox is full.")
  expect(failed.html).toContain("/app/invitation/")
})

test("inviting and accepting don't reveal whether the address has an account", async () => {
  await using site = await startWithSeller()
  await givenPerson(site.app, { email: "known@example.com" })
  const answersFor = async (email: string) => {
    const shown = await (await site.open(site.people)).send({ ...BEN, email })
    const link = linkOn(shown, "invitation")
    const accepted = await accept(site.app, link)
    const after = await browse(site.app)(link)
    return [shown.text, accepted.path, accepted.text, after.status].map((answer) =>
      String(answer).replace(/[\w.]+@example\.com|invitation\/[\w-]+/g, "…"),
    )
  }
  expect(await answersFor("known@example.com")).toEqual(await answersFor("unknown@example.com"))
})

test("accepting an invitation changes nothing about an account that exists", async () => {
  await using site = await startWithSeller()
  await givenPerson(site.app, { email: "known@example.com", name: "Known" })
  const known = await signedInBrowser(site.app, "known@example.com")
  const shown = await (await site.open(site.people)).send({ ...BEN, email: "known@example.com", role: "admin" })
  await accept(site.app, linkOn(shown, "invitation"))
  expect((await known(`${site.seller.home}/search`)).status).toBe(404)
  expect((await known("/app/account")).text).toContain("Known, known@example.com")
  expect((await signInAs(browse(site.app), { email: "known@example.com", password: NEW_PASSWORD })).status).toBe(422)
})

test("an admin of a seller can't invite into a buyer, or into any other organization", async () => {
  await using site = await startWithSeller()
  const buyer = "/app/o/acme-buyer/people"
  expect((await site.open(buyer)).status).toBe(404)
  const body = new URLSearchParams(BEN)
  const sent = await site.open(buyer, { method: "POST", body, headers: { origin: site.app.url } })
  expect(sent.status).toBe(404)
  expect((await site.open(`${site.seller.campaign}/share/people`)).status).toBe(404)
})

test("the operator adds the first people of a buyer, who then invite colleagues", async () => {
  await using app = await startApp()
  await givenSeller(app)
  const operator = await signIn(app, { isOperator: true })
  const buyer = "/app/o/acme-buyer/people"
  const shown = await (await operator(buyer)).send({ ...BEN, role: "admin" })
  await accept(app, linkOn(shown, "invitation"))
  const ben = browse(app)
  await signInAs(ben, { email: BEN.email, password: NEW_PASSWORD })
  const colleague = await (await ben(buyer)).send({ ...BEN, name: "Cleo", email: "cleo@example.com" })
  expect(colleague.text).toContain("Send this link only to Cleo.")
})

test("the operator adds an existing account, whose password and sessions end until its person opens a link", async () => {
  await using site = await startWithSeller()
  await givenPerson(site.app, { email: "planted@example.com", name: "Planted" })
  const planted = await signedInBrowser(site.app, "planted@example.com")
  const operator = await signIn(site.app, { isOperator: true })
  const shown = await (await operator(site.people)).send({ ...BEN, email: "planted@example.com" })
  expect((await planted("/app/account")).title).toStartWith("Sign in")
  expect((await signInAs(browse(site.app), { email: "planted@example.com" })).status).toBe(422)

  const owner = browse(site.app)
  await (await owner(linkOn(shown, "password"))).send({ newPassword: NEW_PASSWORD })
  expect((await owner(`${site.seller.home}/search`)).status).toBe(200)
})

test("invitations expire after three days, are withdrawn, and a newer one replaces an older one", async () => {
  await using site = await startWithSeller()
  const invite = async () => linkOn(await (await site.open(site.people)).send(BEN), "invitation")
  const [first, second] = [await invite(), await invite()]
  expect((await browse(site.app)(first)).status).toBe(404)
  expect((await browse(site.app)(second)).status).toBe(200)
  const people = await site.open(site.people)
  const [withdraw = ""] = /[^"]*\/withdraw/.exec(people.html) ?? []
  expect((await people.form(withdraw).send()).text).toContain("The invitation is withdrawn.")
  expect((await browse(site.app)(second)).status).toBe(404)

  const third = await invite()
  site.app.clock.advance({ hours: 72 })
  expect((await browse(site.app)(third)).status).toBe(404)
})

test("a member isn't invited again, and wrong fields say so", async () => {
  await using site = await startWithSeller()
  const again = await (await site.open(site.people)).send({ ...BEN, email: "ANA@example.com" })
  expect(again.text).toContain("This person is already here.")
  const wrong = await (await site.open(site.people)).send({ name: "", email: "ben", role: "owner" })
  expect(wrong.html).toContain('<a href="#name">Enter a name.</a>')
  expect(wrong.html).toContain('<a href="#email">')
  expect(wrong.html).toContain('<a href="#role">Choose a role.</a>')
  expect(wrong.control("email")).toMatchObject({ value: "ben", "aria-invalid": "true" })
})

test("an admin makes a member an admin, and removes people, but the last admin stays", async () => {
  await using site = await startWithSeller()
  const benId = await givenPerson(site.app, { ...BEN, role: "member", organization: site.seller })
  const people = await site.open(site.people)
  expect(people.html).not.toContain("Make member")
  const changed = await people.form(`${site.people}/${benId}/role`).send()
  expect(changed.text).toContain("Ben Okri is an admin now.")
  const asked = await site.open(`${site.people}/${benId}/remove`)
  expect((await asked.send()).text).toContain("Ben Okri is removed.")

  const anaId = await idOf(site.app, site.seller)
  const last = await (await site.open(`${site.people}/${anaId}/remove`)).send()
  expect(last.text).toContain("The last admin of an organization stays one.")
  const demote = { method: "POST", body: new URLSearchParams({ role: "member" }), headers: { origin: site.app.url } }
  const demoted = await site.open(`${site.people}/${anaId}/role`, demote)
  expect(demoted.text).toContain("The last admin of an organization stays one.")
  expect((await site.open(site.people)).status).toBe(200)
})

async function idOf({ database }: TestApp, { id }: GivenSeller): Promise<number> {
  const query = "SELECT user_id FROM membership WHERE organization_id = $1"
  const [row] = await database.read.rows(query, [id], { user_id: Number })
  return row?.user_id ?? 0
}
