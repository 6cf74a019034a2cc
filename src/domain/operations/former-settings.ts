import { CALLS_KEPT_MAX, UPLOAD_MEBIBYTES } from "../limits.ts"
import * as kind from "./setting.ts"

// Settings of earlier builds, by the name of their option: chosen in the app now, called something else, or gone.

const GET_LISTED = "Agent sales, Get listed"

export const CALL_LOG_DAYS = kind.wholeNumber("N", 1, 3_650)
export const DISK_MB = kind.wholeNumber("MB", 1, 1_000_000_000)
export const LINE = kind.line("TEXT")
export const DOMAINS = kind.domains("DOMAIN,...")

/** Chosen in the app: the first start of this version stores the value that was in force. */
export const MOVED = {
  "agent-contact": { stored: "agent_contact", kind: LINE, where: GET_LISTED },
  "publish-adagents": { stored: "adagents_domains", kind: DOMAINS, where: GET_LISTED },
  "publish-brand": { stored: "brand_name", kind: LINE, where: GET_LISTED },
  "call-log-days": { stored: "call_log_days", kind: CALL_LOG_DAYS, where: "System, Settings" },
  "alert-disk-mb": { stored: "alert_disk_mb", kind: DISK_MB, where: "System, Alerts" },
} as const

export type MovedOption = keyof typeof MOVED
/** What was in force of them, by the name that it is stored under. */
export type MovedValues = Readonly<Partial<Record<(typeof MOVED)[MovedOption]["stored"], string>>>

/** Still read by their former names. */
export const RENAMED: Readonly<Record<string, string>> = { "alert-smtp": "smtp", "alert-from": "mail-from" }

const USER_CREATE = 'the first operator is made with "adbooth user setup-link" or "adbooth user create --operator"'

/** Gone, and what to do instead. */
export const GONE: Readonly<Record<string, string>> = {
  "acme-email": "the address for certificates is chosen in the app: System, HTTPS",
  "agent-port": "the agent answers at the address of the server; for one of its own, see agent-url",
  "call-log-mb": `the log keeps ${CALLS_KEPT_MAX.toLocaleString("en")} calls at most, and how many days is chosen in the app: System, Settings`,
  "max-upload-mb": `a file has at most ${UPLOAD_MEBIBYTES} MB; split a larger one`,
  "operator-email": USER_CREATE,
  "operator-password-file": USER_CREATE,
  presets: "somebody says once in the app how such a file is read",
}

/** Options that a unit file of an earlier build may have. They stop no server. */
export const FORMER_OPTIONS = [...Object.keys(MOVED), ...Object.keys(GONE), "alert-from", "alert-smtp-file"]

/** What to do about a setting of an earlier build, given as `name`; undefined for what never was one. */
export function aboutFormer(option: string, name: string, nameOf: (option: string) => string): string | undefined {
  const [, plain = option, end = ""] = /^(.*?)(-file)?$/.exec(option) ?? []
  const present = RENAMED[plain]
  if (present !== undefined) return `${name} is now called ${nameOf(present + end)}. It is still read: rename it.`
  const moved = Object.entries(MOVED).find(([known]) => known === plain)?.[1]
  if (moved !== undefined)
    return `${name} is chosen in the app now: ${moved.where}. The first start of this version stores its value; remove it after that.`
  const gone = GONE[option]
  return gone && `${name} is no longer used; remove it: ${gone}.`
}
