import { expect, test } from "bun:test"
import { startApp } from "../../harness/app.ts"
import { signIn } from "../../harness/browser/browse.ts"
import { givenLine, givenSeller } from "../given.ts"

async function startWithSeller() {
  const app = await startApp()
  const seller = await givenSeller(app)
  const open = await signIn(app, { organization: seller })
  const settings = `${seller.home}/settings`
  return { app, seller, open, settings, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

// A picture of one pixel.
const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
)
const picture = (bytes: Uint8Array, name: string) => new File([new Uint8Array(bytes)], name)

test("a logo is shown as a picture that can't do harm, whatever its file is called", async () => {
  await using site = await startWithSeller()
  const page = await site.open(site.settings)
  const saved = await page.form(`${site.settings}/logo`).send({ logo: picture(PNG, "logo.svg") })
  expect(saved.text).toContain("The logo is saved.")
  const logo = await site.open(`${site.seller.home}/logo`)
  expect(logo.headers.get("content-type")).toBe("image/png")
  expect(logo.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox")
  const removed = await (await site.open(site.settings)).form(`${site.settings}/logo/remove`).send()
  expect(removed.text).toContain("The logo is removed.")
  expect((await site.open(`${site.seller.home}/logo`)).status).toBe(404)
})

test("a file that isn't a small picture is refused at its field", async () => {
  await using site = await startWithSeller()
  const form = (await site.open(site.settings)).form(`${site.settings}/logo`)
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const refused = await form.send({ logo: picture(svg, "logo.png") })
  expect(refused.html).toContain('<a href="#logo">Choose a PNG, JPEG or WebP picture.')
  const large = new Uint8Array(256 * 1024 + 1)
  large.set(PNG)
  expect((await form.send({ logo: picture(large, "logo.png") })).text).toContain("at most 256 KB")
  expect((await form.send({ logo: new File([], "") })).text).toContain("Choose a picture.")
  expect((await form.send({ logo: picture(new Uint8Array(400_000), "logo.png") })).status).toBe(413)
})

test("two people edit the settings: nothing is lost, and both versions are shown", async () => {
  await using site = await startWithSeller()
  const other = await signIn(site.app, { organization: site.seller })
  const mine = await site.open(site.settings)
  await (await other(site.settings)).send({ name: "Acme Radio", address: "Hafen 1\n20095 Hamburg" })
  const conflict = await mine.send({ name: "Acme Sound" })
  expect(conflict.status).toBe(422)
  expect(conflict.text).toContain("Someone else saved “Acme Radio”. You typed “Acme Sound”.")
  expect(conflict.fields["address"]).toBe("Hafen 1\n20095 Hamburg")
  expect((await conflict.send()).text).toContain("The settings are saved.")
  expect((await site.open(site.settings)).fields).toMatchObject({
    name: "Acme Sound",
    address: "Hafen 1\n20095 Hamburg",
  })
})

test("a new time zone is asked about first, and is found by its city", async () => {
  await using site = await startWithSeller()
  await givenLine(site.app, site.seller)
  const page = await site.open(site.settings)
  expect((await page.send({ timeZone: "Springfield" })).text).toContain("Enter a city or a time zone")
  const asked = await page.send({ timeZone: "new york" })
  expect(asked.text).toContain("Days will end at a different time")
  const box = asked.control("confirm.timeZone")["value"] ?? ""
  expect((await asked.send({ "confirm.timeZone": box })).text).toContain("The settings are saved.")
  expect((await site.open(site.settings)).fields["timeZone"]).toBe("America/New_York")
})

test("an organization is deleted only if nothing depends on it", async () => {
  await using site = await startWithSeller()
  const operator = await signIn(site.app, { isOperator: true })
  const inUse = await (await operator("/app/o/acme-buyer/settings/delete")).send()
  expect(inUse.text).toContain("Fernweh Travel still has campaigns")
  const created = await (await operator("/app/operator/organizations")).send({
    name: "Möwe & Söhne",
    timeZone: "Vienna",
  })
  expect(created.path).toBe("/app/o/mowe-sohne/people")
  const deleted = await (await operator("/app/o/mowe-sohne/settings/delete")).send()
  expect(deleted.text).toContain("Möwe & Söhne is deleted.")
  expect((await operator("/app/o/mowe-sohne/people")).status).toBe(404)
})

test("an organization needs a free slug", async () => {
  await using app = await startApp()
  await givenSeller(app)
  const operator = await signIn(app, { isOperator: true })
  const form = await operator("/app/operator/organizations")
  const answerTo = async (fields: Record<string, string>) => (await form.send({ timeZone: "UTC", ...fields })).text
  expect(await answerTo({ name: "Acme" })).toContain("Another organization has this slug.")
  expect(await answerTo({ name: "Acme", slug: "Acme Audio" })).toContain("Enter a slug of lower-case letters")
  expect(await answerTo({ name: "日本", slug: "" })).toContain("Enter a slug of lower-case letters")
})

test("the first operator sets up the first organization and becomes its admin", async () => {
  await using app = await startApp()
  const operator = await signIn(app, { isOperator: true })
  const page = await operator("/app")
  expect(page.path).toBe("/app/set-up")
  expect((await page.send({ name: "", timeZone: "Berlin" })).html).toContain('<a href="#name">Enter a name.</a>')
  const next = await page.send({ name: "Lighthouse Audio", timeZone: "Berlin" })
  expect(next.path).toBe("/app/o/lighthouse-audio/new-campaign?set-up")
  const last = await next.send({ buyer: "Fernweh Travel", name: "Autumn", lineName: "Pre-roll", booked: "1000" })
  expect(last.path).toBe("/app/o/lighthouse-audio/set-up")
  expect(last.text).toContain("Connect your ad server")
  expect((await operator("/app/o/lighthouse-audio/people")).text).toContain("Ada Brandt")
  expect((await operator("/app/set-up")).status).toBe(404)
})

test("a key is shown once, to the session that made it, and revoking it asks first", async () => {
  await using site = await startWithSeller()
  const keys = `${site.seller.home}/keys`
  const shown = await (await site.open(keys)).send({ label: "Ad server" })
  expect(shown.path).toBe("/app/once")
  expect(shown.headers.get("cache-control")).toBe("no-store")
  const [key = ""] = /abi_[0-9A-Za-z]{38}/.exec(shown.html) ?? []
  expect(key).not.toBe("")
  expect(shown.text).toContain(`Authorization: Bearer ${key}`)
  expect((await site.open("/app/once")).html).not.toContain(key)

  const list = await site.open(keys)
  expect(list.text).toContain(`${key.slice(0, 12)}…`)
  expect(list.html).not.toContain(key)
  const revoked = await (await site.open(`${keys}/${key.slice(0, 12)}/revoke`)).send()
  expect(revoked.text).toContain("“Ad server” is revoked and no longer works.")
  expect((await site.open(`${keys}/${key.slice(0, 12)}/revoke`)).status).toBe(404)
})

test("the cookie of a secret is worth nothing to another session", async () => {
  await using site = await startWithSeller()
  const sent: string[] = []
  const spied = {
    ...site.app,
    async fetch(path: string, init?: RequestInit) {
      const response = await site.app.fetch(path, init)
      sent.push(...response.headers.getSetCookie())
      return response
    },
  }
  const open = await signIn(spied, { organization: site.seller })
  await (await open(`${site.seller.home}/keys`)).send({ label: "Ad server" })
  const secret = sent.map((cookie) => /^adbooth_once=([^;]+)/.exec(cookie)?.[1]).find((value) => value !== undefined)
  const cookies = { adbooth_once: secret ?? "" }
  const other = await signIn(site.app, { organization: site.seller, cookies })
  const page = await other("/app/once")
  expect(secret).toBeString()
  expect(page.title).toStartWith("This was shown only once")
  expect(page.html).not.toMatch(/abi_[0-9A-Za-z]{38}/)
})
