import { SETTINGS } from "../src/config.ts"
import { environmentName } from "../src/domain/operations/setting.ts"

// docs/settings.md is made from the table of settings: bun scripts/settings-reference.ts writes it, and a test compares.

export const REFERENCE = "docs/settings.md"

/** The whole page. */
export function settingsReference(): string {
  const all = Object.values(SETTINGS)
  const groups = [...new Set(all.map(({ group }) => group))]
  return `# Settings

*System, Settings* shows those of the running server. What the app can set, it sets there by clicking; the rest is for whoever starts the server.

Each is a variable, and all except secrets are options of \`adbooth serve\`: \`ADBOOTH_PUBLIC_URL\` is \`--public-url\`. With \`_FILE\` at its end, a variable names a file that holds the value (\`ADBOOTH_DATABASE_URL_FILE\`, \`ADBOOTH_SMTP_FILE\`); for secrets and the database URL, so does \`-file\` at the end of an option. A service, and commands on its machine, read variables from \`/etc/adbooth.env\`. Options win over variables, these over what was chosen in the app. \`sudo adbooth doctor --settings\` shows those of the next start.

${groups.map((group) => section(group, all)).join("\n")}`
}

function section(group: string, all: readonly (typeof SETTINGS)[keyof typeof SETTINGS][]): string {
  const rows = all.filter((setting) => setting.group === group)
  return `## ${group}\n\n${rows.map(row).join("\n")}\n`
}

function row({ option, placeholder, fallback, help, isSecret }: (typeof SETTINGS)[keyof typeof SETTINGS]): string {
  const name = isSecret ? `${environmentName(option)}=${placeholder}` : `--${option} ${placeholder}`.trim()
  const unless = fallback === null || Array.isArray(fallback) ? "" : ` (default: ${String(fallback)})`
  return `- \`${name}\`: ${help}${unless}`
}

if (import.meta.main) await Bun.write(REFERENCE, settingsReference())
