import { readFile } from "node:fs/promises"
import { codeOf, messageOf, UserError } from "../domain/user-error.ts"

/** Reads the named file, or standard input for "-". */
export async function readNamed(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await (file === "-" ? Bun.stdin.bytes() : readFile(file)))
  } catch (cause) {
    const explain = EXPLANATIONS[codeOf(cause)] ?? ((name: string) => `${name} can't be read: ${messageOf(cause)}.`)
    throw new UserError(explain(file), { cause })
  }
}

const EXPLANATIONS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `There is no file ${file}.`,
  ENOTDIR: (file) => `There is no file ${file}.`,
  EACCES: (file) => `You don't have permission to read ${file}.`,
  EISDIR: (file) => `${file} is a folder. Name a file.`,
}
