import { join } from "node:path"
import { BUILT_IN, withOwn } from "../../../domain/presets/built-in.ts"
import { lineColumn, type Preset, rowsInWords } from "../../../domain/presets/preset.ts"
import { UPLOAD_FORMATS } from "../../../domain/upload/columns.ts"
import { UserError } from "../../../domain/user-error.ts"
import { presetsIn } from "../../../files/preset-folder.ts"
import { command } from "../command.ts"
import { type CliContext, type CommonOptions, settled } from "../context.ts"
import { printJson } from "../io.ts"
import { type List, printList } from "../output/table.ts"

export const presetsCommand = command(
  "presets [NAME]",
  "list the presets for exports of other systems, or print one as JSON",
  {
    words: { NAME: "the preset to print, for example to start your own from it" },
    settings: ["data", "presets"],
    examples: [["report presets"], ["report presets google-ad-manager > my-ad-server.json"]],
    run: ({ cli, options }, name?: string) => (name === undefined ? list(cli, options) : show(cli, name, options)),
  },
)

function presetsAt(context: CliContext, options: object) {
  const { config } = settled(context, options)
  const { presets: own, problems } = presetsIn(config.presets ?? join(config.data, "presets"))
  return { all: withOwn(own), problems, isOwn: (preset: Preset) => !BUILT_IN.includes(preset) }
}

function list(context: CliContext, options: CommonOptions): void {
  const { all, problems, isOwn } = presetsAt(context, options)
  printList(context.io, options, all, presetList(isOwn))
  if (problems.length > 0) throw new UserError(problems.join("\n"))
}

function presetList(isOwn: (preset: Preset) => boolean): List<Preset> {
  return {
    columns: [
      { title: "NAME", text: ({ name }) => name },
      { title: "EXPORT", text: ({ title }) => title, shrinks: true },
      { title: "DATA", text: ({ kind }) => UPLOAD_FORMATS[kind].label, optional: 2 },
      { title: "LINE OR CODE", text: lineColumn, shrinks: true },
      { title: "ROWS", text: rowsInWords, optional: 3 },
      { title: "FROM", text: (preset) => (isOwn(preset) ? "your own" : "built in"), optional: 1 },
    ],
    more: (preset) => ({ ...preset, own: isOwn(preset) }),
    empty: "There are no presets.",
  }
}

function show(context: CliContext, name: string, options: CommonOptions): void {
  const { all } = presetsAt(context, options)
  const preset = all.find((preset) => preset.name === name)
  if (preset === undefined)
    throw new UserError(`There is no preset ${name}. There are ${all.map((entry) => entry.name).join(", ")}.`)
  printJson(context.io, preset)
}
