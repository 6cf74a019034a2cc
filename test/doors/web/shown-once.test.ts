import { expect, test } from "bun:test"
import { startApp } from "../../harness.ts"
import { givenMarket, givenPerson } from "./given.ts"
import { signedIn } from "./visitor.ts"

test("a new key has a page of its own, which shows it once and which reloading does not repeat", async () => {
  await using app = await startApp()
  await givenMarket(app)
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const made = await admin.post("/app/o/acme-audio/keys", { label: "Ad server" })
  const address = made.headers.get("location") ?? ""
  const shown = await admin.get(address)
  expect(shown.headers.get("cache-control")).toBe("no-store")
  expect(await shown.text()).toContain("Ad server")
  expect(await admin.read(address)).toContain("This was shown only once")
  const organization = await app.store.organizations.findBySlug("acme-audio")
  expect(await app.store.ingestKeys.list(organization?.id ?? 0)).toHaveLength(1)
})
