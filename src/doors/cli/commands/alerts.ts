import type { Command } from "commander"
import type { AlertChannel } from "../../../actions/alerts/alert-channel.ts"
import { type AlertStatus, alertStatus, type ChannelStatus } from "../../../actions/alerts/alert-status.ts"
import { newId } from "../../../actions/new-id.ts"
import type { SettingName } from "../../../config.ts"
import type { Alert } from "../../../domain/alerts/alert.ts"
import { TEST_CONTENT } from "../../../domain/alerts/alert-content.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, settled, withData, withSettings } from "../context.ts"
import { print, table } from "../io.ts"
import { UsageError } from "../usage-error.ts"

const WHERE_TO: readonly SettingName[] = [
  "alertSmtp",
  "alertSmtpFile",
  "alertTo",
  "alertFrom",
  "alertWebhook",
  "alertWebhookSecret",
  "alertWebhookSecretFile",
  "alertAllowPrivate",
  "publicUrl",
]

export function alertsCommand(program: Command, context: CliContext): void {
  const alerts = program.command("alerts").description("show where alerts go and whether they arrive, or test them")
  withData(alerts.command("list", { isDefault: true }))
    .description("show where alerts go, what failed, and what needs attention now")
    .action((options: CommonOptions) => list(options, context))
  withSettings(alerts.command("test"), ...WHERE_TO)
    .description("send a test message over every channel in the settings, and say what happened")
    .option("--json", "print JSON")
    .action((options: CommonOptions) => sendTest(options, context))
}

async function list(options: CommonOptions, context: CliContext): Promise<void> {
  const status = await onStore(context, options, ({ store }) => alertStatus(store))
  const json = { channels: status.channels.map(channelAsJson), alerts: status.lasting.map(alertAsJson) }
  print(context.io, options, json, inWords(status))
}

const OFF = `Alerts are off. Start the server with --alert-smtp and --alert-to, or with --alert-webhook and --alert-webhook-secret.\n`

function inWords({ channels, lasting }: AlertStatus): string {
  if (channels.length === 0) return OFF
  const cells = channels.map(({ name, target, lastSentAt, failing }) => [
    name,
    target,
    lastSentAt === null ? "never" : formatMoment(lastSentAt).slice(0, 19),
    failing === null ? "-" : `${failing.problem} (${attemptsInWords(failing)})`,
  ])
  const sums = table(["CHANNEL", "TO", "LAST SENT", "LAST FAILURE"], cells)
  const current = lasting.map(({ beganAt, title }) => [formatMoment(beganAt).slice(0, 19), title])
  return `${sums}\n${table(["SINCE", "ALERT"], current, "Nothing needs attention.")}`
}

function attemptsInWords({ attempts, nextAttemptAt }: NonNullable<ChannelStatus["failing"]>): string {
  const tried = attempts === 1 ? "1 attempt" : `${attempts} attempts`
  return nextAttemptAt === null
    ? `given up after ${tried}`
    : `${tried}, next at ${formatMoment(nextAttemptAt).slice(11, 19)}`
}

const momentOrNull = (moment: Moment | null) => (moment === null ? null : formatMoment(moment))

function channelAsJson({ name, target, lastSentAt, failing }: ChannelStatus) {
  return {
    channel: name,
    to: target,
    last_sent: momentOrNull(lastSentAt),
    last_failure:
      failing === null
        ? null
        : {
            created: formatMoment(failing.createdAt),
            attempts: failing.attempts,
            next_attempt: momentOrNull(failing.nextAttemptAt),
            problem: failing.problem,
          },
  }
}

function alertAsJson({ kind, subject, title, detail, path, beganAt }: Alert) {
  return { kind, subject, title, detail, path, since: formatMoment(beganAt) }
}

async function sendTest(options: CommonOptions, context: CliContext): Promise<void> {
  const { config } = settled(context, options)
  const channels = await context.alertChannels(config)
  if (channels.length === 0) {
    throw new UsageError("No alerts are set. Give --alert-smtp and --alert-to, or --alert-webhook and its secret.")
  }
  const origin = config.publicUrl ?? `http://${config.host}:${config.port}`
  const tried = await Promise.all(channels.map((channel) => tryChannel(channel, origin, context)))
  const lines = tried.map(
    ({ channel, to, sent, problem }) =>
      `${sent ? "sent" : "NOT SENT"}  ${channel} to ${to}${problem === null ? "" : `: ${problem}`}\n`,
  )
  print(context.io, options, tried, lines.join(""))
  const failed = tried.filter(({ sent }) => !sent).length
  if (failed > 0) throw new UserError(failed === 1 ? "A message was not sent." : `${failed} messages were not sent.`)
}

async function tryChannel(channel: AlertChannel, origin: string, { random, clock }: CliContext) {
  const message = { id: newId(random), at: clock(), content: TEST_CONTENT, origin }
  const { sent, problem } = await channel.send(message).then(
    (remark) => ({ sent: true, problem: remark }),
    (cause: unknown) => ({ sent: false, problem: cause instanceof Error ? cause.message : String(cause) }),
  )
  return { channel: channel.name, to: channel.target, sent, problem }
}
