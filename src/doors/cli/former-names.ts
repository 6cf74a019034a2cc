const IN_APP_OR_EXPORT = 'is shown by the app, and by "adbooth export"'

// Commands of earlier builds, and where each went.
const FORMER: Readonly<Record<string, string>> = {
  "setup-link": 'is now "adbooth user setup-link"',
  lines: 'is now "adbooth line list"',
  restore: 'is now "adbooth backup restore"',
  config: 'is now "adbooth doctor --settings"',
  version: 'is now "adbooth --version"; "adbooth doctor" names the versions of its parts',
  health: 'is now "adbooth doctor --ready"',
  openapi: "is at /openapi.json of every server",
  org: IN_APP_OR_EXPORT,
  campaign: IN_APP_OR_EXPORT,
  product: IN_APP_OR_EXPORT,
  format: IN_APP_OR_EXPORT,
  order: "is shown by the app: Orders, which has a CSV file, too",
  alerts: "is in the app: System, Alerts, Send a test alert",
  "agent-key open": 'is in the app: Agent sales, Buyers’ keys. "adbooth import" does it from a file',
  "agent-key close": "is in the app: Agent sales, Buyers’ keys",
  "agent-key preview": "is in the app: Agent sales, Buyers’ keys, What it sees",
  "user role": "is in the app: People of the organization",
  "user remove": "is in the app: System, All people",
  "line withdraw": "is in the app, on the page of the line",
  "report presets": "is in the guide docs/files.md, which lists the exports that are known",
}

/** Where a command of an earlier build went; null for what never was one. */
export function whereItWent([first = "", second = ""]: readonly string[]): string | null {
  const name = [`${first} ${second}`, first].find((words) => words in FORMER)
  return name === undefined ? null : `"adbooth ${name}" ${FORMER[name]}.`
}
