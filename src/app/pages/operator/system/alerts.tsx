import { testAlerts } from "../../../../actions/alerts/send-alerts.ts"
import { hasMail } from "../../../../actions/mail.ts"
import {
  type AlertChoice,
  type AlertsInForce,
  alertsInForce,
  choiceVersion,
  choose,
  storedSetting,
} from "../../../../actions/settings.ts"
import {
  ALERT_KINDS,
  type AlertKind,
  createWebhookSecret,
  maskedWebhook,
  readWebhookSecret,
  readWebhookUrl,
  WEBHOOK_SECRET,
} from "../../../../domain/alert.ts"
import { type Errors, hasErrors } from "../../../../domain/errors.ts"
import { wholeNumber } from "../../../../domain/operations/setting-kinds.ts"
import { isAddress } from "../../../../domain/people/person.ts"
import { goTo, goToWithProblem } from "../../../flash.ts"
import type { Texts } from "../../../forms/form.ts"
import { showOnce } from "../../../forms/once.tsx"
import { Check, CheckList } from "../../../parts/choices.tsx"
import { Field } from "../../../parts/fields.tsx"
import { PostButton } from "../../../parts/form.tsx"
import { listInWords } from "../../../parts/format.tsx"
import type { SignedInVisit } from "../../../visit.ts"
import { SecretField, SetByOption, SYSTEM, SYSTEM_TRAIL, serviceForm } from "./service.tsx"

const ALERTS = `${SYSTEM}/alerts`

const KIND_LABELS: Readonly<Record<AlertKind, string>> = {
  feed_silent: "An API key has gone silent",
  line_behind: "A line is behind plan",
  order_waiting: "An order needs an answer",
  backup_failed: "A backup failed or is late",
  copies_failing: "Backups aren’t copied to the bucket",
  disk_low: "Disk space is low",
  certificate_ending: "The certificate expires soon",
  https_problem: "HTTPS has a problem",
}

const KINDS = ALERT_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }))

interface Alerts {
  readonly inForce: AlertsInForce
  readonly stored: AlertChoice | null
  readonly hasMail: boolean
  readonly version: string
}

export const alertsForm = serviceForm<Alerts>({
  title: "Alerts",
  intro: "Adbooth tells you when something needs your attention, and when it’s over.",
  submit: "Save alerts",
  fields: (alerts) => <AlertFields {...alerts} />,
  buttons: ({ inForce: { to, webhook } }) =>
    (to.value.length > 0 || webhook.value !== null) && (
      <PostButton action={`${ALERTS}/test`} label="Send a test alert" isSmall />
    ),
  async find({ context, read }) {
    const version = await choiceVersion(read, "secret.alerts")
    const stored = await storedSetting(read, "secret.alerts")
    return { inForce: await alertsInForce(context), stored, hasMail: await hasMail(context), version }
  },
  begin: (_, { inForce: { to, kinds, diskMegabytes }, version }) => ({
    texts: { to: to.value.join(", "), kinds: kinds.join("\n"), disk: String(diskMegabytes) },
    version,
  }),
  async save(visit, { inForce, stored }, texts, version) {
    const read = readAlerts(texts, inForce, stored)
    if ("errors" in read) return read
    const { choice, newSecret } = read
    const saved = await choose(visit.context, visit.actor, "secret.alerts", choice, version)
    if (saved === "changed") return saved
    if (newSecret === null) return goTo(visit, ALERTS, "The alerts are saved. Send a test to be sure that they arrive.")
    return showOnce(visit, {
      title: "The webhook’s signing secret",
      trail: [...SYSTEM_TRAIL, { href: ALERTS, label: "Alerts" }],
      text: "Each message is signed with it, as Standard Webhooks describes. Enter it where messages are received.",
      secrets: [{ id: "secret", label: "Signing secret", text: newSecret }],
    })
  },
})

const DISK = wholeNumber("number", 1, 100_000_000)

type ReadAlerts = { readonly choice: AlertChoice; readonly newSecret: string | null } | { readonly errors: Errors }

