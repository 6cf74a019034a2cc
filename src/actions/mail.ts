import { type Letter, type MailChoice, mailAdvice } from "../domain/operations/mail.ts"
import type { Context } from "./context.ts"
import { mailInForce, mailSettingsOf, saveNote, storedSetting } from "./settings.ts"

/** Whether mail is set up. */
export const hasMail = async (context: Context): Promise<boolean> => (await mailInForce(context)).value !== null

/**
 * Sends an email and saves the outcome. Returns what was wrong, in words, or null if it was sent or mail isn't set up.
 */
export async function sendLetter(context: Context, letter: Letter): Promise<string | null> {
  const { value: server } = await mailInForce(context)
  if (server === null) return null
  const problem = await context.services.mail(server, letter)
  const before = await storedSetting(context.database.read, "note.mail")
  const sentAt = problem === null ? context.clock() : (before?.sentAt ?? null)
  await saveNote(context, "note.mail", { sentAt, problem })
  if (problem !== null) context.log.warn("mail not sent", { problem })
  return problem
}

/** Sends a test email with settings that aren't saved yet. Returns what was wrong and what to do, or null. */
export async function testMail(context: Context, choice: MailChoice, to: string): Promise<string | null> {
  const server = mailSettingsOf(await withStoredPassword(context, choice))
  if (server === null) return "The URL of the mail server can't be read."
  const text = "This is a test. Mail from Adbooth works.\n"
  const problem = await context.services.mail(server, { to, subject: "Adbooth: test message", text })
  return problem === null ? null : `${problem} ${mailAdvice(problem)}`
}

/**
 * A form never shows a password. If the field is empty and the server and user are unchanged, the stored password is
 * used.
 */
export async function withStoredPassword({ database }: Context, choice: MailChoice): Promise<MailChoice> {
  const stored = await storedSetting(database.read, "secret.mail")
  const [typed, before] = [URL.parse(choice.smtp), URL.parse(stored?.smtp ?? "")]
  if (typed === null || before === null || typed.password !== "") return choice
  if (typed.username !== before.username || typed.host !== before.host) return choice
  typed.password = before.password
  return { ...choice, smtp: typed.href }
}

/**
 * Where people reach this server, for links: never an unverified Host header. It has no slash at its end.
 */
export function publicUrl({ config, services }: Pick<Context, "config" | "services">): string {
  return config.publicUrl ?? services.https.url() ?? reachable(services.listeningAt())
}

/** Where buyers' agents reach the sales agent. */
export const agentUrl = (context: Pick<Context, "config" | "services">): string =>
  `${context.config.agentUrl ?? publicUrl(context)}/`

/** Browsers can't open the addresses that mean "every address of this machine". */
const reachable = (url: string): string => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
