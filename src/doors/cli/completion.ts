import { type Command, Help, type Option } from "commander"
import { BUILT_IN } from "../../domain/presets/built-in.ts"
import { FIGURES } from "../../domain/upload/upload.ts"
import type { ListedKey, StoreReads } from "../../storage/port/store.ts"

/** Runs `work` on the store that the options name; an empty list where that is not possible. */
export type WithStore = (
  options: Readonly<Record<string, string>>,
  work: (store: StoreReads) => Promise<readonly Candidate[]>,
) => Promise<readonly Candidate[]>

/** Completions of the last word: commands and options that commander knows, and values that are stored. */
export async function candidates(program: Command, words: readonly string[], withStore: WithStore) {
  const last = words.at(-1) ?? ""
  const typed = read(program, words.slice(0, -1))
  const offered = last.startsWith("-") && typed.awaited === null ? optionsOf(typed) : await valuesFor(typed, withStore)
  const unique = new Map(offered.map((candidate) => [candidate.value, candidate]))
  return [...unique.values()]
    .filter(({ value }) => value.startsWith(last))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1))
}

interface Typed {
  readonly command: Command
  /** The names of the command and of those above it. */
  readonly path: readonly string[]
  /** How many arguments the command has so far. */
  readonly given: number
  readonly options: Readonly<Record<string, string>>
  /** The option whose value comes next. */
  readonly awaited: Option | null
}

function read(program: Command, words: readonly string[]): Typed {
  const start: Typed = { command: program, path: [], given: 0, options: {}, awaited: null }
  return words.reduce(next, start)
}

function next(typed: Typed, word: string): Typed {
  const { command, path, given, options, awaited } = typed
  if (awaited !== null) return { ...typed, options: { ...options, [awaited.attributeName()]: word }, awaited: null }
  if (word.startsWith("-")) {
    const option = command.options.find(({ long, short }) => long === word || short === word)
    return { ...typed, awaited: option?.required ? option : null }
  }
  const below = command.commands.find((child) => child.name() === word)
  if (below === undefined) return { ...typed, given: given + 1 }
  return { ...typed, command: below, path: [...path, word], given: 0 }
}

function optionsOf({ command, options }: Typed): Candidate[] {
  const left = command.options.filter((option) => options[option.attributeName()] === undefined)
  const offered = left.map(({ long, description }) => ({ value: long ?? "", about: description }))
  return [...offered, { value: "--help", about: "show help" }]
}

async function valuesFor(typed: Typed, withStore: WithStore): Promise<readonly Candidate[]> {
  const { command, path, given, options, awaited } = typed
  const argument = command.registeredArguments[given]
  const name = awaited?.long ?? argument?.name()
  const choices = (awaited ?? argument)?.argChoices
  if (choices !== undefined) return choices.map((value) => ({ value }))
  const values = name === undefined ? null : valuesOf(path, name)
  if (values !== null) return typeof values === "function" ? withStore(options, values) : values
  if (awaited !== null) return []
  return new Help().visibleCommands(command).map((child) => ({ value: child.name(), about: child.description() }))
}

/** Something to type, and what it is. */
export interface Candidate {
  readonly value: string
  readonly about?: string
}

type Read = (store: StoreReads) => Promise<readonly Candidate[]>

const only = (values: readonly string[]) => [...new Set(values)].map((value) => ({ value }))

const active = (keys: readonly ListedKey[]) =>
  keys.filter(({ revokedAt }) => revokedAt === null).map(({ prefix, label }) => ({ value: prefix, about: label }))

const organizations: Read = async ({ organizations }) =>
  (await organizations.list()).map(({ slug, name }) => ({ value: slug, about: name }))
const lines: Read = async ({ packageLines }) =>
  (await packageLines.listWithTotals(null)).map(({ packageId, campaign, name }) => ({
    value: packageId,
    about: `${campaign}: ${name}`,
  }))
const campaigns: Read = async ({ packageLines }) =>
  only((await packageLines.listWithTotals(null)).map(({ campaign }) => campaign))
const products: Read = async ({ catalogue }) =>
  (await catalogue.products()).map(({ productId, body }) => ({
    value: productId,
    about: String((body as { name?: unknown }).name ?? ""),
  }))
const formats: Read = async ({ catalogue }) => {
  const { builtInFormats } = await import("../../domain/adcp/catalogue/built-in/index.ts")
  const own = (await catalogue.formats()).map(({ formatId }) => ({ value: formatId }))
  return [...own, ...builtInFormats.map(({ format_id, name }) => ({ value: format_id.id, about: name }))]
}
const ingestKeys: Read = async ({ ingestKeys }) => active(await ingestKeys.list(null))
const agentKeys: Read = async ({ agentKeys }) => active(await agentKeys.list())
const people: Read = async ({ users }) => (await users.list()).map(({ email, name }) => ({ value: email, about: name }))
const presets = BUILT_IN.map(({ name, title }) => ({ value: name, about: title }))

// What an option or an argument takes; with the command before it where the same name means different things.
const VALUES: Readonly<Record<string, Read | readonly Candidate[]>> = {
  "--org": organizations,
  "--buyer": organizations,
  "org SLUG": organizations,
  "agent-key SLUG": organizations,
  "campaign SLUG": campaigns,
  "key ID_OR_PREFIX": ingestKeys,
  "activity --rejected": ingestKeys,
  "agent-key ID_OR_PREFIX": agentKeys,
  "report --preset": presets,
  "report NAME": presets,
  "report --figures": only(FIGURES),
  "calls --key": async (store) => [...(await agentKeys(store)), { value: "anonymous", about: "without a key" }],
  "calls --tool": async ({ agentCallLog }) => only((await agentCallLog.filterOptions()).tools),
  "calls --outcome": async ({ agentCallLog }) => only((await agentCallLog.filterOptions()).outcomes),
  PACKAGE_ID: lines,
  PRODUCT_ID: products,
  FORMAT_ID: formats,
  EMAIL: people,
  "user link --email": people,
  "--role": only(["admin", "member"]),
  "--log-format": only(["json", "text"]),
}

/** What can stand for an option or an argument of a command; null where only the person can know. */
export function valuesOf(path: readonly string[], name: string): Read | readonly Candidate[] | null {
  return VALUES[[...path, name].join(" ")] ?? VALUES[`${path[0]} ${name}`] ?? VALUES[name] ?? null
}
