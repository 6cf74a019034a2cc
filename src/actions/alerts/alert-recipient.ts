import type { Change } from "../../domain/people/audit.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import type { Step, Tx } from "../../storage/steps/step.ts"
import { verb } from "../context.ts"
import { setSetting } from "../set-setting.ts"
import type { NotedChannels } from "./alert-status.ts"

/** The settings with who gets alerts by email: an option of the server goes first, then the address that somebody chose. */
export async function withRecipient<Given extends { readonly alertTo: readonly string[] }>(
  { settings }: Pick<StoreReads, "settings">,
  given: Given,
): Promise<Given> {
  const chosen = given.alertTo.length > 0 ? null : await settings.get("alert_to")
  return chosen ? { ...given, alertTo: [chosen] } : given
}

/** Chooses the address, with the channels as they are then; an empty one ends alerts by email. */
export const sendAlertsTo = verb(changeRecipient)

export function* changeRecipient(tx: Tx, address: string, channels: NotedChannels, by: Change): Step<void> {
  yield* setSetting(tx, "alert_to", address)
  yield* setSetting(tx, "alert_channels", JSON.stringify(channels))
  yield* audit(tx, by, { action: "change alert_to", subject: address || "nobody" })
}
