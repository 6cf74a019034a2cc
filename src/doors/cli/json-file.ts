import { messageOf, UserError } from "../../domain/user-error.ts"
import type { Io } from "./io.ts"

/** Parses a JSON file; "-" is standard input. */
export async function readJsonFile(file: string, io: Io): Promise<unknown> {
  const text = decode(await read(file, io), file)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${file} is not valid JSON: the error is ${placeOfMistake(text)}. Nothing was changed.`, {
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

const SPACE = /[ \t\r\n]*/y
const TOKEN =
  /"(?:[^"\\\r\n\t]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])|true|false|null|[{}[\],:]/y

// What may follow each token. "end" closes the innermost bracket.
const NEXT: Readonly<Record<string, string>> = { "{": "key end", "[": "value end", ",key": "key", ",value": "value" }

/** Line and column of the first syntax error in a text that JSON.parse refused: the runtime's message does not tell them. */
export function placeOfMistake(text: string): string {
  const open: string[] = []
  let expected = "value"
  let at = 0
  for (;;) {
    at += matchAt(SPACE, text, at).length
    const token = matchAt(TOKEN, text, at)
    const next = token === "" ? undefined : after(token, expected, open)
    if (next === undefined) return at === text.length ? "at its end, which comes too early" : inWords(text, at)
    expected = next
    at += token.length
  }
}

/** What may follow a token; undefined when the token is not allowed here. */
function after(token: string, expected: string, open: string[]): string | undefined {
  const inside = open.at(-1) === "{" ? "key" : "value"
  if (token === "}" || token === "]") {
    if (!expected.includes("end") || open.pop() !== (token === "}" ? "{" : "[")) return undefined
    return open.length > 0 ? "comma end" : "nothing"
  }
  if (token === ",") return expected.includes("comma") ? NEXT[`,${inside}`] : undefined
  if (token === ":") return expected === "colon" ? "value" : undefined
  if (expected.includes("key")) return token.startsWith('"') ? "colon" : undefined
  if (!expected.includes("value")) return undefined
  if (token !== "{" && token !== "[") return open.length > 0 ? "comma end" : "nothing"
  open.push(token)
  return NEXT[token]
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ""
}

function inWords(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n")
  return `in line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`
}
