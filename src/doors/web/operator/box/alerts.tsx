import { testChannels } from "../../../../actions/alerts/alert-channel.ts"
import {
  type AlertChoice,
  chooseAlerts,
  chosenWebhook,
  dismissAlerts,
  wantedKinds,
  withChoices,
} from "../../../../actions/alerts/alert-choice.ts"
import { ALERT_KINDS, type AlertKind } from "../../../../domain/alerts/alert.ts"
import {
  InvalidSetting,
  maskedWebhook,
  readEmailAddress,
  readWebhookSecret,
  readWebhookUrl,
} from "../../../../domain/alerts/alert-settings.ts"
import { UserError } from "../../../../domain/user-error.ts"
import { readForm } from "../../form.ts"
import { SYSTEM } from "../../frame/navigation.ts"
import { ButtonLink, Fold, PostButton } from "../../parts/blocks.tsx"
import { CheckGroup } from "../../parts/form/choices.tsx"
import { Field } from "../../parts/form/fields.tsx"
import { done, goTo, problem } from "../../respond.ts"
import { forOperator } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { type Refused, SecretField, serviceForm } from "./service.tsx"

export const ALERTS = `${SYSTEM}/alerts`

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
  const hasMail = (await context.mail.place()) !== null
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

type Typed = Readonly<{ to: string; kinds: readonly string[]; url: string }>

async function showForm(visit: PersonVisit, refused?: Refused<Typed>): Promise<Response> {
  const { context } = visit
  const { config } = context
  const [settings, kinds, webhook, mail] = await Promise.all([
    withChoices(context, config),
    wantedKinds(context.store),
    chosenWebhook(context),
    context.mail.place(),
  ])
  const typed = refused?.typed ?? { to: settings.alertTo.join(", "), kinds, url: webhook?.url ?? "" }
  const when = mail === null ? "They are used once mail is set up." : "Leave empty for none."
  return serviceForm(visit, {
    title: "Alerts",
    action: ALERTS,
    submit: "Save",
    values: { to: typed.to, url: typed.url },
    errors: refused?.errors,
    fields: (
      <>
        {config.alertTo.length > 0 ? (
          <p>The server was started with --alert-to: {config.alertTo.join(", ")}.</p>
        ) : (
          <Field
            name="to"
            label="Send alerts to"
            autocomplete="email"
            hint={`Email addresses, with commas between them. ${when}`}
          />
        )}
        <CheckGroup name="kinds" label="About" choices={KINDS} checked={typed.kinds} />
        {config.alertWebhook === null ? (
          <>
            <Field
              name="url"
              label="Webhook"
              hint="An address that gets each alert as JSON, signed. Leave empty for none."
            />
            <SecretField
              name="secret"
              label="Secret of the webhook"
              isStored={webhook !== null}
              hint="At least 16 characters; each message is signed with it."
            />
          </>
        ) : (
          <p>The server was started with --alert-webhook: {maskedWebhook(config.alertWebhook)}.</p>
        )}
      </>
    ),
    hint: mail === null && (
      <>
        Email needs a mail server: <a href={`${SYSTEM}/mail`}>set up mail</a>.
      </>
    ),
  })
}

/** What was typed, or what is wrong with it. */
async function readChoice(visit: PersonVisit): Promise<Omit<AlertChoice, "channels"> | Refused<Typed>> {
  const form = await readForm(visit.request)
  const { to, url } = form.texts("to", "url")
  const typed = { to, url, kinds: form.all("kinds") }
  const addresses = to === "" ? [] : to.split(/[\s,;]+/).filter(Boolean)
  const wrong = addresses.find((address) => readEmailAddress(address) === undefined)
  const secret = form.raw("secret") || ((await chosenWebhook(visit.context))?.secret ?? "")
  const address = url === "" ? null : readWebhookUrl(url)
  const checked = readWebhookSecret(secret)
  const errors = {
    ...(wrong !== undefined && { to: `“${wrong}” is not an email address.` }),
    ...(address instanceof InvalidSetting && { url: `The address ${address.sentence}.` }),
    ...(url !== "" && checked instanceof InvalidSetting && { secret: `The secret ${checked.sentence}.` }),
  }
  if (Object.keys(errors).length > 0 || address instanceof InvalidSetting) return { typed, errors }
  const kinds = ALERT_KINDS.filter((kind) => typed.kinds.includes(kind))
  return { to: addresses, kinds, webhook: address === null ? null : { url: address, secret } }
}

async function save(visit: PersonVisit): Promise<Response> {
  const { context } = visit
  const choice = await readChoice(visit)
  if ("errors" in choice) return showForm(visit, choice)
  await chooseAlerts(context, { ...choice, channels: [] }, visit.actor)
  const opened = await context.alertChannels().catch(asProblem)
  if (opened instanceof UserError) return goTo(visit, SYSTEM, problem(opened.message))
  const channels = opened.map(({ name, target }) => ({ name, target }))
  await chooseAlerts(context, { ...choice, channels }, visit.actor)
  return goTo(
    visit,
    SYSTEM,
    done(channels.length === 0 ? "Nobody is alerted." : "Saved. Send a test alert to be sure."),
  )
}

/** A file of settings that went away is for the operator to bring back. */
function asProblem(cause: unknown): UserError {
  if (cause instanceof UserError) return cause
  throw cause
}

async function test(visit: PersonVisit): Promise<Response> {
  const channels = await visit.context.alertChannels().catch(asProblem)
  if (channels instanceof UserError) return goTo(visit, SYSTEM, problem(channels.message))
  const tried = await testChannels(visit.context, channels, visit.origin)
  const failed = tried.filter(({ sent }) => !sent).map((one) => `${one.to}: ${one.problem}`)
  if (failed.length > 0) return goTo(visit, SYSTEM, problem(failed.join(" ")))
  return goTo(visit, SYSTEM, done(`Sent to ${tried.map(({ to }) => to).join(" and ")}.`))
}

async function dismiss(visit: PersonVisit): Promise<Response> {
  await dismissAlerts(visit.context, visit.actor)
  return goTo(visit, SYSTEM, done("You won’t be reminded. Alerts can be set up below at any time."))
}

export const alertRoutes = [
  forOperator("GET", ALERTS, (visit) => showForm(visit)),
  forOperator("POST", ALERTS, save),
  forOperator("POST", `${ALERTS}/test`, test),
  forOperator("POST", `${ALERTS}/dismiss`, dismiss),
]
