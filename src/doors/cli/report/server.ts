import { SETTINGS } from "../../../config.ts"
import { UserError } from "../../../domain/user-error.ts"
import { UsageError, wholeNumber } from "../arguments.ts"
import type { Chosen } from "../command.ts"
import type { CliContext } from "../context.ts"

const KEY_VARIABLE = "ADBOOTH_KEY"
const URL_VARIABLE = "ADBOOTH_URL"
const LOCAL_URL = `http://127.0.0.1:${SETTINGS.port.fallback}`

export const SERVER_OPTIONS = {
  "--url <URL>": `address of the server (default: ${URL_VARIABLE} in the environment, else ${LOCAL_URL})`,
  "--key-env <NAME>": ["environment variable that holds the API key", KEY_VARIABLE],
  "--timeout <SECONDS>": ["how long to wait for a response before trying again", "30"],
} as const

const TIMEOUT_SECONDS_MAX = 3_600

export type Server = ReturnType<typeof serverOf>

export const serverOf = (context: CliContext, options: Chosen<unknown, typeof SERVER_OPTIONS>) => ({
  key: keyOf(context, options.keyEnv),
  url: addressOf(options.url ?? (context.environment[URL_VARIABLE] || LOCAL_URL)),
  timeoutSeconds: wholeNumber("--timeout", options.timeout, 1, TIMEOUT_SECONDS_MAX),
  /** Aborts the request in flight. */
  stop: context.stopSignal(),
  wait: context.wait,
  deadline: context.deadline,
})

const SENDABLE = /^[!-~]+$/

function keyOf({ environment }: CliContext, name: string): string {
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
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url must be an address such as https://ads.example.com; it is "${text}".`)
  // Anything else would be dropped, or break the path that is appended.
  if (url.href !== `${url.origin}${url.pathname}`)
    throw new UsageError("--url must be an address without a user name, a ? or a #, such as https://ads.example.com.")
  return url.href.replace(/\/+$/, "")
}

/** No answer yet: the server cannot be reached, or asks for a pause of at least so many seconds. */
export interface Later {
  readonly kind: "later"
  readonly why: string
  readonly seconds: number
  /** The server asked for the pause (429), so it is not a failure. */
  readonly requested: boolean
}

const later = (why: string, seconds: number, requested = false): Later => ({ kind: "later", why, seconds, requested })

/** Sends once: an answer that another try would not change, or why to try again. Throws when the address is wrong. */
export async function request(
  { url, key, timeoutSeconds, stop, deadline }: Server,
  path: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response | Later> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "text/csv" }
  const signal = AbortSignal.any([stop, deadline(timeoutSeconds)])
  try {
    const sent = { method: "POST", headers, body, redirect: "manual", signal } as const
    const response = await fetch(url + path, sent)
    // Read completely here, so that a connection that breaks during the response is a failure too.
    const bytes = await readAnswer(response)
    if (bytes === null) throw notOurAnswer(url)
    return whether(new Response(bytes, { status: response.status, headers: response.headers }))
  } catch (cause) {
    if (stop.aborted || cause instanceof UserError) throw cause
    return noAnswer(url, cause, timeoutSeconds)
  }
}

function whether(response: Response): Response | Later {
  const { status } = response
  const after = Number(response.headers.get("retry-after"))
  const seconds = Number.isInteger(after) && after > 0 ? after : 1
  if (status === 429) return later("The server asks for a pause.", seconds, true)
  if (status < 500 && status !== 408) return response
  return later(`The server answered ${status}.`, seconds)
}

/** What is wrong, in the server's words. */
export async function detailOf(response: Response): Promise<string | undefined> {
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const detail = (problem as { detail?: unknown } | null)?.detail
  return typeof detail === "string" ? detail : undefined
}

// Pauses after temporary failures: about four minutes in total.
const PAUSES_SECONDS = [1, 2, 4, 8, 15, 30, 60, 120]
// The longest total wait for one request, including pauses that the server asks for.
const WAIT_SECONDS_MAX = 900

/** Tries until there is an answer. Throws when failures do not end. */
export async function retry<Answer extends object>(
  server: Server,
  attempt: () => Promise<Answer | Later>,
  say: (sentence: string) => void,
): Promise<Answer> {
  let waited = 0
  for (let failures = 0; ; ) {
    const answer = await attempt()
    if (!isLater(answer)) return answer
    const { why, requested } = answer
    const pause = requested ? 0 : PAUSES_SECONDS[failures++]
    if (pause === undefined) throw new UserError(`${why} Gave up after ${failures} attempts.`)
    const seconds = Math.max(pause, answer.seconds)
    waited += seconds
    if (waited > WAIT_SECONDS_MAX)
      throw new UserError(`${why} The next pause would be ${seconds} s, which is too long.`)
    say(`${why} Retrying in ${seconds} s.`)
    await server.wait(seconds)
  }
}

export const isLater = (answer: object): answer is Later => "kind" in answer && answer.kind === "later"

const TLS = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|HOSTNAME_MISMATCH)/

/** Explains a failed connection: the runtime's own messages are for programmers. Throws where another try is useless. */
function noAnswer(url: string, cause: unknown, timeoutSeconds: number): Later {
  const { host, hostname } = new URL(url)
  if (cause instanceof Error && cause.name === "TimeoutError")
    return later(`${url} did not answer within ${timeoutSeconds} s.`, 0)
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  if (code === "ENOTFOUND") throw new UserError(`There is no host named ${hostname}. Check --url.`)
  if (code === "EPROTO") throw new UserError(`${host} does not speak TLS. Check --url: is it http: instead of https:?`)
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    throw new UserError(`The certificate of ${host} is for another name (${code}). Check --url.`)
  if (TLS.test(code))
    throw new UserError(
      `The certificate of ${host} is not trusted (${code}). Check --url. If your own authority issued it, set NODE_EXTRA_CA_CERTS to that authority's certificate file.`,
    )
  return later(`${url} cannot be reached (${code || String(cause)}).`, 0)
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
  const words = (await detailOf(response)) ?? "It did not say why."
  return new UserError(`The server refused the request with ${status}. ${words}${ADVICE[status] ?? ""}`)
}

const WRONG_KEY = "Check the key in the variable that --key-env names, or create a new one."

const ADVICE: Readonly<Record<number, string>> = {
  403: " Check --url and the key.",
  404: " Check --url: it is the address of the server without a path.",
  405: " Check --url: it is the address of the server without a path.",
  413: " If a proxy is in front of the server, let it take larger bodies: client_max_body_size in nginx, max_size in Caddy.",
}

export const notOurAnswer = (url: string): UserError =>
  new UserError(`The answer from ${url} does not come from an Adbooth server. Check --url, and any proxy in between.`)

// More than the rejected rows of a file of the usual size.
const ANSWER_BYTES_MAX = 128 * 1024 * 1024

/** The body of a response; null when it is too large. */
export const readAnswer = ({ body }: Response) => readAtMost(ANSWER_BYTES_MAX, body ?? new Blob().stream())

/** All of a stream, as far as it comes before somebody stops it; null when it has more bytes. */
export async function readAtMost(bytesMax: number, stream: ReadableStream<Uint8Array>, stop?: AbortSignal) {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  stop?.addEventListener("abort", () => void reader.cancel().catch(() => undefined), { once: true })
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length
    if (size > bytesMax) return reader.cancel().then(() => null)
    chunks.push(next.value)
  }
  return Buffer.concat(chunks)
}
