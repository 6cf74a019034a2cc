import { type ListedFormat, listFormats } from "../../../actions/catalogue/list-formats.ts"
import { sizesOf } from "../../../domain/adcp/text.ts"
import { UserError } from "../../../domain/user-error.ts"
import { describes, group, lists, onData } from "../command.ts"
import type { List } from "../output/table.ts"

const LIST = onData("list", "list formats with the products that use each", {
  examples: [["format list --own"]],
  options: { "--own": "only your own, replaced and hidden formats" },
  async run({ options, ...on }) {
    const all = await listFormats(on)
    return lists(options.own ? all.filter(({ state }) => state !== "built-in") : all, FORMATS)
  },
})

const SHOW = onData("show <FORMAT_ID>", "show one format; with --json as it is stored", {
  examples: [["format show display_300x250_image"], ["format show display_300x250_image --json", "as it is stored"]],
  async run(on, id: string) {
    const format = (await listFormats(on)).find((format) => format.id === id)
    if (format === undefined) throw new UserError(`There is no format "${id}". "adbooth format list" shows them.`)
    return describes(format.format, [
      ["Format ID", format.id],
      ["Name", format.name],
      ["Description", format.format.description ?? null],
      ["Size", sizesOf(format.format).join(", ") || null],
      ["State", format.state],
      ["Used by", format.usedBy.map(({ id }) => id).join(", ") || "no product"],
    ])
  },
})

const FORMATS: List<ListedFormat> = {
  columns: [
    { title: "FORMAT ID", value: ({ id }) => id },
    { title: "NAME", value: ({ name }) => name, shrinks: true },
    { title: "SIZE", json: "sizes", value: ({ format }) => sizesOf(format), shrinks: true, optional: 1 },
    { title: "STATE", value: ({ state }) => state, colour: ({ state }) => (state === "hidden" ? "dim" : undefined) },
    { title: "USED BY", value: ({ usedBy }) => usedBy.map(({ id }) => id), shrinks: true, optional: 2 },
  ],
  empty: "No formats of your own yet.",
}

export const formatCommand = group("format", "show the creative formats, built-in and your own", {
  notes: ["Formats are added, replaced and hidden with adbooth import, or in the app."],
  below: [LIST, SHOW],
})
