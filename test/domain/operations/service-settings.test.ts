import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { resolveSettings } from "../../../src/config.ts"
import {
  InvalidSetting,
  maskedSmtp,
  maskedWebhook,
  readSmtpUrl,
  readWebhookUrl,
} from "../../../src/domain/operations/service-settings.ts"

describe("the settings of alerts", () => {
  test.each([
    ["smtp://mail.example.com", { host: "mail.example.com", port: 587, tls: "starttls", user: null, password: null }],
    ["smtps://a%40b:p%2F%40%3A@mail.example.com", { port: 465, tls: "implicit", user: "a@b", password: "p/@:" }],
    ["smtp://localhost?tls=no", { port: 25, tls: "none" }],
    ["smtp://[::1]:2525/?tls=no", { host: "::1", port: 2525 }],
  ])("a mail server is read from %s", (url, server) => {
    expect(readSmtpUrl(url)).toMatchObject(server)
  })

  test.each([
    "mail.example.com",
    "https://mail.example.com",
    "smtp://",
    "smtp://host/path",
    "smtp://host?tls=yes",
    "smtp://me:pw@host?tls=no",
    "smtp://me:%zz@host",
    "smtp://host:99999",
  ])("%s is not one, and the complaint says nothing of a password", (url) => {
    const read = readSmtpUrl(url)
    expect(read).toBeInstanceOf(InvalidSetting)
    expect((read as InvalidSetting).sentence).not.toContain("zz")
  })

  test("a webhook is an http or https address without a user", () => {
    expect(readWebhookUrl("https://hooks.example.com/a?b=c")).toBe("https://hooks.example.com/a?b=c")
    for (const url of ["ftp://x", "hooks", "https://a:b@x/", "https://x/#y"])
      expect(readWebhookUrl(url)).toBeInstanceOf(InvalidSetting)
  })

  test("nothing secret is ever shown, valid or not", () => {
    const secret = "s3cr3t-T0KEN"
    const shapes = [
      `smtp://me:${secret}@mail.example.com`,
      `smtp://me:${secret}@mail/example.com`,
      `smtp:me:${secret}@mail`,
      `smtps://me:a@${secret}@b`,
      `smtp://me:${secret}`,
      `smtp://me:///${secret}@mail.example.com`,
      secret,
    ]
    for (const shape of shapes) expect(maskedSmtp(shape)).not.toContain(secret)
    for (const shape of [`https://x.com/${secret}`, `https://x.com/?t=${secret}`, `ftp://x/${secret}`, secret])
      expect(maskedWebhook(shape)).not.toContain(secret)
    const texts = fc.array(fc.constantFrom("@", ":", "/", "//", "?tls=no", "#", "%40", "%", " ", "x"))
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const given = `smtp://me:${before.join("")}${secret}${after.join("")}@mail.example.com`
        expect(maskedSmtp(given)).not.toContain(secret)
      }),
    )
  })

  test.each([
    [{ alertTo: "a@example.com" }, "--alert-to needs the mail server"],
    [{ alertWebhook: "https://x.com" }, "--alert-webhook needs a secret"],
    [{ alertWebhook: "https://x.com", alertWebhookSecret: "short-one" }, "must be whsec_"],
    [{ smtp: "smtp://me:hunter2@x/y", alertTo: "a@example.com" }, "nothing after the port"],
    [{ alertTo: "a@example.com,b", smtp: "smtp://x" }, "must be email addresses"],
    [{ alertAllowPrivate: "all" }, "networks such as"],
  ])("settings that do not fit are refused: %#", (options, problem) => {
    const { problems } = resolveSettings(options, {})
    expect(problems.join(" ")).toContain(problem)
    expect(problems.join(" ")).not.toMatch(/hunter2|short-one/)
  })

  test.each([
    ["ADBOOTH_BACKUP_KEY_FILE", "AKID:hunter2"],
    ["ADBOOTH_DATABASE_URL_FILE", "postgres://me:hunter2@db/ads"],
    ["ADBOOTH_SMTP_FILE", "smtp://me:hunter2@mail.example.com"],
    ["ADBOOTH_BACKUP_TO", "s3://AKID:hunter2@my-backups/adbooth"],
    ["ADBOOTH_BACKUP_TO", "s3://AKID:hun/ter2hunter2@my-backups/adbooth"],
    ["ADBOOTH_BACKUP_ENDPOINT", "https://AKID:hunter2@s3.example.com"],
    ["ADBOOTH_PUBLIC_URL", "https://me:hunter2@ads.example.com"],
    ["ADBOOTH_ALLOW_ORIGIN", "https://a.example,https://me:hunter2@b.example"],
    ["ADBOOTH_ACME_DIRECTORY", "https://me:hunter2@acme.example/directory"],
    ["ADBOOTH_DATABASE_URL", "mysql://me:hunter2@db/ads"],
    ["ADBOOTH_ALERT_WEBHOOK", "https://me:hunter2@hooks.example.com"],
  ])("a password that was put into %s, where it does not belong, is not repeated: %s", (variable, value) => {
    const { problems, settings, warnings } = resolveSettings({}, { [variable]: value })
    expect(JSON.stringify({ problems, settings, warnings })).not.toContain("hunter2")
  })

  test("are off unless they are set, and come from the environment too", () => {
    expect(resolveSettings({}, {})).toMatchObject({
      config: { smtp: null, alertTo: [], alertWebhook: null },
      problems: [],
    })
    const environment = {
      ADBOOTH_SMTP: "smtp://me:hunter2@mail.example.com",
      ADBOOTH_ALERT_TO: "a@example.com, b@example.com",
      ADBOOTH_ALERT_WEBHOOK: "https://hooks.example.com/T0KEN",
      ADBOOTH_ALERT_WEBHOOK_SECRET: "0123456789abcdef",
    }
    const { config, settings, problems } = resolveSettings({}, environment)
    expect(problems).toEqual([])
    expect(config.alertTo).toEqual(["a@example.com", "b@example.com"])
    expect(settings).toMatchObject({
      smtp: { text: "smtp://me:***@mail.example.com" },
      alertWebhook: { text: "https://hooks.example.com/***" },
      alertWebhookSecret: { text: "***" },
    })
  })
})

