import { escapeHtml } from "./escape-html.ts"

/** Where this installation is reached. */
export interface Addresses {
  /** Without a slash at the end. */
  readonly origin: string
  /** The sales agent, with a slash at the end. */
  readonly agent: string
}

// Characters that no guide contains. They stand for the addresses until a page is asked for.
const ORIGIN = "\uE000"
const AGENT = "\uE001"

// Longer ones first. The buyers' guide writes the address of the agent with a slash at the end.
const IN_EXAMPLES: readonly (readonly [RegExp, string])[] = [
  [/https:\/\/ads\.example\.com\//g, AGENT],
  [/https:\/\/ads\.example\.com/g, ORIGIN],
  [/http:\/\/127\.0\.0\.1:3000\//g, AGENT],
  // From the environment, in Python, JavaScript and shells.
  [/os\.environ\["ADBOOTH_URL"\] \+ "/g, `"${ORIGIN}`],
  [/\$\{process[.]env\.ADBOOTH_URL\}/g, ORIGIN],
  [/\$ADBOOTH_URL/g, ORIGIN],
]

/** Marks the places of addresses in code. A sentence may name the variable itself, which stays. */
export function markAddresses(code: string): string {
  if (code === "$ADBOOTH_URL") return code
  return IN_EXAMPLES.reduce((text, [example, mark]) => text.replaceAll(example, mark), code)
}

/** Puts the addresses of this installation into a text. */
export function fillAddresses(text: string, { origin, agent }: Addresses): string {
  return text.replaceAll(ORIGIN, () => origin).replaceAll(AGENT, () => agent)
}

/** For a page rather than a text. */
export function escapedAddresses({ origin, agent }: Addresses): Addresses {
  return { origin: escapeHtml(origin), agent: escapeHtml(agent) }
}
