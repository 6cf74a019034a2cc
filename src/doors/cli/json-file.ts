import type { ParseError } from "jsonc-parser"
import { messageOf, UserError } from "../../domain/user-error.ts"
import type { Io } from "./io.ts"

/** Parses a JSON file; "-" is standard input. */
export async function readJsonFile(file: string, io: Io): Promise<unknown> {
  const text = decode(await read(file, io), file)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${file} is not valid JSON: the error is ${await placeOfMistake(text)}. Nothing was changed.`, {
      cause,
    })
  }
}

async function read(file: string, io: Io): Promise<Uint8Array> {
  if (file === "-") return new Response(io.inputStream()).bytes()
  try {
    return await Bun.file(file).bytes()
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      throw new UserError(`There is no file ${file}.`, { cause })
    }
    throw new UserError(`${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
}

// A lenient decoder would import names with missing letters from a file in another encoding.
function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new UserError(`${file} is not UTF-8. Save it in that encoding. Nothing was changed.`, { cause })
  }
}

/** Line and column of the first syntax error in a text that JSON.parse refused: the runtime's message does not tell them. */
export async function placeOfMistake(text: string): Promise<string> {
  const { parse } = await import("jsonc-parser")
  const mistakes: ParseError[] = []
  parse(text, mistakes, { disallowComments: true })
  const { offset = text.length } = mistakes[0] ?? {}
  if (offset >= text.length) return "at its end, which comes too early"
  const lines = text.slice(0, offset).split("\n")
  return `in line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`
}
