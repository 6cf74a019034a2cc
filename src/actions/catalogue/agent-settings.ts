import { contactError } from "../../domain/adcp/adagents.ts"
import { isDomain } from "../../domain/adcp/catalogue/check.ts"
import { digestOf } from "../../domain/adcp/text.ts"
import { randomCharacters } from "../../domain/api-key.ts"
import { type Errors, errorsIn } from "../../domain/errors.ts"
import { type InForce, inForce } from "../../domain/operations/setting-kinds.ts"
import { isTidy } from "../../domain/text.ts"
import type { ReadTx } from "../../storage/database.ts"
import { saveSetting, settingOf } from "../../storage/operations/settings.ts"
import { type Actor, type Context, change } from "../context.ts"

/** What the operator chose for the sales agent. */
export interface AgentSettings {
  /** Who buyers should contact. Null if the operator named no contact. */
  readonly contact: string | null
  /** The domains that adagents.json lists for this agent. Without any, the file isn't published. */
  readonly domains: readonly string[]
  /** The company in brand.json. If it's null, the file isn't published. */
  readonly company: string | null
  readonly takesOrders: boolean
  /** Whether buyers' agents may read delivery. An option of the server takes precedence. */
  readonly tellsDelivery: boolean
  /** For how many days calls are kept. */
  readonly logDays: number
}

export const LOG_DAYS_MAX = 365

const DEFAULTS: AgentSettings = {
  contact: null,
  domains: [],
  company: null,
  takesOrders: true,
  tellsDelivery: false,
  logDays: 30,
}

const SETTING = "agent"

export async function agentSettings(read: ReadTx): Promise<AgentSettings> {
  const stored = await settingOf(read, SETTING)
  return stored === null ? DEFAULTS : { ...DEFAULTS, ...JSON.parse(stored) }
}

/** Whether buyers' agents may read delivery, and who decided. */
export const deliveryInForce = (
  { config }: Pick<Context, "config">,
  { tellsDelivery }: AgentSettings,
): InForce<boolean> => inForce(config.agentDelivery, tellsDelivery ? true : null, false)

/** Differs after every change of the settings. */
export const settingsVersion = (settings: AgentSettings): string => digestOf(JSON.stringify(settings))

/** Changes the given settings and keeps the rest. "changed" if they aren't the ones that a form began with. */
export async function changeAgentSettings(
  context: Context,
  actor: Actor,
  changes: Partial<AgentSettings>,
  version?: string,
): Promise<{ readonly saved: true } | { readonly errors: Errors } | "changed"> {
  const errors = errorsInSettings(changes)
  if (Object.keys(errors).length > 0) return { errors }
  return change(context, actor, async (tx, audit) => {
    const before = await agentSettings(tx)
    if (version !== undefined && settingsVersion(before) !== version) return "changed"
    const settings = { ...before, ...changes }
    const names = Object.keys(changes) as (keyof AgentSettings)[]
    const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(settings[name]))
    if (changed.length > 0) {
      await saveSetting(tx, SETTING, JSON.stringify(settings))
      await audit(null, `changed the sales agent's settings: ${changed.map((name) => WORDS[name]).join(", ")}`)
    }
    return { saved: true }
  })
}

const WORDS: Readonly<Record<keyof AgentSettings, string>> = {
  contact: "contact",
  domains: "domains",
  company: "company",
  takesOrders: "orders",
  tellsDelivery: "delivery",
  logDays: "days of the call log",
}

function errorsInSettings({ contact, domains = [], company, logDays = 1 }: Partial<AgentSettings>): Errors {
  const wrong = domains.find((domain) => !isDomain(domain))
  const isDays = Number.isInteger(logDays) && logDays >= 1 && logDays <= LOG_DAYS_MAX
  return errorsIn({
    contact: contact == null ? undefined : (contactError(contact) ?? undefined),
    domains: wrong === undefined ? undefined : `“${wrong}” isn’t a domain such as example.com.`,
    company: company == null || isTidy(company, 200) ? undefined : "Enter a name of up to 200 characters.",
    logDays: isDays ? undefined : `Enter a whole number from 1 to ${LOG_DAYS_MAX}.`,
  })
}

const ORDER_SECRET = "secret.orders"

/** The secret that order links depend on. It's created when it's first needed. */
export async function orderSecret({ database }: Pick<Context, "database">): Promise<string> {
  const stored = await settingOf(database.read, ORDER_SECRET)
  if (stored !== null) return stored
  return database.transact(async (tx) => {
    const existing = await settingOf(tx, ORDER_SECRET)
    if (existing !== null) return existing
    const secret = randomCharacters(40)
    await saveSetting(tx, ORDER_SECRET, secret)
    return secret
  })
}
