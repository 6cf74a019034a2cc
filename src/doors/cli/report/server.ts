import { UserError } from "../../../domain/user-error.ts"
import { UsageError } from "../arguments.ts"
import type { CliContext } from "../context.ts"

const SENDABLE = /^[!-~]+$/

/** The API key in an environment variable. */
export function keyOf({ environment }: CliContext, name: string): string {
  const key = environment[name]?.trim()
  if (!key)
    throw new UsageError(
      `The environment variable ${name} is not set. Put the API key in it, or name another variable with --key-env.`,
    )
  if (SENDABLE.test(key)) return key
  throw new UsageError(
    `The environment variable ${name} does not hold an API key: it has a space, a line break or a special character. Copy the key again.`,
  )
}

/** The address of a server, without a slash at its end. */
export function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--url must be an address such as https://ads.example.com; it is "${text}".`)
  }
  // Anything else would be dropped, or break the path that is appended.
  if (url.href !== `${url.origin}${url.pathname}`)
    throw new UsageError("--url must be an address without a user name, a ? or a #, such as https://ads.example.com.")
  return url.href.replace(/\/+$/, "")
}

/** Why there is no response. `temporary`: worth another try. */
export interface NoAnswer {
  readonly why: string
  readonly temporary: boolean
}

const TLS = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|HOSTNAME_MISMATCH)/

/** Explains a failed connection: the runtime's own messages are for programmers. */
export function noAnswer(url: string, cause: unknown, timeoutSeconds: number): NoAnswer {
  const { host, hostname } = new URL(url)
  if (cause instanceof Error && cause.name === "TimeoutError")
    return { why: `${url} did not answer within ${timeoutSeconds} s.`, temporary: true }
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  if (code === "ENOTFOUND") return never(`There is no host named ${hostname}. Check --url.`)
  if (code === "EPROTO") return never(`${host} does not speak TLS. Check --url: is it http: instead of https:?`)
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return never(`The certificate of ${host} is for another name (${code}). Check --url.`)
  if (TLS.test(code)) {
    return never(
      `The certificate of ${host} is not trusted (${code}). Check --url. If your own authority issued it, set NODE_EXTRA_CA_CERTS to that authority's certificate file.`,
    )
  }
  return { why: `${url} cannot be reached (${code || String(cause)}).`, temporary: true }
}

const never = (why: string): NoAnswer => ({ why, temporary: false })

export function isTemporary(status: number): boolean {
  return status >= 500 || status === 408
}

/** Explains a response that another try would not change. */
export async function refusal(url: string, path: string, response: Response): Promise<UserError> {
  const { status } = response
  const location = response.headers.get("location")
  if (status >= 300 && status < 400 && location !== null) {
    const target = URL.canParse(location, url) ? new URL(location, url).href : location
    const address = target.endsWith(path) ? target.slice(0, -path.length) : target
    return new UserError(
      `${url} redirects to ${target} (${status}). Use the address of the server itself: --url ${address}`,
    )
  }
  if (status === 401) return new UserError(`The server refused the request with 401. ${WRONG_KEY}`)
  const problem: unknown = await response.json().catch(() => null)
  const detail = (problem as { detail?: unknown } | null)?.detail
  const words = typeof detail === "string" ? detail : "It did not say why."
  return new UserError(`The server refused the request with ${status}. ${words}${ADVICE[status] ?? ""}`)
}

const WRONG_KEY = "Check the key in the variable that --key-env names, or create a new one."

const ADVICE: Readonly<Record<number, string>> = {
  403: " Check --url and the key.",
  404: " Check --url: it is the address of the server without a path.",
  405: " Check --url: it is the address of the server without a path.",
}

/** The response is not from the ingest API. */
export function notOurAnswer(url: string): UserError {
  return new UserError(
    `What answers at ${url} is not an Adbooth server, or something in between answers for it. Check --url.`,
  )
}

// Far more than our server ever sends to a command.
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

/** The body of a response; null when it is too large. */
export async function readAnswer({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > ANSWER_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
