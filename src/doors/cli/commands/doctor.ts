import { resolve } from "node:path"
import type { Option } from "commander"
import changelog from "../../../../CHANGELOG.md" with { type: "text" }
import { version } from "../../../../package.json"
import { withChoices } from "../../../actions/alerts/alert-choice.ts"
import { testChannels } from "../../../actions/alerts/send-alerts.ts"
import type { Context } from "../../../actions/context.ts"
import { type DoctorFinding, finding, runDoctor } from "../../../actions/operations/doctor.ts"
import { describeVersion, type VersionReport } from "../../../actions/operations/serving.ts"
import type { Config, ResolvedSettings, ServedWith, SettingName, ShownSetting } from "../../../config.ts"
import { hasMailServer, SERVED_WITH, SETTINGS, usesPostgres } from "../../../config.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import { UsageError } from "../arguments.ts"
import { type Answer, command, DATA, group, says } from "../command.ts"
import { ALL_SETTINGS, type CliContext, type CommonOptions, onStore, settingsForData, settingsOf } from "../context.ts"
import { printJson } from "../io.ts"
import { asJson, type Column, printTable } from "../output/table.ts"
import { coloured, oneLine } from "../output/text.ts"

const USED = "data databaseUrl databaseUrlFile host publicUrl trustProxy backupEvery backupDir".split(" ")

const isSetting = (option: Option) => option.attributeName() in SETTINGS

const ABOUT = "check database, settings, disk space and clock, with advice for each problem"
export const doctorCommand = command("doctor", ABOUT, {
  summary: "check everything, with advice for each problem",
  options: { "--settings": "show every setting instead, and where each comes from" },
  settings: ALL_SETTINGS,
  notes: [
    "It checks the database that --data or the environment names, and the settings that the server on it was last started with, unless you give others here. Exit code 1 means that something is wrong.",
  ],
  examples: [
    ["doctor"],
    ["doctor --settings", "what the next start would use; System shows those of the running server"],
    ["doctor --json | jq '.findings[] | select(.ok | not)'"],
  ],
  prepare(doctor) {
    for (const option of doctor.options) option.hideHelp(isSetting(option) && !USED.includes(option.attributeName()))
  },
  run: ({ cli, options }) => (options.settings ? showSettings(cli, options) : examine(cli, options)),
})

async function examine(context: CliContext, options: CommonOptions): Promise<undefined> {
  const { findings, about } = await onStore(context, options, async (on, config) => {
    const mine = settingsOf(context, options)
    const about = await describeVersion(on.store, version, changelog)
    const result = await runDoctor(on, {
      ...(await settingsOfServer(on.store, mine)),
      diskFreeBytes: () => context.diskFreeBytes(config),
      dataMode: await context.directoryMode(config),
    })
    const checked = whatIsChecked({ ...mine, config }, await on.store.settings.get("address"))
    return { about, findings: [finding("version", true, about.detail, ""), ...checked, ...result] }
  })
  const wrong = findings.filter(({ ok }) => !ok)
  const { previous, changes } = about
  const json = { ok: wrong.length === 0, findings, version: { running: version, previous, changes } }
  const lines = findings.map((finding) => findingText(finding, context.io.outHasColours)).join("")
  if (options.json) printJson(context.io, json)
  else context.io.outStyled(lines + changesText(about))
  if (wrong.length > 0) throw new UserError(`${wrong.length} ${wrong.length === 1 ? "problem" : "problems"} found.`)
}

function whatIsChecked({ config, settings }: ResolvedSettings, address: string | null): DoctorFinding[] {
  const name =
    config.databaseUrl !== null ? "databaseUrl" : config.databaseUrlFile !== null ? "databaseUrlFile" : "data"
  const { text, from, variable } = settings[name]
  const place = name === "data" ? resolve(config.data) : text
  const origin = { option: `--${SETTINGS[name].option}`, environment: variable, default: "the default" }[from]
  const given = SERVED_WITH.filter((entry) => entry !== "backupKeep" && settings[entry].from !== "default").map(
    (entry) => SETTINGS[entry].option,
  )
  const changed = given.length === 0 ? "" : `, but with ${given.join(", ")} as given here`
  const server =
    address === null
      ? "none has been started on it yet; the settings given here and the defaults are checked"
      : `last started at ${address}; its settings at that time are checked${changed}`
  return [finding("place", true, `${place} (from ${origin})`, ""), finding("server", true, server, "")]
}

function findingText({ ok, check, detail, advice }: DoctorFinding, hasColours: boolean): string {
  const state = ok ? coloured("ok   ", "green", hasColours) : coloured("WRONG", "red", hasColours)
  return `${state} ${oneLine(check)}: ${oneLine(detail)}\n${advice ? `      ${oneLine(advice)}\n` : ""}`
}

function changesText({ previous, changes }: VersionReport): string {
  const texts = changes.map((release) => `\nChanged in ${release.version}, since ${previous}:\n\n${release.text}\n`)
  return texts.join("")
}

/** The settings given here; for the others, those that the server was last started with. */
export async function settingsOfServer(store: StoreReads, { config, settings }: ResolvedSettings): Promise<Config> {
  const served = JSON.parse((await store.settings.get("served_with")) ?? "{}") as Partial<ServedWith>
  const entries = SERVED_WITH.map((name) => [name, settings[name].from === "default" ? served[name] : config[name]])
  return { ...config, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) }
}

type Row = readonly [name: string, ShownSetting]

const SHOWN: readonly Column<Row>[] = [
  { title: "SETTING", text: ([name]) => SETTINGS[name as SettingName].option },
  { title: "VALUE", value: ([, { text }]) => text, text: ([, { text }]) => text || "-", shrinks: true },
  { title: "FROM", value: ([, { from }]) => from, colour: ([, { from }]) => (from === "default" ? "dim" : "green") },
  { title: "ENVIRONMENT", value: ([, { variable }]) => variable, optional: 1 },
]

/** Those of the next start; a running server keeps what it was started with. */
function showSettings(context: CliContext, options: CommonOptions): Answer {
  const { settings, warnings } = settingsForData(context, options)
  const rows: Row[] = Object.entries(settings)
  const named = rows.map((row) => [SETTINGS[row[0] as SettingName].option, asJson({ columns: SHOWN, empty: "" }, row)])
  return (io, { json }) => {
    for (const warning of warnings) io.err(`${warning}\n`)
    if (json) return printJson(io, Object.fromEntries(named))
    printTable(io, rows, SHOWN)
    if (io.outIsTerminal)
      io.err("The next start would use these. A running server keeps what it was started with: System, Settings.\n")
  }
}

const WHERE_TO = ALL_SETTINGS.filter((name) => /^alert(?!DiskMb)|^publicUrl$/.test(name))

const TEST = command("test", "send a test message over every channel in the settings, and say what happened", {
  settings: [...DATA, ...WHERE_TO],
  examples: [["alerts test --alert-smtp-file /etc/adbooth/smtp --alert-to olga@example.com"]],
  async run({ cli, options }) {
    const mine = settingsOf(cli, options)
    const { config } = mine
    const isWhole = (hasMailServer(config) && config.alertTo.length > 0) || config.alertWebhook !== null
    // What the server sees: its settings, and what was chosen in the app.
    const isStored = usesPostgres(config) || cli.hasCurrentDatabase(config)
    const stored = async (on: Context) => withChoices(on, await settingsOfServer(on.store, mine))
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
