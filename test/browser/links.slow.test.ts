import { expect } from "bun:test"
import { givenSeller } from "../app/given.ts"
import { givenPerson, linkOn } from "../app/people/given.ts"
import { startApp } from "../harness/app.ts"
import { signIn } from "../harness/browser/browse.ts"
import { openTab, problemsOf } from "../harness/browser/chromium.ts"
import { issuePasswordLink, issueSetupLink } from "../harness/inside.ts"
import { testWith } from "../harness/machine.ts"

const test = testWith("chromium")
test("the pages of links are usable at 320, 390 and 1280 pixels, light and dark", async () => {
  await using app = await startApp()
  const setup = (await issueSetupLink(app)) ?? ""
  await using tab = await openTab(app, null)
  const problems: string[] = []
  const look = async (path: string) => {
    await tab.page.goto(path)
    for (const problem of await problemsOf(tab)) problems.push(`${path} ${problem}`)
  }
  await look("/app/sign-in")
  await look(setup)

  const seller = await givenSeller(app)
  const userId = await givenPerson(app, { isOperator: true, organization: seller })
  await look((await issuePasswordLink(app, "test", userId)) ?? "")
  const open = await signIn(app, { organization: seller })
  const invited = await (await open(`${seller.home}/people`)).send({ name: "Ben", email: "ben@example.com" })
  await look(linkOn(invited, "invitation"))
  expect(problems).toEqual([])
})
