import type { Command, Option } from "commander"
import type { StoreReads } from "../../../storage/port/store.ts"
import { type Candidate, valuesOf } from "./values.ts"

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
  const unique = new Map(offered.map((one) => [one.value, one]))
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
  const below = command.commands.find((one) => one.name() === word)
  if (below === undefined) return { ...typed, given: given + 1 }
  return { ...typed, command: below, path: [...path, word], given: 0 }
}

function optionsOf({ command, options }: Typed): Candidate[] {
  const left = command.options.filter((option) => !option.hidden && options[option.attributeName()] === undefined)
  const known = left.map(({ long, description }) => ({ value: long ?? "", about: description }))
  return [...known, { value: "--help", about: "show help" }]
}

const HIDDEN = ["complete-words", "help"]

async function valuesFor(typed: Typed, withStore: WithStore): Promise<readonly Candidate[]> {
  const { command, path, given, options, awaited } = typed
  const argument = command.registeredArguments[given]
  const name = awaited?.long ?? argument?.name()
  const choices = (awaited ?? argument)?.argChoices
  if (choices !== undefined) return choices.map((value) => ({ value }))
  const values = name === undefined ? null : valuesOf(path, name)
  if (values !== null) return withStore(options, values)
  if (awaited !== null) return []
  return command.commands
    .filter((one) => !HIDDEN.includes(one.name()))
    .map((one) => ({ value: one.name(), about: one.description() }))
}
