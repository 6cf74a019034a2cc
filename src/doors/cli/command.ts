import { Argument, type Command } from "commander"
import type { Context } from "../../actions/context.ts"
import type { Config, SettingName } from "../../config.ts"
import { UserError } from "../../domain/user-error.ts"
import { UsageError } from "./arguments.ts"
import { type CliContext, type CommonOptions, onStore, withSettings } from "./context.ts"
import { type Extras, explained } from "./help.ts"
import { type Io, printJson } from "./io.ts"
import { type List, printDetails, printList } from "./output/table.ts"

/** What a command has to say. It is printed when all else is done, and the store is closed. */
export type CommandOutput = (io: Io, options: CommonOptions) => void

/** JSON for programs, a sentence for people, and what only people at a terminal need to know. */
export const says =
  (value: unknown, text: string, note?: string): CommandOutput =>
  (io, { json }) => {
    if (json) return printJson(io, value)
    io.out(`${text}\n`)
    if (note !== undefined) io.err(`${note}\n`)
  }

export function lists<Row>(rows: readonly Row[], list: List<Row>, empty = list.empty): CommandOutput {
  return (io, options) => printList(io, options, rows, { ...list, empty })
}

/** One thing: JSON, and a name and a value on each line. */
export const describes =
  (json: unknown, details: Parameters<typeof printDetails>[3]): CommandOutput =>
  (io, options) =>
    printDetails(io, options, json, details)

/** "--key-env <NAME>" is keyEnv, a text; "--csv" is csv, true or absent. One with a default is always there. */
type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
type NameOf<Flags> = Flags extends `${string}--${infer Rest}`
  ? Camel<Rest extends `${infer Name} ${string}` ? Name : Rest>
  : never
/** What the options of a command are once they are read. */
export type Chosen<Needs, Options> = CommonOptions & { readonly [Flags in keyof Needs as NameOf<Flags>]: string } & {
  readonly [Flags in keyof Options as Options[Flags] extends string ? never : NameOf<Flags>]: string
} & {
  readonly [Flags in keyof Options as Options[Flags] extends string
    ? NameOf<Flags>
    : never]?: Flags extends `${string}<${string}` ? string : Flags extends `${string}[${string}` ? string | true : true
}

type Needed = Readonly<Record<string, string>>
type Optional = Readonly<Record<string, string | readonly [about: string, fallback: string]>>

export type AddCommand = (parent: Command, cli: CliContext) => void

interface Call<Needs, Options, Read> {
  readonly cli: CliContext
  readonly options: Chosen<Needs, Options>
  readonly read: Read
}

interface Description<Needs, Options, Read> extends Extras {
  readonly summary?: string
  /** What each argument is, where its name does not say it (see ARGUMENTS), with its choices. */
  readonly words?: Readonly<Record<string, string | readonly [about: string, choices: readonly string[]]>>
  readonly needs?: Needs
  /** With the default of those that have one. */
  readonly options?: Options
  readonly settings?: readonly SettingName[]
  /** What --json does; null where there is no such option. */
  readonly json?: string | null
  /** Reads what was typed, before anything is asked or opened; throws a UsageError for what is wrong. */
  readonly reads?: (options: Chosen<Needs, Options>, ...words: string[]) => Read
  /** Asked on a terminal before anything is done that cannot be undone. */
  readonly asks?: (options: Chosen<Needs, Options>, ...words: string[]) => string
  /** What only this command wants of its options. */
  readonly prepare?: (command: Command) => unknown
}

type Runs<Input> = { readonly run: (call: Input, ...words: string[]) => Said | Promise<Said> }
type Said = CommandOutput | undefined

// What the arguments of most commands are. "*" is the command above.
const ARGUMENTS: Readonly<Record<string, string>> = {
  ID_OR_PREFIX: "as shown by * list",
  EMAIL: "the person's address",
}

/** A command that only has others below it. */
export function group(
  name: string,
  description: string,
  { summary = "", below, ...more }: Extras & { readonly summary?: string; readonly below: readonly AddCommand[] },
): AddCommand {
  return (parent, cli) => {
    const made = explained(parent.command(name).helpCommand(false).summary(summary).description(description), more)
    for (const add of below) add(made, cli)
  }
}

/** A command such as "revoke <ID_OR_PREFIX>". */
export function command<
  const Needs extends Needed = Record<never, string>,
  const Options extends Optional = Record<never, string>,
  Read = undefined,
>(
  usage: string,
  description: string,
  about: Description<Needs, Options, Read> & Runs<Call<Needs, Options, Read>>,
): AddCommand {
  const { reads, asks, run } = about
  const [name = "", ...given] = usage.split(" ")
  return (parent, cli) => {
    const made = parent.command(name).helpCommand(false).description(description)
    describe(made, given, about)
    made.action(async (...all: unknown[]) => {
      const options = all[given.length] as Chosen<Needs, Options> & { readonly yes?: boolean }
      const typed = all.slice(0, given.length) as string[]
      const read = reads?.(options, ...typed) as Read
      if (asks !== undefined && !options.yes) await confirmed(cli.io, asks(options, ...typed))
      const answer = await run({ cli, options, read }, ...typed)
      answer?.(cli.io, options)
    })
  }
}

function describe<Needs extends Needed, Options extends Optional, Read>(
  made: Command,
  given: readonly string[],
  { needs, options, ...about }: Description<Needs, Options, Read>,
): void {
  const { summary = "", words = {}, settings = [], json = "print JSON", asks, prepare } = about
  made.summary(summary)
  for (const argument of given) {
    const word = argument.replace(/[<>[\]]|\.\.\./g, "")
    const [text = "", ...choices] = [words[word] ?? ARGUMENTS[word] ?? ""].flat(2)
    const added = new Argument(argument, text.replace("*", made.parent?.name() ?? ""))
    made.addArgument(choices.length === 0 ? added : added.choices(choices))
  }
  for (const [flags, text] of Object.entries(needs ?? {})) made.requiredOption(flags, text)
  for (const [flags, text] of Object.entries(options ?? {})) made.option(flags, ...([text].flat() as [string, string?]))
  if (asks !== undefined) made.option("--yes", "do not ask first")
  if (json !== null) made.option("--json", json)
  withSettings(made, settings)
  prepare?.(made)
  explained(made, about)
}

/** Where everything is stored. */
export const DATA = ["data", "databaseUrl"] as const satisfies SettingName[]

export function onData<
  const Needs extends Needed = Record<never, string>,
  const Options extends Optional = Record<never, string>,
  Read = undefined,
>(
  usage: string,
  description: string,
  {
    run,
    settings = [],
    ...about
  }: Description<Needs, Options, Read> & Runs<Call<Needs, Options, Read> & Context & { readonly config: Config }>,
): AddCommand {
  return command<Needs, Options, Read>(usage, description, {
    ...about,
    settings: [...DATA, ...settings],
    run: (call, ...words) =>
      onStore(call.cli, call.options, async (on, config) => run({ ...on, ...call, config }, ...words)),
  })
}

/** Whether the answer is yes. Without a terminal nothing is asked. */
export async function isConfirmed(io: Io, question: string): Promise<boolean> {
  const answer = await io.ask(`${question} [y/N] `)
  if (answer === null)
    throw new UsageError(`${question}\nWithout a terminal nothing is asked, and nothing was changed. Add --yes.`)
  return /^y(es)?$/i.test(answer.trim())
}

async function confirmed(io: Io, question: string): Promise<void> {
  if (!(await isConfirmed(io, question))) throw new UserError("Nothing was changed.")
}