/** If a server option decides a value, the form has no field for it, and the earlier choice is kept. */
function readAlerts(texts: Texts, inForce: AlertsInForce, stored: AlertChoice | null): ReadAlerts {
  const { to = "", kinds = "", disk = "", webhookUrl = "", webhookSecret = "", removeWebhook } = texts
  const addresses = to.split(/[\s,;]+/).filter((address) => address !== "")
  const wrong = addresses.find((address) => !isAddress(address))
  const url = webhookUrl === "" ? (stored?.webhook?.url ?? null) : readWebhookUrl(webhookUrl)
  const megabytes = DISK.read(disk)
  const errors = {
    ...(wrong !== undefined && { to: `“${wrong}” isn’t an email address.` }),
    ...(megabytes === null && { disk: "Enter a whole number of megabytes." }),
    ...(webhookUrl !== "" && url === null && { webhookUrl: "Enter a URL such as https://hooks.example.com/alerts." }),
    ...(webhookSecret !== "" &&
      readWebhookSecret(webhookSecret) === null && { webhookSecret: `The secret ${WEBHOOK_SECRET.rule}.` }),
  }
  if (hasErrors(errors) || megabytes === null) return { errors }
  const isKept = inForce.webhook.from === "option"
  const known = webhookSecret || stored?.webhook?.secret
  const secret = known ?? createWebhookSecret()
  const chosen = url === null || removeWebhook === "yes" ? null : { url, secret }
  const webhook = isKept ? (stored?.webhook ?? null) : chosen
  const choice = {
    to: inForce.to.from === "option" ? (stored?.to ?? []) : addresses,
    muted: ALERT_KINDS.filter((kind) => !kinds.split("\n").includes(kind)),
    diskMegabytes: megabytes,
    webhook,
  }
  return { choice, newSecret: webhook !== null && known === undefined ? secret : null }
}

function AlertFields({ inForce: { to, webhook }, stored, hasMail }: Alerts) {
  const addresses = "Email addresses, separated by commas."
  return (
    <>
      {to.from === "option" ? (
        <SetByOption value={to.value.join(", ")} options="--alert-to" />
      ) : (
        <Field name="to" label="Send alerts to" hint={hasMail ? addresses : `${addresses} ${NEEDS_MAIL}`} />
      )}
      <CheckList name="kinds" label="Alerts about" choices={KINDS} />
      <Field name="disk" label="Disk space is low if less than this is free" inputmode="numeric" unit="MB" required />
      {webhook.from === "option" && webhook.value !== null ? (
        <SetByOption value={maskedWebhook(webhook.value.url)} options="--alert-webhook" />
      ) : (
        <WebhookFields stored={stored?.webhook ?? null} />
      )}
    </>
  )
}

const NEEDS_MAIL = "Mail isn’t set up yet, so nothing is mailed."

const WebhookFields = ({ stored }: { readonly stored: AlertChoice["webhook"] }) => (
  <>
    <Field
      name="webhookUrl"
      label="Webhook"
      hint={
        stored === null
          ? "A URL that gets each alert as signed JSON."
          : `Alerts are posted to ${maskedWebhook(stored.url)}. Leave it empty to keep this URL.`
      }
    />
    <SecretField
      name="webhookSecret"
      label="Signing secret"
      isStored={stored !== null}
      hint="If you leave it empty, Adbooth creates one and shows it once."
    />
    {stored !== null && <Check name="removeWebhook" label="Stop posting alerts to the webhook" />}
  </>
)

/** Sends a test message over every channel at once. */
export async function sendTestAlert(visit: SignedInVisit): Promise<Response> {
  const tried = await testAlerts(visit.context)
  const failed = tried.filter(({ problem }) => problem !== null)
  if (tried.length === 0) return goToWithProblem(visit, ALERTS, "Alerts or mail aren’t set up.")
  if (failed.length === 0)
    return goTo(visit, ALERTS, `The test was sent to ${listInWords(tried.map(({ target }) => target))}.`)
  return goToWithProblem(visit, ALERTS, failed.map(({ target, problem }) => `${target}: ${problem}`).join(" "))
}
