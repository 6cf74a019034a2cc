import type { Command } from "commander"
import type { Context } from "../../actions/context.ts"
import type { Config, SettingName } from "../../config.ts"
import { UserError } from "../../domain/user-error.ts"
import { UsageError } from "./arguments.ts"
import { type CliContext, type CommonOptions, onStore, withData, withSettings } from "./context.ts"
import { type Extras, explained } from "./help.ts"
import { type Io, print } from "./io.ts"
import { asJson, type List, printDetails, printList } from "./output/table.ts"

/** What a command has to say. It is printed when the store is closed. */
export type Answer = (io: Io, options: CommonOptions) => void

/** JSON for programs, a sentence for people, and what only people at a terminal need to know. */
export function says(json: unknown, text: string, note?: string): Answer {
  return (io, options) => {
    print(io, options, json, `${text}\n`)
    if (note !== undefined && !options.json) io.err(`${note}\n`)
  }
}

export function lists<Row>(rows: readonly Row[], list: List<Row>, empty = list.empty): Answer {
  return (io, options) => printList(io, options, rows, { ...list, empty })
}

interface CsvOption {
  readonly csv?: boolean
}

export function refuseBoth({ csv, json }: CsvOption & CommonOptions): void {
  if (csv && json) throw new UsageError("Choose --csv or --json, not both.")
}

/** The same, or with --csv these columns, separated by spaces, of what JSON has unless `flat` says otherwise. */
export async function listsOrCsv<Row>(
  { csv }: CsvOption,
  rows: readonly Row[],
  list: List<Row>,
  columns: string,
  flat = (row: Row) => asJson(list, row),
): Promise<Answer> {
  if (!csv) return lists(rows, list)
  const { stringify } = await import("csv-stringify/sync")
  const text = stringify(rows.map(flat), { header: true, columns: columns.split(" "), escape_formulas: true })
  return (io) => io.out(text)
}

/** One thing: JSON, and a name and a value on each line. */
export function describes(json: unknown, details: Parameters<typeof printDetails>[3]): Answer {
  return (io, options) => printDetails(io, options, json, details)
}

/** "--from-row <N>" is fromRow, a text; "--csv" is csv, true or absent. One with a default is always there. */
type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
type NameOf<Flags> = Flags extends `${string}--${infer Rest}`
  ? Camel<Rest extends `${infer Name} ${string}` ? Name : Rest>
  : never
type Chosen<Needs, Options> = CommonOptions & { readonly [Flags in keyof Needs as NameOf<Flags>]: string } & {
  readonly [Flags in keyof Options as Options[Flags] extends string ? never : NameOf<Flags>]: string
} & {
  readonly [Flags in keyof Options as Options[Flags] extends string
    ? NameOf<Flags>
    : never]?: Flags extends `${string}<${string}` ? string : true
}

interface DataCommand<Needs, Options, Read> extends Extras {
  readonly summary?: string
  /** Runs where the command above is given no other. */
  readonly isDefault?: boolean
  /** What each argument is, where its name does not say it: see ARGUMENTS. */
  readonly words?: Readonly<Record<string, string>>
  readonly needs?: Needs
  /** With the default of those that have one. */
  readonly options?: Options
  readonly settings?: readonly SettingName[]
  /** Reads what was typed, before anything is asked or opened; throws a UsageError for what is wrong. */
  readonly reads?: (options: Chosen<Needs, Options>, ...words: string[]) => Read
  /** Asked on a terminal before anything is done that cannot be undone. */
  readonly asks?: (options: Chosen<Needs, Options>, ...words: string[]) => string
  readonly run: (
    call: Context & { readonly options: Chosen<Needs, Options>; readonly config: Config; readonly read: Read },
    ...words: string[]
  ) => Promise<Answer | undefined>
}

type Needed = Readonly<Record<string, string>>
type Optional = Readonly<Record<string, string | readonly [about: string, fallback: string]>>

// What the arguments of most commands are. "*" is the command above.
const ARGUMENTS: Readonly<Record<string, string>> = {
  ID_OR_PREFIX: "as shown by * list",
  SLUG: "as shown by * list",
  PACKAGE_ID: "as shown by line list",
  REPORT_ID: "as shown by line history",
  PRODUCT_ID: "as shown by product list",
  FORMAT_ID: "as shown by format list",
  EMAIL: "the person's address",
}

/** Adds a command on what is stored, such as "revoke <ID_OR_PREFIX>", with --data, --json and what it needs itself. */
export function onData<
  const Needs extends Needed = Record<never, string>,
  const Options extends Optional = Record<never, string>,
  Read = undefined,
>(
  parent: Command,
  context: CliContext,
  usage: string,
  description: string,
  described: DataCommand<Needs, Options, Read>,
): Command {
  const { summary = "", isDefault = false, words = {}, settings = [], reads, asks, run } = described
  const { needs = {}, options = {} }: { readonly needs?: Needed; readonly options?: Optional } = described
  const [name = "", ...given] = usage.split(" ")
  const command = withData(parent.command(name, { isDefault })).description(description).summary(summary)
  if (settings.length > 0) withSettings(command, ...settings)
  for (const argument of given) {
    const word = argument.replace(/[<>[\]]/g, "")
    command.argument(argument, (words[word] ?? ARGUMENTS[word] ?? "").replace("*", parent.name()))
  }
  for (const [flags, about] of Object.entries(needs)) command.requiredOption(flags, about)
  for (const [flags, about] of Object.entries(options))
    if (typeof about === "string") command.option(flags, about)
    else command.option(flags, ...about)
  if (asks !== undefined) command.option("--yes", "do not ask first")
  command.action(async (...all: unknown[]) => {
    const chosen = all[given.length] as Chosen<Needs, Options> & { readonly yes?: boolean }
    const typed = all.slice(0, given.length) as string[]
    const read = reads?.(chosen, ...typed) as Read
    if (asks !== undefined && !chosen.yes) await confirmed(context.io, asks(chosen, ...typed))
    const work = (on: Context, config: Config) => run({ ...on, config, options: chosen, read }, ...typed)
    const answer = await onStore(context, chosen, work)
    answer?.(context.io, chosen)
  })
  return explained(command, described)
}

/** Goes on where the answer is yes, or nobody is there to ask. */
async function confirmed(io: Io, question: string): Promise<void> {
  const answer = await io.ask(`${question} [y/N] `)
  if (answer !== null && !/^y(es)?$/i.test(answer.trim())) throw new UserError("Nothing was changed.")
}
