import { expect, test } from "bun:test"
import { issuePasswordLink } from "../../../src/actions/people/one-time-links.ts"
import { startApp } from "../../harness.ts"

test("a link for somebody who was removed meanwhile leads nowhere, and is no failure", async () => {
  await using app = await startApp()
  const path = await issuePasswordLink(app, 77, "test")
  expect((await app.fetch(path)).status).toBe(404)
})
