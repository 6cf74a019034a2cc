import { readFileSync } from "node:fs"
import { codeOf, messageOf, UserError } from "../domain/user-error.ts"

/** What a file that somebody named says, or why it cannot be read. */
export const readText = (file: string): string => inWords(file, () => readFileSync(file, "utf8"))

export const readBytes = (file: string): Uint8Array => inWords(file, () => readFileSync(file))

/** Runs what reads a file; what the system says of a failure becomes a sentence. */
export function inWords<Result>(file: string, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    throw new UserError(WORDS[codeOf(cause)]?.(file) ?? `${file} cannot be read: ${messageOf(cause)}.`, { cause })
  }
}

const WORDS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `There is no file ${file}.`,
  ENOTDIR: (file) => `There is no file ${file}.`,
  EACCES: (file) => `This user is not allowed to read ${file}.`,
  EISDIR: (file) => `${file} is a folder. Name a file.`,
}
