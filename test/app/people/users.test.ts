import { expect, test } from "bun:test"
import { startApp } from "../../harness/app.ts"
import { browse, signIn } from "../../harness/browser/browse.ts"
import { givenSeller } from "../given.ts"
import { givenPerson, linkOn, signedInBrowser, signInAs } from "./given.ts"

const USERS = "/app/operator/users"
const NEW_PASSWORD = "eight kites in june"

async function startWithOperator() {
  const app = await startApp()
  const seller = await givenSeller(app)
  const open = await signIn(app, { isOperator: true, name: "Olga", email: "olga@example.com" })
  return { app, seller, open, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test("new rights end the password and all sessions of an account, and its person sets a new password", async () => {
  await using site = await startWithOperator()
  const id = await givenPerson(site.app)
  const planted = await signedInBrowser(site.app)
  const shown = await (await site.open(`${USERS}/${id}`)).send({ isOperator: "yes" })
  expect((await planted("/app/account")).title).toStartWith("Sign in")
  expect((await signInAs(browse(site.app))).status).toBe(422)
  const ana = browse(site.app)
  await (await ana(linkOn(shown, "password"))).send({ newPassword: NEW_PASSWORD })
  expect((await ana(USERS)).status).toBe(200)
})

test("another role or fewer rights leave the password as it is", async () => {
  await using site = await startWithOperator()
  const id = await givenPerson(site.app, { organization: site.seller, role: "member" })
  const role = `role.${site.seller.id}`
  const saved = await (await site.open(`${USERS}/${id}`)).send({ [role]: "admin" })
  expect(saved.text).toContain("The rights are saved.")
  const ana = await signedInBrowser(site.app)
  expect((await ana(`${site.seller.home}/people`)).status).toBe(200)
})

test("there is always an operator, and an organization that has an admin keeps one", async () => {
  await using site = await startWithOperator()
  const id = await givenPerson(site.app, { organization: site.seller })
  const olga = await (await site.open(`${USERS}/${id - 1}`)).send({ isOperator: "" })
  expect(olga.text).toContain("This is the last operator.")
  const ana = await (await site.open(`${USERS}/${id}`)).send({ [`role.${site.seller.id}`]: "none" })
  expect(ana.text).toContain("This is the last admin of Acme Audio.")
  expect((await (await site.open(`${USERS}/${id}/delete`)).send()).text).toContain(
    "This is the last admin of Acme Audio.",
  )
  expect((await (await site.open(`${USERS}/${id - 1}/delete`)).send()).text).toContain("This is the last operator.")
})

test("the operator deletes an account, which signs its person out", async () => {
  await using site = await startWithOperator()
  const id = await givenPerson(site.app)
  const ana = await signedInBrowser(site.app)
  const deleted = await (await site.open(`${USERS}/${id}/delete`)).send()
  expect(deleted.text).toContain("The account of Ana Ruiz is deleted.")
  expect((await ana("/app/account")).title).toStartWith("Sign in")
  expect((await site.open(`${USERS}/${id}`)).status).toBe(404)
})

test("every change is listed, who made it and what it was", async () => {
  await using site = await startWithOperator()
  const id = await givenPerson(site.app, { organization: site.seller, role: "member" })
  await (await site.open(`${USERS}/${id}`)).send({ [`role.${site.seller.id}`]: "admin" })
  const changes = await site.open("/app/operator/changes")
  expect(changes.text).toContain("Olga changed what ana@example.com may do: not an operator, in 1 organization")
  expect(changes.text).toContain("Times are in")
  const found = await site.open("/app/operator/changes?q=CREATED+the+organization")
  expect(found.text).toContain("created the organization Acme Audio")
  expect(found.text).not.toContain("ana@example.com")
  expect((await site.open("/app/operator/changes?q=100%25")).text).toContain("No changes found")
})

test("a list of changes continues with older ones", async () => {
  await using site = await startWithOperator()
  const people = `${site.seller.home}/people`
  for (let i = 0; i < 51; i++)
    await site.open(people, {
      method: "POST",
      body: new URLSearchParams({ name: "Ben", email: `ben${i}@example.com`, role: "member" }),
      headers: { origin: site.app.url },
    })
  const first = await site.open("/app/operator/changes")
  expect(first.text).toContain("invited ben50@example.com")
  expect(first.text).not.toContain("invited ben0@example.com")
  const [, older = ""] = /href="([^"]*before=\d+)"/.exec(first.html) ?? []
  expect((await site.open(older)).text).toContain("invited ben0@example.com")
})

test("two operators change the same rights: the second one sees what the first one saved", async () => {
  await using site = await startWithOperator()
  const id = await givenPerson(site.app, { organization: site.seller, role: "member" })
  const role = `role.${site.seller.id}`
  const mine = await site.open(`${USERS}/${id}`)
  await (await site.open(`${USERS}/${id}`)).send({ [role]: "admin" })
  const conflict = await mine.send({ isOperator: "yes" })
  expect(conflict.text).toContain("Someone else saved this while you were editing.")
  expect(conflict.fields).toMatchObject({ [role]: "admin", isOperator: "yes" })
})
