import { UserError } from "../../domain/user-error.ts"
import type { Io } from "./io.ts"
import { placeOfMistake } from "./json-place.ts"

/** The value in a JSON file; "-" is standard input. UserError when there is none. */
export async function readJsonFile(file: string, io: Io): Promise<unknown> {
  const text = decode(await read(file, io), file)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${file} is not JSON: it goes wrong ${placeOfMistake(text)}. Nothing was changed.`, { cause })
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
    throw new UserError(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

// Read leniently, a file in another encoding would bring in names with letters missing.
function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new UserError(`${file} is not in UTF-8. Save it in that encoding. Nothing was changed.`, { cause })
  }
}
