import { resolve } from "node:path"
import type { Option } from "commander"
import changelog from "../../../../CHANGELOG.md" with { type: "text" }
import { version } from "../../../../package.json"
import { type DoctorFinding, finding, runDoctor } from "../../../actions/operations/doctor.ts"
import { describeVersion, type VersionReport } from "../../../actions/operations/serving.ts"
import type { Config, ResolvedSettings, ServedWith, SettingName, ShownSetting } from "../../../config.ts"
import { SERVED_WITH, SETTINGS } from "../../../config.ts"
import { messageOf, UserError } from "../../../domain/user-error.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import { type CommandOutput, command, says } from "../command.ts"
import {
  ALL_SETTINGS,
  type CliContext,
  type CommonOptions,
  onStore,
  settingsForData,
  settingsOf,
  withFormerOptions,
} from "../context.ts"
import { printJson } from "../io.ts"
import { asJson, type Column, printTable } from "../output/table.ts"
import { coloured, oneLine } from "../output/text.ts"
import { readAnswer } from "../report/server.ts"

const USED = "data databaseUrl host publicUrl trustProxy backupEvery backupDir".split(" ")

const isSetting = (option: Option) => option.attributeName() in SETTINGS

const READY_MS_MAX = 3_000

const ABOUT = "check database, settings, files, disk space, clock, HTTPS, mail and bucket, with advice for each problem"
export const doctorCommand = command("doctor", ABOUT, {
  summary: "check everything, with advice for each problem",
  options: {
    "--settings": "show every setting instead, and where each comes from",
    "--ready": "only ask the server on this machine whether it is ready, as containers do",
  },
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
    withFormerOptions(doctor)
  },
  run({ cli, options }) {
    if (options.ready) return askServer(cli, options)
    return options.settings ? showSettings(cli, options) : examine(cli, options)
  },
})

/** For health checks of containers: the image has no other program that could ask the server. */
async function askServer(cli: CliContext, options: CommonOptions): Promise<CommandOutput> {
  const url = `http://127.0.0.1:${settingsOf(cli, options).config.port}/readyz`
  const response = await fetch(url, { signal: AbortSignal.timeout(READY_MS_MAX) }).catch((cause: Error) => {
    throw new UserError(`No server answers at ${url}.`, { cause })
  })
  const answer = new TextDecoder().decode((await readAnswer(response)) ?? undefined)
  if (!response.ok) throw new UserError(`The server is not ready: ${answer}`)
  return says({ ready: true }, "ready")
}

async function examine(context: CliContext, options: CommonOptions): Promise<undefined> {
  const { findings, about } = await onStore(context, options, async (on, config) => {
    const mine = settingsForData(context, options)
    const about = await describeVersion(on.store, version, changelog)
    const result = await runDoctor(on, {
      ...(await settingsOfServer(on.store, mine)),
      diskFreeBytes: () => context.diskFreeBytes(config),
      dataMode: await context.modeOf(context.secretFolder(config)),
    })
    const files = await filesAround(context, mine)
    const checked = whatIsChecked({ ...mine, config }, await on.store.settings.get("address"))
    return {
      about,
      findings: [finding("version", true, about.detail, ""), partsOf(context), ...checked, ...result, ...files],
    }
  })
  const wrong = findings.filter(({ ok }) => !ok)
  const { previous, changes } = about
  const json = { ok: wrong.length === 0, findings, version: { running: version, previous, changes } }
  const lines = findings.map((finding) => findingText(finding, context.io.outHasColours)).join("")
  if (options.json) printJson(context.io, json)
  else context.io.outStyled(lines + changesText(about))
  if (wrong.length > 0) throw new UserError(`${wrong.length} ${wrong.length === 1 ? "problem" : "problems"} found.`)
}

/** For bug reports. */
function partsOf({ versions }: CliContext): DoctorFinding {
  const { adbooth: _, ...parts } = versions()
  const text = Object.entries(parts).map(([name, version]) => `${name} ${version}`)
  return finding("parts", true, text.join(", "), "")
}

const OTHERS = 0o007

/** What is around the database: files with secrets, variables and the bucket. */
async function filesAround(context: CliContext, { config, warnings, secretFiles }: ResolvedSettings) {
  const { settingsFile = null } = context.installed() ?? {}
  const files = [settingsFile, config.tlsKey, ...secretFiles].filter((file) => file !== null)
  const modes = await Promise.all(files.map((file) => context.modeOf(file).catch(() => null)))
  const open = files.filter((_, i) => ((modes[i] ?? 0) & OTHERS) !== 0)
  const copies = await context.backups.inBucket(config).catch((cause: unknown) => messageOf(cause))
  const isReached = typeof copies !== "string"
  return [
    finding(
      "files with secrets",
      open.length === 0,
      open.length === 0 ? "no other user of this machine can read one" : `every user can read ${open.join(", ")}`,
      `Restrict them: chmod o= ${open.join(" ")}`,
    ),
    finding("variables", warnings.length === 0, warnings.join(" ") || "all are known", "Correct or remove them."),
    ...(copies === null ? [] : [finding("bucket", isReached, isReached ? `has ${copies.length} backups` : copies, "")]),
  ]
}

function whatIsChecked({ config, settings }: ResolvedSettings, address: string | null): DoctorFinding[] {
  const name = config.databaseUrl !== null ? "databaseUrl" : "data"
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
function showSettings(context: CliContext, options: CommonOptions): CommandOutput {
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
