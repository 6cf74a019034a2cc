import { UserError } from "../user-error.ts"

// What operators write into the settings of mail, webhooks and buckets. No complaint repeats a password.

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** With "starttls" nothing is sent before the connection is encrypted. */
  readonly tls: "implicit" | "starttls" | "none"
  readonly user: string | null
  readonly password: string | null
}

/** Why a setting is not valid: the rest of a sentence that starts with its name. */
export class InvalidSetting {
  readonly sentence: string
  constructor(sentence: string) {
    this.sentence = sentence
  }
}

/** The value of a setting that was checked when it was given, or chosen. */
export function validSetting<Value>(value: Value | InvalidSetting): Value {
  if (value instanceof InvalidSetting) throw new UserError(`A stored setting ${value.sentence}. Choose it again.`)
  return value
}

const SUBMISSION_PORT = 587
const IMPLICIT_TLS_PORT = 465
const RELAY_PORT = 25
const EXAMPLE = "smtp://user:password@mail.example.com:587"

/** Reads smtp://user:password@host:port or smtps://..., with ?tls=no for a server that has no encryption. */
export function readSmtpUrl(text: string): SmtpServer | InvalidSetting {
  const url = URL.parse(text)
  const decoded = url === null ? null : [decode(url.username), decode(url.password)]
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || decoded?.includes(null)) {
    return new InvalidSetting(`must be an address such as ${EXAMPLE} (in a password, write / as %2F, @ as %40)`)
  }
  if (!/^\/?$/.test(url.pathname) || !["", "?tls=no"].includes(url.search) || url.hash !== "") {
    return new InvalidSetting(`must have nothing after the port but ?tls=no, as in ${EXAMPLE}`)
  }
  const [user, password] = decoded ?? []
  const tls = url.protocol === "smtps:" ? "implicit" : url.search === "" ? "starttls" : "none"
  if (tls === "none" && user) return new InvalidSetting("must not have a password together with ?tls=no")
  const usual = { implicit: IMPLICIT_TLS_PORT, starttls: SUBMISSION_PORT, none: RELAY_PORT }[tls]
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? usual : Number(url.port),
    tls,
    user: user || null,
    password: password || null,
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function webUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url : null
}

export function readWebhookUrl(text: string): string | InvalidSetting {
  const url = webUrl(text)
  if (url === null) return new InvalidSetting("must be an address such as https://hooks.example.com/alerts")
  return url.username !== "" || url.password !== "" || url.hash !== ""
    ? new InvalidSetting("must not contain a user name, a password or a #")
    : url.href
}

/** The address without what may be secret in it: many services put a token into the path. */
export function maskedWebhook(text: string): string {
  const url = webUrl(text)
  if (url === null) return "***"
  return url.pathname === "/" && url.search === "" ? url.origin : `${url.origin}/***`
}

/** The address without its password. Of one that is not valid nothing is shown: the password could be anywhere in it. */
export function maskedSmtp(text: string): string {
  if (readSmtpUrl(text) instanceof InvalidSetting) return "***"
  const url = new URL(text)
  if (url.password !== "") url.password = "***"
  return url.href
}

const SECRET_CHARACTERS_MIN = 16
const SECRET_FORM = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const SECRET_BYTES = { min: 24, max: 64 }

/** A secret in the form of Standard Webhooks, which their libraries take. */
export function readNewWebhookSecret(text: string): string | InvalidSetting {
  const bytes = SECRET_FORM.test(text) ? Buffer.from(text.slice("whsec_".length), "base64").length : 0
  if (bytes >= SECRET_BYTES.min && bytes <= SECRET_BYTES.max) return text
  return new InvalidSetting(
    "must be whsec_ and 24 to 64 bytes in base64, as this prints: echo whsec_$(openssl rand -base64 32)",
  )
}

/** The same, or what an earlier build took: any text, which goes on being used as it is. */
export const readWebhookSecret = (text: string): string | InvalidSetting =>
  !text.startsWith("whsec_") && text.length >= SECRET_CHARACTERS_MIN ? text : readNewWebhookSecret(text)

const EMAIL_CHARACTERS_MAX = 254
const EMAIL = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/

export const readEmailAddress = (text: string): string | undefined =>
  text.length <= EMAIL_CHARACTERS_MAX && EMAIL.test(text) ? text : undefined
