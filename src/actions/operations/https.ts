import { HttpsChoice, HttpsNote } from "../../domain/operations/https.ts"
import type { Change } from "../../domain/people/audit.ts"
import { storedAs } from "../../domain/schema/check.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import type { Step, Tx } from "../../storage/steps/step.ts"
import { type Context, transact, verb } from "../context.ts"
import { setSetting } from "../settings.ts"

const readNote = storedAs(HttpsNote)
const readChoice = storedAs(HttpsChoice)

/** How HTTPS stands; null where this server does none by itself. */
export async function httpsNote({ settings }: Pick<StoreReads, "settings">): Promise<HttpsNote | null> {
  return readNote(await settings.get("https_note"))
}

/** The domain that was chosen in the app; null where none was. */
export async function httpsChoice({ settings }: Pick<StoreReads, "settings">): Promise<HttpsChoice | null> {
  return readChoice(await settings.get("https"))
}

export function noteHttps(context: Context, note: HttpsNote | null): Promise<void> {
  return transact(context, (tx) => setSetting(tx, "https_note", note === null ? "" : JSON.stringify(note)))
}

/** Chooses the domain, or none. It is in force from the next start; an option of the server still goes first. */
export const chooseHttps = verb(changeHttps)

function* changeHttps(tx: Tx, choice: HttpsChoice | null, by: Change): Step<void> {
  yield* setSetting(tx, "https", choice === null ? "" : JSON.stringify(choice))
  const details = { domains: choice?.domains.join(", ") ?? "none" }
  yield* audit(tx, by, { action: "change https", subject: "installation", details })
}
