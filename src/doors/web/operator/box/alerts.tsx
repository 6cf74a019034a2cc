import {
  chooseAlerts,
  chosenWebhook,
  diskFreeMbMin,
  dismissAlerts,
  wantedKinds,
  withChoices,
} from "../../../../actions/alerts/alert-choice.ts"
import { testChannels } from "../../../../actions/alerts/send-alerts.ts"
import { ALERT_KINDS, type AlertKind } from "../../../../domain/alerts/alert.ts"
import {
  InvalidSetting,
  maskedWebhook,
  readEmailAddress,
  readNewWebhookSecret,
  readWebhookSecret,
  readWebhookUrl,
} from "../../../../domain/operations/service-settings.ts"
import { DISK_MB } from "../../../../domain/operations/setting.ts"
import { UserError } from "../../../../domain/user-error.ts"
import { SYSTEM } from "../../frame/navigation.ts"
import { forOperator } from "../../guards.ts"
import { ButtonLink, Fold, PostButton, Submit } from "../../parts/blocks.tsx"
import { CheckGroup } from "../../parts/form/choices.tsx"
import { Field } from "../../parts/form/form.tsx"
import { done, goTo, problem } from "../../respond.tsx"
import type { PersonVisit } from "../../visit.ts"
import { SecretField, serviceRoutes } from "./service.tsx"

const ALERTS = `${SYSTEM}/alerts`

const KIND_WORDS: Readonly<Record<AlertKind, string>> = {
  feed_silent: "An API key has gone silent",
  line_behind: "A line is behind plan",
  order_waiting: "An order came in",
  backup_failed: "A backup failed or is late",
  copies_failing: "Backups are not copied to the bucket",
  disk_low: "Disk space is low",
  certificate_ending: "The certificate ends soon",
  https_problem: "HTTPS has a problem",
}

const KINDS = ALERT_KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind] }))

/** Who hears of what, in a line. */
export async function alertsFold({ context }: PersonVisit) {
  const { alertTo, alertWebhook } = await withChoices(context, context.config)
  const hasMail = (await context.mail.inForce()) !== null
  const people = hasMail && alertTo.length > 0 ? [alertTo.join(", ")] : []
  const where = [...people, ...(alertWebhook === null ? [] : [maskedWebhook(alertWebhook)])]
  return (
    <Fold title="Alerts" note={where.length === 0 ? "Nobody is alerted" : `To ${where.join(" and ")}`}>
      <p>
        A full disk, a failed backup, a silent API key or a new order can be sent to people by email, or to a webhook.
      </p>
      <div class="actions">
        <ButtonLink small href={ALERTS} label={where.length === 0 ? "Set up alerts" : "Change"} />
        {where.length > 0 && <PostButton small action={`${ALERTS}/test`} label="Send a test alert" />}
      </div>
    </Fold>
  )
}

/** With one press where there is a mail server. */
export const alertsCure = async ({ context, person }: PersonVisit) => (
  <div class="actions">
    {(await context.mail.inForce()) === null ? (
      <ButtonLink small kind="primary" href={ALERTS} label="Set up alerts" />
    ) : (
      <form method="post" action={ALERTS} class="actions">
        {ALERT_KINDS.map((kind) => (
          <input type="hidden" name="kinds" value={kind} />
        ))}
        <input name="to" type="email" aria-label="Send alerts to" value={person.email} autocomplete="email" />
        <Submit small kind="primary" label="Send alerts here" />
      </form>
    )}
    <PostButton small kind="quiet" action={`${ALERTS}/dismiss`} label="Don’t remind me" />
  </div>
)

const SET_UP_MAIL = <a href={`${SYSTEM}/mail`}>set up mail</a>
const ADDRESSES_HINT = "Email addresses, with commas between them."
const WEBHOOK_HINT = "An address that gets each alert as JSON, signed. Leave empty for none."
const SECRET_HINT = "Each message is signed with it. This prints one: echo whsec_$(openssl rand -base64 32)."

