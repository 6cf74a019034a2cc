import { expect, test } from "bun:test"
import { startApp } from "../../harness/app.ts"
import { type Browse, browse } from "../../harness/browser/browse.ts"
import { merge } from "../../harness/inside.ts"
import { givenSeller } from "../given.ts"
import { givenPerson, PASSWORD, signedInBrowser } from "./given.ts"

async function startWithSeller() {
  const app = await startApp()
  const seller = await givenSeller(app)
  await givenPerson(app, { organization: seller, isOperator: true })
  const open = await signedInBrowser(app)
  return { app, seller, open, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const signInOn = async (page: Awaited<ReturnType<Browse>>) =>
  page.send({ email: "ana@example.com", password: PASSWORD })

test("a form that was sent after the session expired comes back after signing in, and isn't saved", async () => {
  await using site = await startWithSeller()
  const settings = `${site.seller.home}/settings`
  const form = await site.open(settings)
  site.app.clock.advance({ hours: 15 * 24 })
  const asked = await form.send({ name: "Acme <Radio>", address: "Hafen 1\r\n20095 Hamburg" })
  expect(asked.text).toContain("Your session has expired, and nothing was saved.")

  const again = await signInOn(asked)
  expect(again.text).toContain("You’re signed in again, and nothing is saved yet.")
  expect(again.fields).toMatchObject({ name: "Acme <Radio>", address: "Hafen 1\n20095 Hamburg" })
  expect((await site.open(settings)).fields["name"]).toBe("Acme Audio")
  expect((await again.send()).text).toContain("The settings are saved.")
  expect((await site.open(settings)).fields["name"]).toBe("Acme <Radio>")
})

test("a form that another person changed in the meantime still shows both versions", async () => {
  await using site = await startWithSeller()
  const settings = `${site.seller.home}/settings`
  const form = await site.open(settings)
  const other = await signedInBrowser(site.app)
  await (await other(settings)).send({ name: "Acme Sound" })
  site.app.clock.advance({ hours: 15 * 24 })
  const again = await signInOn(await form.send({ name: "Acme Radio" }))
  expect((await again.send()).text).toContain("Someone else saved “Acme Sound”. You typed “Acme Radio”.")
})

test("passwords and codes aren't kept", async () => {
  await using site = await startWithSeller()
  const account = (await site.open("/app/account")).form("/app/account/password")
  site.app.clock.advance({ hours: 15 * 24 })
  const asked = await account.send({ password: PASSWORD, newPassword: "eight kites in june" })
  expect(asked.html).not.toContain("eight kites")
  expect(asked.html).not.toContain(PASSWORD)
})

test("a form that is too long to keep says so, and leads back to its page", async () => {
  await using site = await startWithSeller()
  const settings = `${site.seller.home}/settings`
  const form = await site.open(settings)
  site.app.clock.advance({ hours: 15 * 24 })
  const asked = await form.send({ address: "x".repeat(66_000) })
  expect(asked.text).toContain("What you sent is too long to keep")
  expect((await signInOn(asked)).path).toBe(settings)
})

test("after signing in as a person who may not open the page, a message says that it can't be shown", async () => {
  await using site = await startWithSeller()
  await givenPerson(site.app, { email: "ben@example.com" })
  const form = await site.open(`${site.seller.home}/settings`)
  site.app.clock.advance({ hours: 15 * 24 })
  const asked = await form.send({ name: "Acme Radio" })
  const page = await asked.send({ email: "ben@example.com", password: PASSWORD })
  expect(page.text).not.toContain("Acme Radio")
})

test("a button that was pressed after the session expired does nothing after signing in", async () => {
  await using site = await startWithSeller()
  const benId = await givenPerson(site.app, { email: "ben@example.com", organization: site.seller, role: "member" })
  const people = `${site.seller.home}/people`
  const button = (await site.open(people)).form(`${people}/${benId}/role`)
  site.app.clock.advance({ hours: 15 * 24 })
  const page = await signInOn(await button.send())
  expect(page.path).toBe(people)
  expect(page.text).toContain("Nothing was saved.")
  expect(page.html).toContain("Make admin: Ana") // Ben is still a member, so nothing changed for anybody.
})

test("a made-up kept form opens no page of another server and saves nothing", async () => {
  await using site = await startWithSeller()
  const stranger = browse(site.app)
  for (const path of ["https://evil.example/", "//evil.example/app/", "/docs", "/app/../../etc"]) {
    const kept = JSON.stringify({ path, texts: { name: "x" } })
    const page = await (await stranger("/app/sign-in")).send({ email: "ana@example.com", password: PASSWORD, kept })
    expect(page.path).toStartWith("/app")
    await stranger("/app/sign-out", { method: "POST", headers: { origin: site.app.url } })
  }
})

test.each([
  ["nobody changed it", "a", "a", "a", "a", undefined],
  ["only you changed it", "b", "a", "a", "b", undefined],
  ["only they changed it", "a", "a", "c", "c", undefined],
  ["both changed it to the same", "b", "a", "b", "b", undefined],
  ["both changed it", "b", "a", "c", "b", "Someone else saved “c”. You typed “b”."],
  ["you emptied what they changed", "", "a", "c", "", "Someone else saved “c”. You typed nothing."],
  ["the form didn’t send it", undefined, "a", "c", "c", undefined],
])("merging a field: %s", (_, mine, began, theirs, text, error) => {
  const merged = merge(mine === undefined ? {} : { field: mine }, { field: began }, { field: theirs })
  expect(merged.texts["field"]).toBe(text)
  expect(merged.errors["field"]).toBe(error)
})
