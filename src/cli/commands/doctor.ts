import { existsSync, statSync } from "node:fs"
import type { Command } from "commander"
import { type Finding, failed, passed, runChecks } from "../../actions/checks.ts"
import {
  optionOf,
  type ReadConfig,
  SERVER_OPTIONS,
  SETTINGS,
  type SettingName,
  type ShownSetting,
} from "../../config.ts"
import { messageOf, UserError } from "../../domain/errors.ts"
import { examples, type Program, settingsFor, withJson } from "../context.ts"
import { type Column, printJson, printList, printText } from "../print.ts"

interface DoctorOptions {
  readonly ready?: true
  readonly json?: true
}

const ALL = Object.keys(SETTINGS) as SettingName[]
const READY_MS_MAX = 3_000
const OTHERS_MAY_READ = 0o007

/** Adds `adbooth doctor`. */
export function registerDoctor(root: Command, program: Program): void {
  const doctor = withJson(root.command("doctor"))
    .summary("check everything, with advice for each problem")
    .description(
      "Print each setting and where it comes from. Check database, settings, files, disk space, clock, HTTPS, mail and " +
        "bucket, with advice for each problem. The exit code is 1 if something is wrong.",
    )
    .option("--ready", "only ask the server on this machine whether it's ready, as containers do")
    .addHelpText("after", examples("doctor", "doctor --ready", "doctor --json | jq '.findings[] | select(.ok | not)'"))
    .action((options: DoctorOptions) => (options.ready ? askServer(options) : examine(program, options)))
  for (const option of SERVER_OPTIONS) doctor.addOption(option)
}

/** For health checks of containers, because the image has no other program that could ask the server. */
async function askServer({ ready: _, json, ...given }: DoctorOptions): Promise<void> {
  const { port } = settingsFor(given, ALL).config
  const url = `http://127.0.0.1:${port}/readyz`
  const response = await fetch(url, { signal: AbortSignal.timeout(READY_MS_MAX) }).catch((cause) => {
    throw new UserError(`No server answers at ${url}.`, { cause })
  })
  if (!response.ok) throw new UserError(`The server isn't ready: ${await response.text()}`)
  await (json ? printJson({ ready: true }) : printText("ready"))
}

type ShownRow = ShownSetting & { readonly setting: string }

const COLUMNS: readonly Column<ShownRow>[] = [
  { title: "SETTING", value: "setting" },
  { title: "VALUE", value: "text", isCut: true },
  { title: "FROM", value: ({ from, name }) => (name === "" ? from : name) },
]

async function examine(program: Program, { json, ...given }: DoctorOptions): Promise<void> {
  const settings = settingsFor(given, ALL)
  const findings = [
    await versionOf(program),
    ...(await checksOf(program, settings)),
    environmentOf(settings),
    ...filesOf(settings),
  ]
  const problems = findings.filter(({ ok }) => !ok)
  const rows = ALL.map((setting) => ({ setting: optionOf(setting).slice(2), ...settings.shown[setting] }))
  if (json) {
    const shown = Object.fromEntries(
      rows.map(({ setting, text, from, name }) => [setting, { value: text, from, name }]),
    )
    await printJson({ ok: problems.length === 0, findings, settings: shown })
  } else {
    await printList(rows, COLUMNS, { empty: "" })
    await printText(`\n${findings.map(inWords).join("\n")}`)
  }
  if (problems.length > 0)
    throw new UserError(problems.length === 1 ? "1 problem found." : `${problems.length} problems found.`)
}

/** A database that can't be opened is a finding like any other. */
async function checksOf(program: Program, { config }: ReadConfig): Promise<readonly Finding[]> {
  try {
    const context = await program.openContext(config, { mayCreate: false })
    try {
      return await runChecks(context, "doctor")
    } finally {
      await context.database.close()
    }
  } catch (cause) {
    return [{ check: "database", ...failed(messageOf(cause), "") }]
  }
}

/** For bug reports. */
async function versionOf(program: Program): Promise<Finding> {
  const versions = Object.entries(await program.versions()).map(([name, version]) => `${name} ${version}`)
  return { check: "version", ...passed(`${versions.join(", ")}.`) }
}

function environmentOf({ warnings }: ReadConfig): Finding {
  const outcome =
    warnings.length === 0
      ? passed("No unknown ADBOOTH_ variables.")
      : failed(warnings.join(" "), "Correct or remove these variables.")
  return { check: "environment", ...outcome }
}

/** Whether other users may read files with secrets. Windows has no permission bits. */
function filesOf({ config, files }: ReadConfig): readonly Finding[] {
  const secrets = [...files, ...(config.tlsKey === null ? [] : [config.tlsKey])].filter((file) => existsSync(file))
  if (secrets.length === 0 || process.platform === "win32") return []
  const open = secrets.filter((file) => (statSync(file).mode & OTHERS_MAY_READ) !== 0)
  const outcome =
    open.length === 0
      ? passed("Only their owner can read the files with secrets.")
      : failed(`Every user of this machine can read ${open.join(", ")}.`, `Restrict it: chmod o= ${open.join(" ")}`)
  return [{ check: "files with secrets", ...outcome }]
}

function inWords({ ok, check, detail, advice }: Finding): string {
  const state = ok ? "ok   " : "WRONG"
  return `${state} ${check}: ${detail}${advice === "" ? "" : `\n      ${advice}`}`
}
