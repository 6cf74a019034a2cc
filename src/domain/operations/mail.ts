import { checked } from "./setting-kinds.ts"

/** A mail server, and how to sign in. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** With "starttls" nothing is sent before the connection is encrypted. */
  readonly tls: "implicit" | "starttls" | "none"
  readonly user: string | null
  readonly password: string | null
}

/** Where mail goes out, and who it's from. */
export interface MailSettings extends SmtpServer {
  readonly from: string
  readonly fromName: string
}

/** The mail server that was chosen in the app, as it is stored. */
export interface MailChoice {
  /** smtp://user:password@host:port, as the option of the server has it. */
  readonly smtp: string
  readonly from: string
  readonly fromName: string
}

export interface Letter {
  /** Stays the same on every attempt, so that mail programs show the message only once. */
  readonly id?: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

const USUAL_PORT = { implicit: 465, starttls: 587, none: 25 } as const

/** Reads smtp://user:password@host:port or smtps://…, with ?tls=no for a server without encryption. Null if it's neither. */
export function readSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text)
  const user = decode(url?.username ?? "")
  const password = decode(url?.password ?? "")
  if (url === null || user === null || password === null || url.hostname === "") return null
  if (!/^smtps?:$/.test(url.protocol) || !/^\/?$/.test(url.pathname) || url.hash !== "") return null
  if (url.search !== "" && url.search !== "?tls=no") return null
  const tls = url.protocol === "smtps:" ? "implicit" : url.search === "" ? "starttls" : "none"
  // A password never goes over the network in clear text.
  if (tls === "none" && user !== "") return null
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? USUAL_PORT[tls] : Number(url.port),
    tls,
    user: user || null,
    password: password || null,
  }
}

export const SMTP_URL = checked(
  "url",
  readSmtpUrl,
  "must be a URL such as smtp://user:password@mail.example.com:587 (in a password, write / as %2F and @ as %40)",
)

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const ADVICE: readonly (readonly [cause: RegExp, advice: string])[] = [
  [/\b(535|534|EAUTH)\b|auth/i, "Enter the password again. Some providers want an app password instead."],
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo/i, "This mail server doesn't exist. Check its name."],
  [/ECONNREFUSED|ETIMEDOUT|timeout|No answer in time|Greeting never/i, "Check the port. Most servers use 587 or 465."],
  [/wrong version number|STARTTLS|ssl|tls|certificate/i, "Choose the other kind of encryption, or check the port."],
  [/\b55[0-4]\b/, "The mail server refuses the sender or the recipient. Check the From address."],
]

/** Advice about an email that the mail server refused. */
export const mailAdvice = (problem: string): string =>
  ADVICE.find(([cause]) => cause.test(problem))?.[1] ?? "Check the server, the port and the password."
