import { describe, expect, test } from "bun:test"
import { startApp, type TestAppOptions } from "../../harness/app.ts"
import { signIn } from "../../harness/browser/browse.ts"
import { chooseInApp } from "../../harness/data/jobs.ts"
import { startWebhook, WEBHOOK_SECRET } from "../../harness/world/webhook.ts"

const SYSTEM = "/app/operator/system"

async function startWithOperator(options: TestAppOptions = {}) {
  const app = await startApp(options)
  const person = { isOperator: true, email: "ops@example.com" }
  const open = await signIn(app, person)
  return { app, open, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const MAIL = `${SYSTEM}/mail`
const SERVER = { host: "smtp.example.com", port: "587", user: "ads", from: "ads@example.com", fromName: "Acme" }

describe("mail", () => {
  test("is saved once a test message was accepted", async () => {
    await using site = await startWithOperator()
    const page = await site.open(MAIL)
    expect(page.fields["to"]).toBe("ops@example.com")
    site.app.world.mailProblem = "getaddrinfo ENOTFOUND"
    const refused = await page.send({ ...SERVER, password: "first-word" })
    expect(refused.text).toContain("The test message wasn’t sent, so nothing was saved. getaddrinfo ENOTFOUND")
    expect(refused.fields["host"]).toBe("smtp.example.com")
    expect(refused.html).not.toContain("first-word")
    expect((await site.open(SYSTEM)).text).toContain("Set up mail")
    site.app.world.mailProblem = null
    const saved = await refused.send({ password: "first-word" })
    expect(saved.text).toContain("Mail works: smtp.example.com accepted the test message to ops@example.com.")
    expect(site.app.world.letters.map(({ to }) => to)).toEqual(["ops@example.com"])
  })

  test("keeps the stored password if none is typed, but never for another server", async () => {
    await using site = await startWithOperator()
    const used: unknown[] = []
    const { mail } = site.app.services
    Object.assign(site.app.services, {
      mail: (server: { password: string | null }, letter: Parameters<typeof mail>[1]) => {
        used.push(server.password)
        return mail(server as Parameters<typeof mail>[0], letter)
      },
    })
    await (await site.open(MAIL)).send({ ...SERVER, password: "first-word" })
    const page = await site.open(MAIL)
    expect(page.html).not.toContain("first-word")
    expect(page.text).toContain("Leave it empty to keep the stored one.")
    await page.send({ fromName: "Acme Audio" })
    await (await site.open(MAIL)).send({ host: "smtp.evil.example" })
    expect(used).toEqual(["first-word", "first-word", null])
  })

  test.each([
    ["host", { host: "smtp example" }],
    ["port", { port: "0" }],
    ["tls", { tls: "none" }],
    ["from", { from: "ads" }],
    ["to", { to: "nobody" }],
  ])("a wrong %s is refused at its field", async (field, wrong) => {
    await using site = await startWithOperator()
    const refused = await (await site.open(MAIL)).send({ ...SERVER, ...wrong })
    expect([refused.status, refused.control(field)["aria-invalid"]]).toEqual([422, "true"])
    expect(site.app.world.letters).toEqual([])
  })

  test("an option takes precedence, and is said", async () => {
    await using site = await startWithOperator({ options: { smtp: "smtp://ads:secret-word@mail.example.com:2525" } })
    const page = await site.open(MAIL)
    expect(page.text).toContain("A server option takes precedence: mail.example.com, port 2525")
    expect(page.html).not.toContain("secret-word")
  })

  test("two people edit it: nothing is lost, and both versions are shown", async () => {
    await using site = await startWithOperator()
    await (await site.open(MAIL)).send({ ...SERVER, password: "first-word" })
    const mine = await site.open(MAIL)
    await (await site.open(MAIL)).send({ fromName: "Theirs" })
    const both = await mine.send({ fromName: "Mine" })
    expect(both.text).toContain("Someone else saved “Theirs”. You typed “Mine”.")
    expect((await both.send()).text).toContain("Mail works")
  })
})

const BUCKET = `${SYSTEM}/bucket`
const PLACE = {
  endpoint: "https://s3.example.com",
  bucket: "acme-backups",
  folder: "adbooth",
  keyId: "AK1",
  keep: "14",
}

describe("the bucket", () => {
  test("is saved once it took and returned a file, and its secret is never shown", async () => {
    await using site = await startWithOperator()
    site.app.world.bucketProblem = "Access denied."
    const refused = await (await site.open(BUCKET)).send({ ...PLACE, secretKey: "secret-word" })
    expect(refused.text).toContain("The test failed, so nothing was saved. Access denied. Check it.")
    site.app.world.bucketProblem = null
    const saved = await refused.send({ secretKey: "secret-word" })
    expect(saved.text).toContain("Backups are copied to it from now on.")
    expect(saved.text).toContain("acme-backups/adbooth at s3.example.com Chosen here")
    const page = await site.open(BUCKET)
    expect(page.html).not.toContain("secret-word")
    expect((await page.send({ keep: "7" })).text).toContain("The bucket works.")
    expect((await site.open(BUCKET)).fields["keep"]).toBe("7")
  })

  test("a stored secret is never sent to another service", async () => {
    await using site = await startWithOperator()
    await (await site.open(BUCKET)).send({ ...PLACE, secretKey: "secret-word" })
    const refused = await (await site.open(BUCKET)).send({ endpoint: "https://s3.evil.example" })
    expect(refused.text).toContain("Enter the secret of this access key.")
  })

  test("can be turned off", async () => {
    await using site = await startWithOperator()
    await (await site.open(BUCKET)).send({ ...PLACE, secretKey: "secret-word" })
    expect((await (await site.open(`${BUCKET}/off`)).send()).text).toContain("Backups are no longer copied.")
    expect((await site.open("/app/operator/changes")).text).toContain("removed the bucket for backups")
  })
})

const ALERTS = `${SYSTEM}/alerts`

describe("alerts", () => {
  test("go to the chosen addresses, about the chosen kinds", async () => {
    await using site = await startWithOperator({ options: { smtp: "smtp://mail.example.com" } })
    const page = await site.open(ALERTS)
    const wrong = await page.send({ to: "ops@example.com, nobody", disk: "much" })
    expect(wrong.text).toContain("“nobody” isn’t an email address.")
    expect(wrong.text).toContain("Enter a whole number of megabytes.")
    const saved = await wrong.send({ to: "ops@example.com, ada@example.com", kinds: "disk_low", disk: "500" })
    expect(saved.fields).toMatchObject({ to: "ops@example.com, ada@example.com", disk: "500" })
    expect(saved.text).toContain("1 chosen")
    const tested = await saved.form(`${ALERTS}/test`).send()
    expect(tested.text).toContain("The test was sent to ops@example.com, ada@example.com.")
    expect(site.app.world.letters[0]?.to).toBe("ops@example.com, ada@example.com")
  })

  test("go to a webhook, whose new secret is shown once and whose path is never shown", async () => {
    await using site = await startWithOperator()
    using receiver = startWebhook(site.app.clock)
    const shown = await (await site.open(ALERTS)).send({ webhookUrl: receiver.url })
    expect(shown.html).toMatch(/whsec_[\w+/=]{40,}/)
    const page = await site.open(ALERTS)
    expect(page.html).not.toMatch(/whsec_[\w+/=]{40,}/)
    expect(page.html).not.toContain("secret-path")
    // Without a new URL and secret, the stored ones stay.
    await page.send({ disk: "500", webhookSecret: WEBHOOK_SECRET })
    await (await site.open(ALERTS)).form(`${ALERTS}/test`).send()
    expect(receiver.calls).toHaveLength(1)
    await (await site.open(ALERTS)).send({ removeWebhook: "yes" })
    expect((await site.open(SYSTEM)).text).toContain("Set up alerts")
  })

  test("an option for the addresses takes precedence, and the rest can be chosen", async () => {
    const options = { smtp: "smtp://mail.example.com", alertTo: ["box@example.com"] }
    await using site = await startWithOperator({ options })
    const page = await site.open(ALERTS)
    expect(page.text).toContain("A server option takes precedence: box@example.com")
    expect((await page.send({ disk: "700" })).fields["disk"]).toBe("700")
    expect((await site.open(SYSTEM)).text).toContain("box@example.com Set by a server option")
  })
})

const HTTPS = `${SYSTEM}/https`

describe("HTTPS", () => {
  test("a domain that isn't one, and one without an address, are refused", async () => {
    await using site = await startWithOperator()
    const page = await site.open(HTTPS)
    expect((await page.send({ domains: "acme" })).text).toContain("Enter a domain of your own")
    expect((await page.send({ domains: "ads.acme.invalid" })).text).toContain("ads.acme.invalid has no address yet.")
  })

  test("an option, a certificate of one's own and PostgreSQL decide it elsewhere", async () => {
    await using site = await startWithOperator({ options: { domain: ["ads.example.com"] } })
    const page = await site.open(HTTPS)
    expect(page.text).toContain("A server option takes precedence: ads.example.com")
    await using own = await startWithOperator({ options: { tlsCert: "/etc/cert.pem" } })
    expect((await own.open(HTTPS)).text).toContain("The server uses the certificate set with --tls-cert")
  })

  test("can be turned off", async () => {
    await using site = await startWithOperator()
    await chooseInApp(site.app, "https", { domains: ["ads.example.com"], email: null })
    expect((await site.open(HTTPS)).fields["domains"]).toBe("ads.example.com")
    expect((await (await site.open(`${HTTPS}/off`)).send()).text).toContain("HTTPS is off.")
  })
})
