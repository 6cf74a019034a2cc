import type { Command } from "commander"
import { type ListedFormat, listFormats } from "../../../actions/catalogue/list-formats.ts"
import { sizesOf } from "../../../domain/adcp/text.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { explained } from "../help.ts"
import { type List, printDetails, printList } from "../output/table.ts"

export function formatCommand(program: Command, context: CliContext): void {
  const format = program.command("format").description("show the creative formats, built-in and your own")
  explained(format, {
    notes: ["Formats are added, replaced and hidden with adbooth import, or in the app."],
    examples: [
      ["format list --own"],
      ["format show display_300x250_image"],
      ["format show display_300x250_image --json", "as it is stored"],
    ],
  })
  addList(format, context)
  addShow(format, context)
}

const sizeText = ({ format }: ListedFormat) => sizesOf(format).join(", ")

const FORMATS: List<ListedFormat> = {
  columns: [
    { title: "FORMAT ID", text: ({ id }) => id },
    { title: "NAME", text: ({ name }) => name, shrinks: true },
    { title: "SIZE", text: (format) => sizeText(format) || "-", shrinks: true, optional: 1 },
    { title: "STATE", text: ({ state }) => state, colour: ({ state }) => (state === "hidden" ? "dim" : undefined) },
    { title: "USED BY", text: ({ usedBy }) => usedBy.join(", ") || "-", shrinks: true, optional: 2 },
  ],
  asJson: (format) => ({
    format_id: format.id,
    name: format.name,
    sizes: sizesOf(format.format),
    state: format.state,
    used_by: format.usedBy,
  }),
  empty: "No formats of your own yet.",
}

function addList(format: Command, context: CliContext): void {
  withData(format.command("list"))
    .description("list formats with the products that use each")
    .option("--own", "only formats that are not built in as they are: your own, replaced and hidden ones")
    .action(async (options: CommonOptions & { own?: boolean }) => {
      const all = await onStore(context, options, listFormats)
      const shown = options.own ? all.filter(({ state }) => state !== "built-in") : all
      printList(context.io, options, shown, FORMATS)
    })
}

function addShow(format: Command, context: CliContext): void {
  withData(format.command("show"))
    .description("show one format; with --json as it is stored")
    .argument("<FORMAT_ID>", "as shown by format list")
    .action(async (id: string, options: CommonOptions) => {
      const found = (await onStore(context, options, listFormats)).find((one) => one.id === id)
      if (found === undefined) throw new UserError(`There is no format "${id}". "adbooth format list" shows them.`)
      printDetails(context.io, options, found.format, [
        ["Format ID", found.id],
        ["Name", found.name],
        ["Description", found.format.description ?? null],
        ["Size", sizeText(found) || null],
        ["State", found.state],
        ["Used by", found.usedBy.join(", ") || "no product"],
      ])
    })
}
