import type { Command } from "commander"
import type { AlertChannel } from "../../../actions/alerts/alert-channel.ts"
import { alertStatus, type ChannelStatus } from "../../../actions/alerts/alert-status.ts"
import { newId } from "../../../actions/new-id.ts"
import type { SettingName } from "../../../config.ts"
import type { Alert } from "../../../domain/alerts/alert.ts"
import { TEST_CONTENT } from "../../../domain/alerts/alert-content.ts"
import { formatMoment, formatSecond, type Moment } from "../../../domain/time/moment.ts"
import { messageOf, UserError } from "../../../domain/user-error.ts"
import { UsageError } from "../arguments.ts"
import { type CliContext, type CommonOptions, onStore, settled, withData, withSettings } from "../context.ts"
import { explained } from "../help.ts"
import { print, printJson } from "../io.ts"
import { type Column, printTable } from "../output/table.ts"

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
  const listCommand = withData(alerts.command("list", { isDefault: true }))
    .description("show where alerts go, what failed, and what needs attention now")
    .action((options: CommonOptions) => list(options, context))
  const testCommand = withSettings(alerts.command("test"), ...WHERE_TO)
    .description("send a test message over every channel in the settings, and say what happened")
    .option("--json", "print JSON")
    .action((options: CommonOptions) => sendTest(options, context))
  explained(alerts, { examples: [LIST_EXAMPLE, TEST_EXAMPLE] })
  explained(listCommand, { examples: [LIST_EXAMPLE] })
  explained(testCommand, { examples: [TEST_EXAMPLE] })
}

const LIST_EXAMPLE = ["alerts list --data /var/lib/adbooth"] as const
const TEST_EXAMPLE = ["alerts test --alert-smtp-file /etc/adbooth/smtp --alert-to olga@example.com"] as const

async function list(options: CommonOptions, context: CliContext): Promise<void> {
  const status = await onStore(context, options, ({ store }) => alertStatus(store))
  const { channels, lasting } = status
  if (options.json) printJson(context.io, { channels: channels.map(channelAsJson), alerts: lasting.map(alertAsJson) })
  else if (channels.length === 0) context.io.out(OFF)
  else {
    printTable(context.io, channels, CHANNELS)
    context.io.out("\n")
    if (lasting.length === 0) context.io.out("Nothing needs attention.\n")
    else printTable(context.io, lasting, LASTING)
  }
}

const OFF = `Alerts are off. Start the server with --alert-to and --alert-smtp-file, or with --alert-webhook and --alert-webhook-secret-file.\n`

const CHANNELS: readonly Column<ChannelStatus>[] = [
  { title: "CHANNEL", text: ({ name }) => name },
  { title: "TO", text: ({ target }) => target, shrinks: true },
  { title: "LAST SENT", text: ({ lastSentAt }) => (lastSentAt === null ? "never" : formatSecond(lastSentAt)) },
  {
    title: "LAST FAILURE",
    text: ({ failing }) => (failing === null ? "-" : `${failing.problem} (${attemptsInWords(failing)})`),
    shrinks: true,
  },
]

const LASTING: readonly Column<Alert>[] = [
  { title: "SINCE", text: ({ beganAt }) => formatSecond(beganAt) },
  { title: "ALERT", text: ({ title }) => title, shrinks: true },
]

function attemptsInWords({ attempts, nextAttemptAt }: NonNullable<ChannelStatus["failing"]>): string {
  const tried = attempts === 1 ? "1 attempt" : `${attempts} attempts`
  return nextAttemptAt === null ? `given up after ${tried}` : `${tried}, next at ${formatSecond(nextAttemptAt)}`
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
    (cause: unknown) => ({ sent: false, problem: messageOf(cause) }),
  )
  return { channel: channel.name, to: channel.target, sent, problem }
}
