import { CALLS_KEPT_MAX, UPLOAD_MEBIBYTES } from "../limits.ts"
import * as kind from "./setting.ts"

/** Settings of earlier builds that are chosen in the app now, as they are stored. */
type MovedName = "agent_contact" | "adagents_domains" | "brand_name" | "call_log_days" | "alert_disk_mb"
/** What was in force of them. */
export type MovedValues = Readonly<Partial<Record<MovedName, string>>>

interface FormerSetting {
  /** What to do, after its name. */
  readonly advice: string
  /** What it is called now: it is still read. */
  readonly now?: string
  /** The first start of this version stores what was in force, under this name. */
  readonly moved?: Readonly<{ stored: MovedName; read: ReadSetting }>
}

type ReadSetting = (text: string) => unknown

const gone = (instead: string): FormerSetting => ({ advice: `is no longer used; remove it: ${instead}.` })
const renamed = (now: string): FormerSetting => ({ advice: "It is still read: rename it.", now })
const inApp = (where: string, stored: MovedName, { read }: { readonly read: ReadSetting }): FormerSetting => ({
  advice: `is chosen in the app now: ${where}. The first start of this version stores its value; remove it after that.`,
  moved: { stored, read },
})

const GET_LISTED = "Agent sales, Get listed"
const USER_CREATE = 'the first operator is made with "adbooth user setup-link" or "adbooth user create --operator"'

/** Settings of earlier builds, by the name of their option, and what became of each. */
export const FORMER: Readonly<Record<string, FormerSetting>> = {
  "acme-email": gone("the address for certificates is chosen in the app: System, HTTPS"),
  "agent-contact": inApp(GET_LISTED, "agent_contact", kind.LINE),
  "agent-port": gone("the agent answers at the address of the server; for one of its own, see agent-url"),
  "alert-disk-mb": inApp("System, Alerts", "alert_disk_mb", kind.DISK_MB),
  "alert-from": renamed("mail-from"),
  "alert-smtp": renamed("smtp"),
  "call-log-days": inApp("System, Settings", "call_log_days", kind.DAYS_KEPT),
  "call-log-mb": gone(
    `the log keeps ${CALLS_KEPT_MAX.toLocaleString("en")} calls at most, and how many days is chosen in the app: System, Settings`,
  ),
  "max-upload-mb": gone(`a file has at most ${UPLOAD_MEBIBYTES} MB; split a larger one`),
  "operator-email": gone(USER_CREATE),
  "operator-password-file": gone(USER_CREATE),
  presets: gone("somebody says once in the app how such a file is read"),
  "publish-adagents": inApp(GET_LISTED, "adagents_domains", kind.DOMAINS),
  "publish-brand": inApp(GET_LISTED, "brand_name", kind.LINE),
}

/** Options that a unit file of an earlier build may have. They stop no server. A secret was one only as the name of a file. */
export const FORMER_OPTIONS = Object.keys(FORMER).map((option) =>
  option === "alert-smtp" ? "alert-smtp-file" : option,
)

/** What to do about a setting of an earlier build, given as `name`; undefined for what never was one. */
export function aboutFormer(option: string, name: string, nameOf: (option: string) => string): string | undefined {
  const end = option in FORMER ? "" : (/-file$/.exec(option)?.[0] ?? "")
  const former = FORMER[option.slice(0, option.length - end.length)]
  if (former === undefined) return undefined
  const { advice, now } = former
  return now === undefined ? `${name} ${advice}` : `${name} is now called ${nameOf(now + end)}. ${advice}`
}
