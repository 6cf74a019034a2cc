// npm run settings: writes docs/settings.md from the table of settings. A test compares both.
import { optionOf, SETTINGS, type SettingName, variableOf } from "../src/config.ts"

export const REFERENCE = "docs/settings.md"

const NAMES = Object.keys(SETTINGS) as SettingName[]

const INTRODUCTION = `# Settings

Every setting is an option of \`adbooth serve\` and an environment variable: \`--public-url\` is \`ADBOOTH_PUBLIC_URL\`.
Passwords and keys are only variables, because every user of a machine can read the options of a program. A variable whose
name ends with \`_FILE\`, such as \`ADBOOTH_SMTP_FILE\`, names a file that contains the value. Settings that may hold a
secret also have an option for that file, such as \`--smtp-file\`. The port is also read from \`PORT\`.

Options take precedence over variables, and variables take precedence over what you choose in the app. The service and its commands read
variables from \`/etc/adbooth.env\`. \`adbooth doctor\` prints every setting and where it comes from.
`

/** The whole page. */
export function settingsReference(): string {
  const groups = Map.groupBy(NAMES, (name) => SETTINGS[name].group)
  const sections = [...groups].map(([group, names]) => `## ${group.slice(0, -1)}\n\n${names.map(row).join("\n")}\n`)
  return [INTRODUCTION, ...sections].join("\n")
}

function row(name: SettingName): string {
  const { placeholder, help, fallback, ...setting } = SETTINGS[name]
  const isSecret = "isSecret" in setting && setting.isSecret === true
  const option = `${optionOf(name)}${placeholder === "" ? "" : ` <${placeholder}>`}`
  const isShown = fallback !== null && String(fallback) !== "" && !help.includes("(default")
  return `- \`${isSecret ? variableOf(name) : option}\`: ${help}${isShown ? ` (default: ${fallback})` : ""}`
}

if (import.meta.main) await Bun.write(REFERENCE, settingsReference())
