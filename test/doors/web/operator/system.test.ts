import { expect, test } from "bun:test"
import { startApp } from "../../../harness.ts"
import { givenPerson } from "../given.ts"
import { signedIn } from "../visitor.ts"

test("the system page says how long the server runs, and how much of the disk is free", async () => {
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await olga.read("/app/operator/system")).toContain("up for less than an hour")
  app.clock.advance({ days: 2 })
  const html = await olga.read("/app/operator/system")
  expect(html).toContain("up for 2 days")
  expect(html).toContain("1,000 GB")
  expect(html).toContain("of 4,000 GB free")
})

test("the system page shows every setting that was chosen, where it comes from, and no secret", async () => {
  const webhook = { alertWebhook: "https://hooks.example.com/T0KEN", alertWebhookSecret: "0123456789abcdef-SECRET" }
  await using app = await startApp({ options: { limitIngest: "77", ...webhook } })
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const html = await olga.read("/app/operator/system")
  expect(html).toMatch(/--limit-ingest<.*?>77<.*?>option</s)
  expect(html).not.toContain("--limit-agent-keyed")
  expect(html).not.toMatch(/T0KEN|SECRET/)
})

test("daily backups are scheduled with one press", async () => {
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const shown = await olga.read("/app/operator/system")
  expect(shown).toMatch(/Backups are not scheduled.*Back up every day/s)
  const seen = /name="seen" value="([^"]*)"/.exec(shown)?.[1] ?? ""
  const answer = await olga.follow("/app/operator/system/backups/daily", { seen })
  const html = await answer.text()
  expect(html).toContain("A backup is made every day.")
  expect(html).not.toContain("Backups are not scheduled")
  // The page was open while somebody chose something else.
  const later = await olga.read("/app/operator/system")
  const now = /name="seen" value="([^"]*)"/.exec(later)?.[1] ?? ""
  await olga.follow("/app/operator/system/backups/schedule", { every: "never", keep: "3", seen: now })
  const late = await olga.follow("/app/operator/system/backups/daily", { seen: now })
  expect(await late.text()).toMatch(/Someone else has chosen a schedule.*Backups are not scheduled/s)
})

test("alerts are set up with one press where there is a mail server, and everything is checked on demand", async () => {
  await using app = await startApp({
    options: { smtp: "smtp://127.0.0.1:9?tls=no", mailFrom: "ads@example.com" },
  })
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const [, to = ""] = /name="to" type="email"[^>]*value="([^"]*)"/.exec(await olga.read("/app/operator/system")) ?? []
  const answer = await olga.follow("/app/operator/system/alerts", { to, kinds: "disk_low" })
  const html = await answer.text()
  expect(html).not.toContain("No alerts are set up")
  expect(html).toContain(`To ${to}`)
  expect(await olga.read("/app/operator/system?open=checks")).toMatch(/<details class="fold" id="checks" open/)
})

test("what was chosen about alerts stays stored while options of the server go first, whatever else of the form is saved", async () => {
  const form = "/app/operator/system/alerts"
  const chosen = {
    to: "ops@example.com",
    url: "https://hooks.example.com/T0KEN",
    secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZi1TRUNSRVQtU0VDUkVU",
  }
  await using plain = await startApp()
  const person = await givenPerson(plain, { isOperator: true })
  const olga = await signedIn(plain, person)
  await olga.post(form, { ...chosen, kinds: "disk_low" })
  const webhook = { alertWebhook: "https://hooks.example.com/other", alertWebhookSecret: "0123456789abcdef-OTHER" }
  const mail = { smtp: "smtp://127.0.0.1:9?tls=no", mailFrom: "ads@example.com", alertTo: "boss@example.com" }
  await using pinned = await startApp({ beside: plain, options: { ...webhook, ...mail } })
  const there = await signedIn(pinned, person)
  await there.post(form, { kinds: "backup_failed" })
  // With a form from before the restart.
  await there.post(form, { kinds: "backup_failed", to: "", url: "" })
  const shown = await olga.read(form)
  expect(shown).toContain(`value="${chosen.to}"`)
  expect(shown).toContain(`value="${chosen.url}"`)
  expect(shown).toMatch(/value="backup_failed" checked/)
})

test("HTTPS is set up for domains that a certificate can be had for, and nothing else", async () => {
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  for (const domain of [
    "10.0.0.1",
    "::1",
    "localhost",
    "ads.example.org:443",
    "https://ads.example.org",
    "a.example 10.0.0.1",
  ]) {
    const answer = await olga.post("/app/operator/system/https", { domain, terms: "yes", anyway: "yes" })
    const page = await answer.text()
    expect([domain, answer.status, page]).toEqual([
      domain,
      422,
      expect.stringContaining(
        "Enter a domain such as ads.example.com: no IP address, no name without a dot, no scheme or port.",
      ),
    ])
  }
})
