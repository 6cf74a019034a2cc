import { readFile } from "node:fs/promises"
import { InvalidSetting } from "../domain/operations/service-settings.ts"
import { messageOf, UserError } from "../domain/user-error.ts"

/** What a setting, or the file that stands in for it, says. */
export async function settingOrFile<Value>(
  given: string | null,
  file: string | null,
  option: string,
  read: (text: string) => Value | InvalidSetting,
): Promise<Value | null> {
  if (given === null && file === null) return null
  const text = given ?? (await contentOf(file ?? "", option))
  const value = read(text)
  if (value instanceof InvalidSetting) throw new UserError(`The content of --${option} ${value.sentence}.`)
  return value
}

async function contentOf(path: string, option: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim()
  } catch (cause) {
    throw new UserError(`The file of --${option} cannot be read (${messageOf(cause)}).`, { cause })
  }
}