const formRoutes = serviceRoutes({
  page: ALERTS,
  title: "Alerts",
  submit: "Save",
  async start({ context }) {
    const { alertTo } = await withChoices(context, context.config)
    const kinds: readonly string[] = await wantedKinds(context.store)
    const disk = String(await diskFreeMbMin(context.store))
    return { to: alertTo.join(", "), kinds, disk, url: (await chosenWebhook(context))?.url ?? "" }
  },
  async fields({ context }, { kinds, url }, errors) {
    const { alertTo, alertWebhook } = context.config
    const isStored = (await chosenWebhook(context)) !== null
    const when =
      (await context.mail.inForce()) === null ? "They are used once mail is set up." : "Leave empty for none."
    return [
      alertTo.length > 0 ? (
        <p>The server was started with --alert-to: {alertTo.join(", ")}.</p>
      ) : (
        <Field name="to" label="Send alerts to" autocomplete="email" hint={`${ADDRESSES_HINT} ${when}`} />
      ),
      <CheckGroup name="kinds" label="About" choices={KINDS} checked={kinds} />,
      alertWebhook !== null && <p>The server was started with --alert-webhook: {maskedWebhook(alertWebhook)}.</p>,
      <Field name="disk" label="Disk space is low below" unit="MB" inputmode="numeric" required />,
      alertWebhook === null && (
        <details class="more" open={url !== "" || "secret" in errors}>
          <summary>
            More: <span class="soft">send alerts to a program</span>
          </summary>
          <div class="stack">
            <Field name="url" label="Webhook" hint={WEBHOOK_HINT} />
            <SecretField name="secret" label="Secret of the webhook" isStored={isStored} hint={SECRET_HINT} />
          </div>
        </details>
      ),
    ]
  },
  hint: async ({ context }) =>
    (await context.mail.inForce()) === null && ["Email needs a mail server: ", SET_UP_MAIL, "."],
  read: (form) => ({ ...form.texts("to", "url", "disk"), kinds: form.all("kinds") }),
  async save({ context, actor }, typed, form) {
    const { config, store } = context
    const stored = await chosenWebhook(context)
    // What an option says is no part of the form: what was chosen before stays for when the option is gone.
    const keepsTo = config.alertTo.length > 0 || !form.has("to")
    const keepsWebhook = config.alertWebhook !== null || !form.has("url")
    const addresses = keepsTo ? ((await store.settings.get("alert_to")) ?? "") : typed.to
    const to = addresses.split(/[\s,;]+/).filter(Boolean)
    const wrong = to.find((address) => readEmailAddress(address) === undefined)
    const secret = form.raw("secret") || (stored?.secret ?? "")
    const url = keepsWebhook || typed.url === "" ? null : readWebhookUrl(typed.url)
    const checked = form.raw("secret") === "" ? readWebhookSecret(secret) : readNewWebhookSecret(secret)
    const diskMb = form.has("disk") ? DISK_MB.read(typed.disk) : await diskFreeMbMin(store)
    const errors = {
      ...(diskMb instanceof InvalidSetting && { disk: `This ${diskMb.sentence}.` }),
      ...(wrong !== undefined && { to: `“${wrong}” is not an email address.` }),
      ...(url instanceof InvalidSetting && { url: `The address ${url.sentence}.` }),
      ...(url !== null && checked instanceof InvalidSetting && { secret: `The secret ${checked.sentence}.` }),
    }
    if (Object.keys(errors).length > 0 || url instanceof InvalidSetting || diskMb instanceof InvalidSetting)
      return { errors }
    const kinds = ALERT_KINDS.filter((kind) => typed.kinds.includes(kind))
    const chosen = url === null ? null : { url, secret }
    const choice = { to, kinds, diskMb, webhook: keepsWebhook ? stored : chosen }
    await chooseAlerts(context, { ...choice, channels: [] }, actor)
    const opened = await context.alertChannels().catch(asProblem)
    if (opened instanceof UserError) return problem(opened.message)
    const channels = opened.map(({ name, target }) => ({ name, target }))
    await chooseAlerts(context, { ...choice, channels }, actor)
    return done(channels.length === 0 ? "Nobody is alerted." : "Saved. Send a test alert to be sure.")
  },
  async test({ context, origin }) {
    const channels = await context.alertChannels().catch(asProblem)
    if (channels instanceof UserError) return problem(channels.message)
    const tried = await testChannels(context, channels, origin)
    const failed = tried.filter(({ sent }) => !sent).map((one) => `${one.to}: ${one.problem}`)
    return failed.length > 0 ? problem(failed.join(" ")) : done(`Sent to ${tried.map(({ to }) => to).join(" and ")}.`)
  },
})

/** A file of settings that went away is for the operator to bring back. */
function asProblem(cause: unknown): UserError {
  if (cause instanceof UserError) return cause
  throw cause
}

async function dismiss(visit: PersonVisit): Promise<Response> {
  await dismissAlerts(visit.context, visit.actor)
  return goTo(visit, SYSTEM, done("You won’t be reminded. Alerts can be set up below at any time."))
}

export const alertRoutes = [...formRoutes, forOperator("POST", `${ALERTS}/dismiss`, dismiss)]
