import { expect, test } from "bun:test"
import { version } from "../../../../package.json"
import { noteVersion } from "../../../../src/actions/operations/serving.ts"
import { startApp } from "../../../harness.ts"
import { givenPerson } from "../given.ts"
import { signedIn } from "../visitor.ts"

test("the System page says which version runs, which ran before, and where to read what is new", async () => {
  await using app = await startApp()
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const shown = async () => (await operator.get("/app/operator/system")).text()
  expect(await shown()).toContain(`${version}; no server has run on this data yet`)
  await noteVersion(app, "0.0.9")
  expect(await shown()).toContain(`this program is ${version}; the last server on this data was 0.0.9`)
  await noteVersion(app, version)
  const page = await shown()
  expect(page).toContain(`${version} since 15 Nov 2026, 12:00 UTC, 0.0.9 before`)
  expect(page).not.toMatch(/\d{4}-\d\d-\d\dT|MiB/)
  expect(page).toContain('href="/docs/changelog"')
})
