import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { type TemporaryFolder, temporaryFolder } from "../harness/folder.ts"
import { type CommandResult, tryProgram } from "../harness/program.ts"

/** The file of the README, parsed anew for each test that changes it. */
export const exampleFile = () => JSON.parse(readFileSync(resolve(import.meta.dir, "../../docs/example.json"), "utf8"))

export const PACKAGE_ID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"

/** A data directory in a folder of its own. */
export interface GivenData extends Disposable {
  readonly folder: string
  readonly data: string
  /** Runs a command on the data. */
  run(...args: readonly string[]): Promise<CommandResult>
  /** Runs a command that must succeed, and returns the JSON that it printed. */
  json(...args: readonly string[]): Promise<ReturnType<typeof JSON.parse>>
  /** Imports a file with this content. */
  import(content: unknown, ...args: readonly string[]): Promise<CommandResult>
}

/** Data that doesn't exist yet. */
export function emptyData(): GivenData {
  const folder: TemporaryFolder = temporaryFolder()
  const data = join(folder.path, "data")
  const file = join(folder.path, "file.json")
  const run = (...args: readonly string[]) => tryProgram([...args, "--data", data])
  return {
    folder: folder.path,
    data,
    run,
    async json(...args) {
      const { code, output, errors } = await run(...args, "--json")
      if (code !== 0) throw new Error(`${args.join(" ")}: ${errors}`)
      return JSON.parse(output)
    },
    import(content, ...args) {
      const isText = typeof content === "string" || content instanceof Uint8Array
      writeFileSync(file, isText ? content : JSON.stringify(content))
      return run("import", file, ...args)
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

/** Data with the example in it, or with another file. */
export async function exampleData(content?: unknown): Promise<GivenData> {
  if (content !== undefined) return importedData(content)
  example ??= importedExample()
  const given = emptyData()
  mkdirSync(given.data, { mode: 0o700 })
  writeFileSync(join(given.data, FILE), await example, { mode: 0o600 })
  return given
}

const FILE = "adbooth.db"

let example: Promise<Uint8Array> | undefined

/** The database with the example in it. It's imported once, and each test gets a copy. */
async function importedExample(): Promise<Uint8Array> {
  using given = await importedData(exampleFile())
  return readFileSync(join(given.data, FILE))
}

async function importedData(content: unknown): Promise<GivenData> {
  const given = emptyData()
  const { code, errors } = await given.import(content)
  if (code !== 0) throw new Error(errors)
  return given
}
