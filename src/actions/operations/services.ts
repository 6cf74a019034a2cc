import { HttpsChoice, HttpsNote } from "../../domain/operations/https.ts"
import { MailChoice, MailNote } from "../../domain/operations/mail.ts"
import type { Change } from "../../domain/people/audit.ts"
import { audit } from "../../storage/steps/audit.ts"
import { type Context, transact, verb } from "../context.ts"
import { secretAs, setJson, settingAs } from "../settings.ts"

// HTTPS and mail: what was chosen in the app, and how it stands. An option of the server always goes first.

/** How HTTPS stands; null where this server does none by itself. */
export const httpsNote = settingAs("https_note", HttpsNote)

/** The domain that was chosen; null where none was. */
export const httpsChoice = settingAs("https", HttpsChoice)

export const noteHttps = (context: Context, note: HttpsNote | null): Promise<void> =>
  transact(context, (tx) => setJson(tx, "https_note", note))

/** Chooses the domain, or none. It is in force from the next start. */
export const chooseHttps = verb(function* (tx, choice: HttpsChoice | null, by: Change) {
  yield* setJson(tx, "https", choice)
  const details = { domains: choice?.domains.join(", ") ?? "none" }
  yield* audit(tx, by, { action: "change https", subject: "installation", details })
})

/** The mail server that was chosen, with its password; null where none was. */
export const chosenMail = secretAs("mail", MailChoice)

export const mailNote = settingAs("mail_note", MailNote)

export const noteMail = (context: Pick<Context, "store">, note: MailNote): Promise<void> =>
  transact(context, (tx) => setJson(tx, "mail_note", note))

export const chooseMail = verb(function* (tx, mail: MailChoice | null, by: Change) {
  yield* setJson(tx, "mail", mail)
  yield* audit(tx, by, { action: "change mail", subject: mail?.from ?? "nobody" })
})
