import { type Static, Type } from "@sinclair/typebox"
import type { SmtpServer } from "./service-settings.ts"

/** The mail server that was chosen in the app, with its password. */
export const MailChoice = Type.Object({
  /** smtp://user:password@host:port, as the option of the server has it. */
  smtp: Type.String(),
  from: Type.String(),
  fromName: Type.String(),
})
export type MailChoice = Static<typeof MailChoice>

/** How the last message went, as stored for pages. */
export const MailNote = Type.Object({
  sentAt: Type.Union([Type.Integer(), Type.Null()]),
  problem: Type.Union([Type.String(), Type.Null()]),
})
export type MailNote = Static<typeof MailNote>

export type Letter = Readonly<{ to: string; subject: string; text: string }>

export const TEST_LETTER = {
  subject: "Adbooth: test message",
  text: "This is a test. Mail from Adbooth arrives here.\n",
}

/** Where mail goes out, without the password; `isOption`: an option of the server names it. */
type MailInForce = Omit<SmtpServer, "password"> & Readonly<Omit<MailChoice, "smtp"> & { isOption: boolean }>

export interface MailService {
  /** Null where mail is not set up. */
  inForce(): Promise<MailInForce | null>
  /** With the password that is stored, where the typed one is null. What was wrong, in words; null when the message was accepted. */
  test(choice: MailChoice, to: string): Promise<string | null>
  /** The choice with the password that is stored for the same server and user. */
  withStoredPassword(choice: MailChoice): Promise<MailChoice>
  /** What was wrong, in words; null when the message was accepted. Nothing is sent where mail is not set up. */
  send(letter: Letter): Promise<string | null>
}

const ADVICE: readonly (readonly [cause: RegExp, advice: string])[] = [
  [/\b(?:535|534|EAUTH)\b|auth/i, "Enter the password again. Some providers want an app password instead."],
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo/i, "There is no such server. Check its name."],
  [/ECONNREFUSED|ETIMEDOUT|No answer in time|Greeting never received/i, "Check the port. Most servers use 587 or 465."],
  [/wrong version number|STARTTLS|ssl|tls|certificate/i, "Choose the other kind of encryption, or check the port."],
  [/\b55[0-4]\b/, "The server refuses the sender or the recipient. Check the From address."],
]

/** What to do about a message that was not accepted. */
export const mailAdvice = (problem: string): string =>
  ADVICE.find(([cause]) => cause.test(problem))?.[1] ?? "Check the server, the port and the password."
