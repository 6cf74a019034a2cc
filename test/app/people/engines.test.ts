import { expect, test } from "bun:test"
import { startApp } from "../../harness/app.ts"
import { browse, signIn } from "../../harness/browser/browse.ts"
import { eachEngine } from "../../harness/store.ts"
import { givenLine, givenSeller } from "../given.ts"
import { linkOn, PASSWORD, signInAs } from "./given.ts"

eachEngine((engine) => {
  test("people, keys, settings, search and changes work", async () => {
    await using app = await startApp({ engine })
    const seller = await givenSeller(app)
    const packageId = await givenLine(app, seller)
    const { home } = seller
    const open = await signIn(app, { organization: seller, isOperator: true })

    const shown = await (await open(`${home}/people`)).send({ name: "Ben", email: "ben@example.com", role: "admin" })
    await (await browse(app)(linkOn(shown, "invitation"))).send({ newPassword: PASSWORD })
    const ben = browse(app)
    await signInAs(ben, { email: "ben@example.com" })
    await (await ben(`${home}/settings`)).send({ address: "Hafen 1" })
    const key = await (await ben(`${home}/keys`)).send({ label: "Ad server" })
    expect(key.title).toStartWith("Your new key")

    expect((await ben(`${home}/search?q=${packageId.slice(0, 8)}`)).text).toContain("Pre-roll")
    const changes = await open("/app/operator/changes?q=API+KEY")
    expect(changes.text).toContain("Ben created the API key")
    for (const path of [
      `${home}/people`,
      `${home}/keys`,
      "/app/account",
      "/app/operator/users/1",
      "/app/operator/users",
    ])
      expect([path, (await open(path)).status]).toEqual([path, 200])
    const missing = ["/app/operator/users/x", "/app/operator/users/99999", `${home}/people/x/remove`]
    for (const path of missing) expect([path, (await open(path)).status]).toEqual([path, 404])
    const end = { method: "POST", headers: { origin: app.url } }
    for (const path of ["/app/account/sessions/x/end", `${home}/people/invitations/x/withdraw`])
      expect([path, (await open(path, end)).status]).toEqual([path, 404])
    expect(app.logged.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })
})
