import type { Change } from "../../domain/people/audit.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { verb } from "../context.ts"
import { setSetting } from "../settings.ts"

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

/** Whom buyers ask: an option of the server goes first, then what somebody wrote; null where nobody has said. */
export const contactInForce = async ({ settings }: Settings, given: { readonly agentContact: string | null }) =>
  given.agentContact ?? (await settings.get("agent_contact"))

/** Writes it; whatever an option of the server says still goes first. */
export const nameContact = verb(function* (tx, contact: string, by: Change) {
  yield* setSetting(tx, "agent_contact", contact)
  // It is part of what agents are shown.
  tx.movesCatalogue?.()
  yield* audit(tx, by, { action: "change agent_contact", subject: contact })
})
