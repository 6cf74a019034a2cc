import { Type } from "@sinclair/typebox"
import { CALL_LOG_DAYS } from "../../domain/limits.ts"
import type { MovedValues } from "../../domain/operations/former-settings.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { settingOf } from "../../storage/steps/operations.ts"
import { verb } from "../context.ts"
import { setSetting, settingAs } from "../settings.ts"

type Settings = Pick<StoreReads, "settings">

/** Whether agents may read delivery: an option of the server goes first, then what somebody chose. Off otherwise. */
export const isDeliveryOn = async ({ settings }: Settings, given: { readonly agentDelivery: boolean | null }) =>
  given.agentDelivery ?? (await settings.get("agent_delivery")) === "on"

/** Chooses it; whatever an option of the server says still goes first. */
export const switchDelivery = verb(function* (tx, isOn: boolean, by: Change) {
  const details = { agent_delivery: isOn ? "on" : "off" }
  yield* setSetting(tx, "agent_delivery", details.agent_delivery)
  // Agents are shown another list of tools.
  tx.movesCatalogue?.()
  yield* audit(tx, by, { action: "change agent_delivery", subject: "installation", details })
})

/** Whom buyers ask; null where nobody has said. */
export const namedContact = async ({ settings }: Settings) => (await settings.get("agent_contact")) || null

export const nameContact = verb(function* (tx, contact: string, by: Change) {
  yield* setSetting(tx, "agent_contact", contact)
  // It is part of what agents are shown.
  tx.movesCatalogue?.()
  yield* audit(tx, by, { action: "change agent_contact", subject: contact })
})

/** What this server publishes under /.well-known. */
export interface Listing {
  /** The domains that adagents.json says the agent sells for. Where there are none, there is no such file. */
  readonly domains: readonly string[]
  /** The company of brand.json; null where there is no such file. */
  readonly brand: string | null
}

export async function listingOf({ settings }: Settings): Promise<Listing> {
  const [domains, brand] = await Promise.all([settings.get("adagents_domains"), settings.get("brand_name")])
  return { domains: (domains ?? "").split(",").filter(Boolean), brand: brand || null }
}

export const chooseListing = verb(function* (tx, { domains, brand }: Listing, by: Change) {
  yield* setSetting(tx, "adagents_domains", domains.join())
  yield* setSetting(tx, "brand_name", brand ?? "")
  // Agents are told the domains, too.
  tx.movesCatalogue?.()
  const details = { domains: domains.join(", ") || "none", brand: brand ?? "none" }
  yield* audit(tx, by, { action: "change listing", subject: "installation", details })
})

const chosenDays = settingAs("call_log_days", Type.Number())

/** For how many days calls are kept. */
export const callLogDays = async (store: Settings) => (await chosenDays(store)) ?? CALL_LOG_DAYS

export const chooseCallLogDays = verb(function* (tx, days: number, by: Change) {
  yield* setSetting(tx, "call_log_days", String(days))
  yield* audit(tx, by, { action: "change call_log_days", subject: "installation", details: { days: String(days) } })
})

/** Stores what earlier builds took from options and variables, at the first start of this one; later it is chosen in the app alone. */
export const takeOverSettings = verb(function* (tx, values: MovedValues, by: Change) {
  const given = Object.entries(values) as [keyof MovedValues, string][]
  if ((yield* settingOf(tx, "settings_taken_over")) !== null) return {}
  yield* setSetting(tx, "settings_taken_over", "yes")
  if (given.length === 0) return {}
  for (const [name, value] of given) yield* setSetting(tx, name, value)
  tx.movesCatalogue?.()
  yield* audit(tx, by, { action: "take over settings", subject: "installation", details: { ...values } })
  return values
})
