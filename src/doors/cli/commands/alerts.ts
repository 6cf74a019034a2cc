import { withChoices } from "../../../actions/alerts/alert-choice.ts"
import { testChannels } from "../../../actions/alerts/send-alerts.ts"
import type { Context } from "../../../actions/context.ts"
import { hasMailServer, SETTINGS, type SettingName, usesPostgres } from "../../../config.ts"
import { UserError } from "../../../domain/user-error.ts"
import { UsageError } from "../arguments.ts"
import { command, DATA, group, says } from "../command.ts"
import { onStore, settingsOf } from "../context.ts"
import { settingsInForce } from "./doctor.ts"

const WHERE_TO = (Object.keys(SETTINGS) as SettingName[]).filter(
  (name) => (name.startsWith("alert") && name !== "alertDiskMb") || name === "publicUrl",
)

const TEST = command("test", "send a test message over every channel in the settings, and say what happened", {
  settings: [...DATA, ...WHERE_TO],
  examples: [["alerts test --alert-smtp-file /etc/adbooth/smtp --alert-to olga@example.com"]],
  async run({ cli, options }) {
    const mine = settingsOf(cli, options)
    const { config } = mine
    const isWhole = (hasMailServer(config) && config.alertTo.length > 0) || config.alertWebhook !== null
    // What the server sees: its settings, and what was chosen in the app.
    const isStored = usesPostgres(config) || cli.hasCurrentDatabase(config)
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
        `${sent ? "sent" : "NOT SENT"}  ${channel} to ${to}${problem === null ? "" : `: ${problem}`}`,
    )
    says(tried, lines.join("\n"))(cli.io, options)
    const failed = tried.filter(({ sent }) => !sent).length
    if (failed > 0) throw new UserError(failed === 1 ? "A message was not sent." : `${failed} messages were not sent.`)
  },
})

export const alertsCommand = group("alerts", "try whether alerts arrive", {
  notes: ['"adbooth doctor" says where alerts go, and what was not sent.'],
  below: [TEST],
})
