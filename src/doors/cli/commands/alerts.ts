import { withChoices } from "../../../actions/alerts/alert-choice.ts"
import { alertStatus, type ChannelStatus } from "../../../actions/alerts/alert-status.ts"
import { testChannels } from "../../../actions/alerts/send-alerts.ts"
import type { Context } from "../../../actions/context.ts"
import { hasMailServer, SETTINGS, type SettingName } from "../../../config.ts"
import type { Alert } from "../../../domain/alerts/alert.ts"
import { formatMoment, formatSecond } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import { UsageError } from "../arguments.ts"
import { command, DATA, group, onData } from "../command.ts"
import { onStore, settled } from "../context.ts"
import { print, printJson } from "../io.ts"
import { asJson, type List, momentOrNull, printTable, timeColumn } from "../output/table.ts"
import { settingsInForce } from "./doctor.ts"

const WHERE_TO = (Object.keys(SETTINGS) as SettingName[]).filter(
  (name) => (name.startsWith("alert") && name !== "alertDiskMb") || name === "publicUrl",
)

const LIST = onData("list", "show where alerts go, what failed, and what needs attention now", {
  isDefault: true,
  examples: [["alerts list"]],
  async run({ store }) {
    const { channels, lasting } = await alertStatus(store)
    return (io, { json }) => {
      if (json)
        printJson(io, {
          channels: channels.map((channel) => asJson(CHANNELS, channel)),
          alerts: lasting.map((alert) => asJson(LASTING, alert)),
        })
      else if (channels.length === 0) io.out(CHANNELS.empty)
      else {
        printTable(io, channels, CHANNELS.columns)
        io.out("\n")
        if (lasting.length === 0) io.out(LASTING.empty)
        else printTable(io, lasting, LASTING.columns)
      }
    }
  },
})

const OFF = `Alerts are off. Set them up in the app under System, or start the server with --alert-to and --alert-smtp-file, or with --alert-webhook and --alert-webhook-secret-file.\n`

const CHANNELS: List<ChannelStatus> = {
  columns: [
    { title: "CHANNEL", value: ({ name }) => name },
    { title: "TO", value: ({ target }) => target, shrinks: true },
    timeColumn("LAST SENT", ({ lastSentAt }) => lastSentAt, {
      text: ({ lastSentAt }) => (lastSentAt === null ? "never" : formatSecond(lastSentAt)),
    }),
    {
      title: "LAST FAILURE",
      value: ({ failing }) =>
        failing && {
          created: formatMoment(failing.createdAt),
          attempts: failing.attempts,
          next_attempt: momentOrNull(failing.nextAttemptAt),
          problem: failing.problem,
        },
      text: ({ failing }) => (failing === null ? "-" : `${failing.problem} (${attemptsInWords(failing)})`),
      shrinks: true,
    },
  ],
  empty: OFF,
}

const LASTING: List<Alert> = {
  columns: [
    timeColumn("SINCE", ({ beganAt }) => beganAt, { text: ({ beganAt }) => formatSecond(beganAt) }),
    { title: "ALERT", json: "title", value: ({ title }) => title, shrinks: true },
  ],
  more: ({ kind, subject, detail, path }) => ({ kind, subject, detail, path }),
  empty: "Nothing needs attention.\n",
}

function attemptsInWords({ attempts, nextAttemptAt }: NonNullable<ChannelStatus["failing"]>): string {
  const tried = attempts === 1 ? "1 attempt" : `${attempts} attempts`
  return nextAttemptAt === null ? `given up after ${tried}` : `${tried}, next at ${formatSecond(nextAttemptAt)}`
}

const TEST = command("test", "send a test message over every channel in the settings, and say what happened", {
  settings: [...DATA, ...WHERE_TO],
  examples: [["alerts test --alert-smtp-file /etc/adbooth/smtp --alert-to olga@example.com"]],
  async run({ cli, options }) {
    const mine = settled(cli, options)
    const { config } = mine
    const isWhole = (hasMailServer(config) && config.alertTo.length > 0) || config.alertWebhook !== null
    // What the server sees: its settings, and what was chosen in the app.
    const isStored = config.databaseUrl !== null || config.databaseUrlFile !== null || cli.hasCurrentDatabase(config)
    const stored = async (on: Context) => {
      const servedWith = await on.store.settings.get("served_with")
      return withChoices(on, settingsInForce(mine, servedWith))
    }
    const settings = isWhole || !isStored ? config : await onStore(cli, options, stored)
    const channels = await cli.alertChannels(settings)
    if (channels.length === 0)
      throw new UsageError(
        "Alerts are not set up. Set them up in the app under System, or give --alert-smtp and --alert-to, or --alert-webhook and its secret.",
      )
    const origin = settings.publicUrl ?? `http://${config.host}:${config.port}`
    const tried = await testChannels(cli, channels, origin)
    const lines = tried.map(
      ({ channel, to, sent, problem }) =>
        `${sent ? "sent" : "NOT SENT"}  ${channel} to ${to}${problem === null ? "" : `: ${problem}`}\n`,
    )
    print(cli.io, options, tried, lines.join(""))
    const failed = tried.filter(({ sent }) => !sent).length
    if (failed > 0) throw new UserError(failed === 1 ? "A message was not sent." : `${failed} messages were not sent.`)
  },
})

export const alertsCommand = group("alerts", "show where alerts go and whether they arrive, or test them", {
  below: [LIST, TEST],
})
