import { FORMER } from "../domain/operations/former-settings.ts"
import { attributeOf, environmentName } from "../domain/operations/setting.ts"
import { messageOf } from "../domain/user-error.ts"
import { readText } from "./read-text.ts"

type Given = Readonly<{ text: string; from: "option" | "environment"; name: string }>
export type SettingReader = ReturnType<typeof settingReader>

// Anything else may be the secret itself, by mistake, and is not repeated.
const PATH = /^(?:\/|\.\.?\/|[A-Za-z]:\\)/

/** Reads what was given: with -file or _FILE at the end of its name, the name of a file that holds the value. */
export function settingReader(
  options: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const problems: string[] = []
  const files: string[] = []
  function inFile(file: string, name: string): string {
    files.push(file)
    try {
      return readText(file).trim()
    } catch (cause) {
      problems.push(`${name}: ${PATH.test(file) ? messageOf(cause) : "there is no file of this name."}`)
      return ""
    }
  }
  function oneOf(plain: [name: string, value: unknown], file: [name: string, value: unknown]) {
    const [[name, value], [fileName, path]] = [plain, file]
    if (value !== undefined && path !== undefined) problems.push(`Give ${name} or ${fileName}, not both.`)
    if (value !== undefined) return { name, text: value === true ? "on" : String(value) }
    const text = path === undefined ? "" : inFile(String(path), fileName)
    return text === "" ? undefined : { name: fileName, text }
  }
  function byName(option: string): Given | undefined {
    const typed = (flag: string): [string, unknown] => [`--${flag}`, options[attributeOf(flag)]]
    const byOption = oneOf(typed(option), typed(`${option}-file`))
    if (byOption !== undefined) return { ...byOption, from: "option" }
    const own = environmentName(option)
    // Hosting platforms set PORT.
    const variable = option === "port" && !environment[own] ? "PORT" : own
    const set = (name: string): [string, unknown] => [name, environment[name] || undefined]
    const byVariable = oneOf(set(variable), set(`${own}_FILE`))
    return byVariable && { ...byVariable, from: "environment" }
  }
  const formerName = (option: string) => Object.keys(FORMER).find((former) => FORMER[former]?.now === option)
  function givenFor(option: string): Given | undefined {
    const former = formerName(option)
    return byName(option) ?? (former === undefined ? undefined : byName(former))
  }
  return { givenFor, problems, files }
}
