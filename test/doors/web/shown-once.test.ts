import { expect, test } from "bun:test"
import { openSession } from "../../../src/actions/people/sessions.ts"
import { SESSION_COOKIE } from "../../../src/doors/web/cookies.ts"
import { ONCE_COOKIE } from "../../../src/doors/web/one-time-secret.tsx"
import { givenPerson, startMarket } from "./given.ts"
import { signedIn, visitor } from "./visitor.ts"

test("a new key has a page of its own, which shows it once and which reloading does not repeat", async () => {
  await using app = await startMarket()
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

test("only the session that made it can show it: not whoever signs in next with the same browser, nor after signing out", async () => {
  await using app = await startMarket()
  const id = await givenPerson(app, { of: "acme-audio", role: "admin" })
  const admin = await signedIn(app, id)
  const made = await admin.post("/app/o/acme-audio/keys", { label: "Ad server" })
  const address = made.headers.get("location") ?? ""
  const [once = "", session = ""] = [ONCE_COOKIE, SESSION_COOKIE].map((name) => admin.cookie(name))
  const { token } = await openSession(app, id, null)
  const next = visitor(
    app,
    new Map([
      [ONCE_COOKIE, once],
      [SESSION_COOKIE, token],
    ]),
  )
  expect(await next.read(address)).toContain("This was shown only once")
  // Nor one that somebody made up, or changed.
  for (const value of [once.split(".")[0] ?? "", `x${once}`, "e30.e30"]) {
    const forged = visitor(
      app,
      new Map([
        [ONCE_COOKIE, value],
        [SESSION_COOKIE, session],
      ]),
    )
    expect(await forged.read(address)).toContain("This was shown only once")
  }
  await admin.post("/app/sign-out")
  expect(admin.cookie(ONCE_COOKIE)).toBeUndefined()
})
