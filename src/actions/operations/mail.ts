import { MailChoice, MailNote } from "../../domain/operations/mail.ts"
import type { Change } from "../../domain/people/audit.ts"
import { audit } from "../../storage/steps/audit.ts"
import { type Context, transact, verb } from "../context.ts"
import { secretAs, setJson, settingAs } from "../settings.ts"

/** The server that was chosen in the app, with its password; null where none was. */
export const chosenMail = secretAs("mail", MailChoice)
export const mailNote = settingAs("mail_note", MailNote)

export const noteMail = (context: Pick<Context, "store">, note: MailNote): Promise<void> =>
  transact(context, (tx) => setJson(tx, "mail_note", note))

export const chooseMail = verb(function* (tx, mail: MailChoice | null, by: Change) {
  yield* setJson(tx, "mail", mail)
  yield* audit(tx, by, { action: "change mail", subject: mail?.from ?? "nobody" })
})