test("variables that are no settings are named, those of scripts and tests are not", () => {
  const environment = { ADBOOTH_PROT: "1", ADBOOTH_KEY: "k", ADBOOTH_KEY_ACME: "k", ADBOOTH_TEST_X: "1" }
  expect(resolveSettings({}, environment).warnings).toEqual([
    'There is no setting ADBOOTH_PROT; it is ignored. "adbooth doctor --settings" lists them.',
  ])
})

describe("settings of earlier builds", () => {
  test("what is chosen in the app now is handed over to be stored, from options, variables and files, and named", () => {
    const file = `${import.meta.dir}/../../fixtures/exports/none.txt`
    const environment = { ADBOOTH_CALL_LOG_DAYS: "90", ADBOOTH_PUBLISH_ADAGENTS: "News.example, b.example" }
    const { moved, problems, warnings } = resolveSettings({ alertDiskMb: "2,048", callLogDays: "60" }, environment)
    expect([moved, problems]).toEqual([
      { call_log_days: "60", alert_disk_mb: "2048", adagents_domains: "news.example,b.example" },
      [],
    ])
    expect(warnings).toEqual(
      [
        ["--alert-disk-mb", "System, Alerts"],
        ["--call-log-days", "System, Settings"],
        ["ADBOOTH_CALL_LOG_DAYS", "System, Settings"],
        ["ADBOOTH_PUBLISH_ADAGENTS", "Agent sales, Get listed"],
      ].map(
        ([name, where]) =>
          `${name} is chosen in the app now: ${where}. The first start of this version stores its value; remove it after that.`,
      ),
    )
    const missing = resolveSettings({}, { ADBOOTH_AGENT_CONTACT_FILE: file, ADBOOTH_CALL_LOG_DAYS: "long" })
    expect([missing.moved, missing.problems]).toEqual([{}, []])
    expect(missing.warnings.join(" ")).toMatch(/none\.txt.*CALL_LOG_DAYS must be a whole number.*is not stored/s)
  })

  test("what has another name is still read, as option and as variable, with its file", () => {
    const { config, warnings } = resolveSettings({ alertFrom: "a@example.com" }, { ADBOOTH_ALERT_SMTP: "smtp://x" })
    expect(config).toMatchObject({ mailFrom: "a@example.com", smtp: "smtp://x" })
    expect(warnings).toEqual([
      "--alert-from is now called --mail-from. It is still read: rename it.",
      "ADBOOTH_ALERT_SMTP is now called ADBOOTH_SMTP. It is still read: rename it.",
    ])
  })

  test("what is gone says what to do instead", () => {
    const environment = { ADBOOTH_CALL_LOG_MB: "64", ADBOOTH_OPERATOR_PASSWORD_FILE: "/x", ADBOOTH_MAX_UPLOAD_MB: "40" }
    const { warnings, problems } = resolveSettings({ agentPort: "3001" }, environment)
    expect(problems).toEqual([])
    expect(warnings).toEqual([
      "--agent-port is no longer used; remove it: the agent answers at the address of the server; for one of its own, see agent-url.",
      "ADBOOTH_CALL_LOG_MB is no longer used; remove it: the log keeps 100,000 calls at most, and how many days is chosen in the app: System, Settings.",
      'ADBOOTH_OPERATOR_PASSWORD_FILE is no longer used; remove it: the first operator is made with "adbooth user setup-link" or "adbooth user create --operator".',
      "ADBOOTH_MAX_UPLOAD_MB is no longer used; remove it: a file has at most 20 MB; split a larger one.",
    ])
  })
})
