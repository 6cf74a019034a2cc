import { HttpsChoice, HttpsNote } from "../../domain/operations/https.ts"
import type { Change } from "../../domain/people/audit.ts"
import { audit } from "../../storage/steps/audit.ts"
import { type Context, transact, verb } from "../context.ts"
import { setJson, settingAs } from "../settings.ts"

/** How HTTPS stands; null where this server does none by itself. */
export const httpsNote = settingAs("https_note", HttpsNote)

/** The domain that was chosen in the app; null where none was. */
export const httpsChoice = settingAs("https", HttpsChoice)

export const noteHttps = (context: Context, note: HttpsNote | null): Promise<void> =>
  transact(context, (tx) => setJson(tx, "https_note", note))

/** Chooses the domain, or none. It is in force from the next start; an option of the server still goes first. */
export const chooseHttps = verb(function* (tx, choice: HttpsChoice | null, by: Change) {
  yield* setJson(tx, "https", choice)
  const details = { domains: choice?.domains.join(", ") ?? "none" }
  yield* audit(tx, by, { action: "change https", subject: "installation", details })
})
