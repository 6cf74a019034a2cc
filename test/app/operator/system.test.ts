import { expect, test } from "bun:test"
import { startApp, type TestAppOptions } from "../../harness/app.ts"
import { signIn } from "../../harness/browser/browse.ts"
import { chooseInApp, noteAs } from "../../harness/data/jobs.ts"

const SYSTEM = "/app/operator/system"

async function startWithOperator(options: TestAppOptions = {}) {
  const app = await startApp(options)
  const open = await signIn(app, { isOperator: true })
  return { app, open, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test("a server without problems says so, with every check and the version", async () => {
  await using site = await startWithOperator()
  const { text, status } = await site.open(SYSTEM)
  expect(status).toBe(200)
  expect(text).toContain("All checks passed.")
  expect(text).not.toContain("Needs your attention")
  for (const check of ["Database", "Migrations", "Disk", "Backup", "Alerts", "Encryption", "Proxy"])
    expect(text).toContain(`${check} OK`)
  expect(text).toMatch(/Adbooth 0\.1\.0 Commit \w+, Bun [\d.]+ Database SQLite [\d.]+/)
  expect(text).toContain("No copy from before an upgrade is kept.")
})

test("a problem is listed with its advice and the page that solves it, and the menu counts it", async () => {
  await using site = await startWithOperator()
  await noteAs(site.app, "note.mail", { sentAt: null, problem: "535 Authentication failed." })
  const { text, html } = await site.open(SYSTEM)
  expect(text).toContain("1 problem to solve.")
  expect(text).toContain("535 Authentication failed. No mail was sent yet. Enter the password again.")
  expect(html).toContain(`href="${SYSTEM}/mail" aria-label="Mail: Mail"`)
  expect(html).toMatch(/System<span class="badge warn[^>]*>1/)
})

test("what is in force is shown with where it comes from, and an option takes precedence", async () => {
  await using site = await startWithOperator({ options: { backupEvery: 21_600_000_000 } })
  const server = { smtp: "smtp://ads:secret-word@smtp.example.com:587", from: "ads@example.com", fromName: "Acme" }
  await chooseInApp(site.app, "secret.mail", server)
  await chooseInApp(site.app, "backups", { every: null, keep: 3 })
  const { text, html } = await site.open(SYSTEM)
  expect(text).toContain("Every 6 hours, 3 copies kept Set by a server option")
  expect(text).toContain("ads@example.com by smtp.example.com, port 587 Chosen here")
  expect(text).toContain("Backups elsewhere Not set up")
  expect(html).not.toContain("secret-word")
})

test("refused requests of the last day are counted by reason", async () => {
  await using site = await startWithOperator()
  const refuse = () => site.app.fetch("/api/ingest/delivery/metrics", { method: "POST", body: "{}" })
  for (let count = 0; count < 3; count++) await refuse()
  expect((await site.open(SYSTEM)).text).toContain("Ingest API No valid key. 401 3")
  site.app.clock.advance({ hours: 30 })
  expect((await site.open(SYSTEM)).text).toContain("Refused requests in the last day None.")
})
