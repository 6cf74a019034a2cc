import { statSync } from "node:fs"
import { resolve } from "node:path"
import { UserError } from "../../../domain/user-error.ts"
import { wholeNumber } from "../arguments.ts"
import { type Chosen, command } from "../command.ts"
import type { CliContext } from "../context.ts"
import { Interrupted, printJson } from "../io.ts"
import { AUTO, reportText } from "../report/export-file.ts"
import { serverOf, serverOptions } from "../report/server.ts"
import { refuseNoFolders, removeLeftovers, reportedIn } from "../watch/folder.ts"
import type { Handled, Watched } from "../watch/watch-folder.ts"
import { type WatchOptions, watchFolder } from "../watch/watch-folder.ts"

const SECONDS_MAX = 86_400

const OPTIONS = {
  ...serverOptions(60),
  "--preset <NAME>": ["read every file with this preset; auto takes the one that fits", AUTO],
  "--once": "report what is there, then stop: for cron",
  "--settle <SECONDS>": ["a file is complete when it has not changed for this long", "5"],
  "--interval <SECONDS>": ["how often to look", "10"],
} as const

const ABOUT = "report each file that another system drops into a folder, once"
export const watchCommand = command("watch <DIR>", ABOUT, {
  words: { DIR: "the folder; reported files go to DIR/done, others to DIR/failed, each with its result" },
  options: OPTIONS,
  json: "print a JSON object for each file; with --once one document",
  notes: [
    "Lines are found by your own line ID (external_id). Names that begin with a dot or end in .part or .tmp are left alone. While the server cannot be reached, files stay where they are.",
  ],
  examples: [
    ["report watch /srv/exports --url https://ads.example.com"],
    ["report watch /srv/exports --once", "from cron"],
  ],
  run: ({ cli, options }, folder: string) => watch(cli, folder, options),
})

async function watch(context: CliContext, given: string, options: Chosen<unknown, typeof OPTIONS>): Promise<void> {
  const folder = resolve(given)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`There is no folder ${given}. Create it, or check the name.`)
  const stop = context.stopSignal()
  const server = { ...serverOf(context, options, SECONDS_MAX), stop }
  refuseNoFolders(folder)
  removeLeftovers(folder)
  const preset = options.preset === AUTO ? null : options.preset
  const watched: Watched = {
    folder,
    preset,
    server,
    clock: context.clock,
    reported: reportedIn(folder),
    pending: new Map(),
  }
  const handled: Handled[] = []
  const how: WatchOptions = {
    settleSeconds: wholeNumber("--settle", options.settle, 0, SECONDS_MAX),
    intervalSeconds: wholeNumber("--interval", options.interval, 1, SECONDS_MAX),
    onHandled(result) {
      if (options.once) handled.push(result)
      if (options.json && !options.once) context.io.out(`${JSON.stringify(result.result)}\n`)
      if (!options.json) context.io.err(`${textOf(result)}\n`)
    },
    say: (sentence) => context.io.err(`${sentence}\n`),
  }
  if (options.once) return once(context, watched, how, { handled, json: options.json === true })
  context.io.err(`Watching ${folder}. Stop with Ctrl-C.\n`)
  await watchFolder(watched, how)
  throw new Interrupted("Stopped.", stop.reason as number)
}

async function once(
  context: CliContext,
  watched: Watched,
  how: WatchOptions,
  { handled, json }: { readonly handled: readonly Handled[]; readonly json: boolean },
): Promise<void> {
  const left = await watchFolder(watched, how, true)
  const results = handled.flatMap((file) => (file.kind === "handled" ? [file.result] : []))
  if (json) printJson(context.io, { files: results, left })
  const { stop } = watched.server
  if (stop.aborted) throw new Interrupted("Stopped.", stop.reason as number)
  const bad = results.filter(({ status }) => status === "failed" || status === "incomplete").length
  const problems = [
    ...(bad > 0 ? [`${bad} of ${results.length} files are in ${watched.folder}/failed.`] : []),
    ...(left.length > 0 ? [`Left for the next time: ${left.join(", ")}.`] : []),
  ]
  if (problems.length > 0) throw new UserError(problems.join("\n"))
}

function textOf({ result, place }: Handled & { kind: "handled" }): string {
  const text = result.report === null ? result.message : reportText(result.report)
  return `${result.file} -> ${place}: ${text}`
}
