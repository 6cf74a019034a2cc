import { createHash } from "node:crypto"
import { scheduler } from "node:timers/promises"
import { certificateRequest } from "./certificate.ts"

// The signed requests of RFC 8555 that a certificate by HTTP-01 takes. Client libraries drop the authority's own words about a
// refusal (type, domain, when to come back), and those decide on our advice and on the next attempt.

/** A refusal by the authority, or a failure to reach it. */
export class AcmeProblem extends Error {
  /** The last part of the type in RFC 8555, such as rateLimited, or "unreachable" or "clock". */
  readonly type: string
  readonly retryAfterSeconds: number

  constructor(type: string, detail: string, retryAfterSeconds = 0) {
    super(/[.!?]$/.test(detail) ? detail : `${detail}.`)
    this.type = type
    this.retryAfterSeconds = retryAfterSeconds
  }
}

interface CertificateOrder {
  readonly directory: string
  readonly accountKey: CryptoKeyPair
  readonly email: string | null
  readonly domains: readonly string[]
  readonly key: CryptoKeyPair
  /** Serves `content` at /.well-known/acme-challenge/TOKEN. */
  readonly publish: (token: string, content: string) => void
}

interface Problem {
  readonly type?: string
  readonly detail?: string
  readonly subproblems?: readonly { readonly detail?: string }[]
}

interface Challenge {
  readonly type: string
  readonly url: string
  readonly token: string
  readonly error?: Problem
}

interface AcmeAnswer {
  readonly status?: string
  readonly authorizations?: readonly string[]
  readonly finalize?: string
  readonly certificate?: string
  readonly challenges?: readonly Challenge[]
  readonly identifier?: { readonly value: string }
  readonly error?: Problem
}

const POLL_MS = 1_000
const POLL_MS_MAX = 10_000
const NONCE_TRIES = 5

/** Gets the chain of certificates for the domains, as PEM. Throws an `AcmeProblem`. */
export async function orderCertificate(order: CertificateOrder, signal: AbortSignal): Promise<string> {
  const { domains, email, key } = order
  const session = await openSession(order, signal)
  await session.register({ termsOfServiceAgreed: true, ...(email !== null && { contact: [`mailto:${email}`] }) })
  const identifiers = domains.map((value) => ({ type: "dns", value }))
  const placed = await session.post(session.newOrder, { identifiers })
  for (const url of placed.body.authorizations ?? []) await prove(session, url, order)
  const ready = await session.until(placed.location, ({ status }) => status !== "pending")
  const csr = await certificateRequest(domains, key)
  if (ready.status === "ready") await session.post(ready.finalize ?? "", { csr })
  const done = await session.until(placed.location, ({ status }) => status !== "processing" && status !== "ready")
  if (done.certificate === undefined) throw problemOf(done.error, "The authority didn't issue the certificate.")
  return (await session.post(done.certificate, null)).text
}

type Session = Awaited<ReturnType<typeof openSession>>

/** Proves that a domain leads here. */
async function prove(session: Session, url: string, { publish }: CertificateOrder): Promise<void> {
  const authorization = (await session.post(url, null)).body
  if (authorization.status === "valid") return
  const challenge = authorization.challenges?.find(({ type }) => type === "http-01")
  if (challenge === undefined) throw new AcmeProblem("unsupported", "The authority offers no check over HTTP.")
  publish(challenge.token, `${challenge.token}.${session.thumbprint}`)
  await session.post(challenge.url, {})
  const checked = await session.until(url, ({ status }) => status !== "pending")
  if (checked.status === "valid") return
  const failed = checked.challenges?.find(({ error }) => error !== undefined)
  throw problemOf(failed?.error, `The authority couldn't check ${authorization.identifier?.value}.`)
}

function problemOf(problem: Problem | undefined, fallback: string, retryAfterSeconds = 0): AcmeProblem {
  const type = problem?.type?.split(":").at(-1) ?? "unknown"
  const details = [problem?.detail ?? fallback, ...(problem?.subproblems ?? []).map(({ detail }) => detail)]
  return new AcmeProblem(type, details.filter((detail) => detail !== undefined).join(" "), retryAfterSeconds)
}

async function openSession({ directory, accountKey }: CertificateOrder, signal: AbortSignal) {
  const urls = (await ask(directory, signal)).body as Record<string, string>
  const jwk = await publicJwk(accountKey)
  const thumbprint = createHash("sha256").update(JSON.stringify(jwk)).digest("base64url")
  let nonce: string | null = null
  let account: string | null = null

  async function post(url: string, payload: object | null, triesLeft = NONCE_TRIES): Promise<Answer> {
    nonce ??= (await ask(urls["newNonce"] ?? "", signal, { method: "HEAD" })).nonce
    const header = { alg: "ES256", nonce, url, ...(account === null ? { jwk } : { kid: account }) }
    const body = await signed(accountKey, header, payload)
    const headers = { "Content-Type": "application/jose+json" }
    try {
      const answer = await ask(url, signal, { method: "POST", headers, body })
      nonce = answer.nonce
      return answer
    } catch (cause) {
      nonce = null
      if (!(cause instanceof AcmeProblem) || cause.type !== "badNonce" || triesLeft === 0) throw cause
      return post(url, payload, triesLeft - 1)
    }
  }

  return {
    thumbprint,
    newOrder: urls["newOrder"] ?? "",
    post,
    /** Finds the account of this key, or creates it. */
    async register(terms: object): Promise<void> {
      account = (await post(urls["newAccount"] ?? "", terms)).location
    },
    async until(url: string, isOver: (answer: AcmeAnswer) => boolean): Promise<AcmeAnswer> {
      for (let pause = POLL_MS; ; pause = Math.min(pause * 2, POLL_MS_MAX)) {
        const { body, retryAfterSeconds } = await post(url, null)
        if (isOver(body)) return body
        const ms = Math.max(pause, Math.min(retryAfterSeconds * 1_000, POLL_MS_MAX))
        await scheduler.wait(ms, { signal }).catch(() => {
          throw new AcmeProblem("unreachable", "The authority took too long.")
        })
      }
    },
  }
}

interface Answer {
  readonly text: string
  readonly body: AcmeAnswer & Problem
  readonly retryAfterSeconds: number
  readonly nonce: string | null
  readonly location: string
}

async function ask(url: string, signal: AbortSignal, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { ...init, signal }).catch((cause) => unreachable(url, cause))
  const text = await response.text()
  const body = jsonIn(text)
  const retryAfterSeconds = secondsIn(response.headers)
  if (!response.ok) throw problemOf(body, `${hostOf(url)} answered ${response.status}.`, retryAfterSeconds)
  const { headers } = response
  return { text, body, retryAfterSeconds, nonce: headers.get("replay-nonce"), location: headers.get("location") ?? "" }
}

function unreachable(url: string, cause: { readonly code?: string; readonly message: string }): never {
  // More likely our clock is wrong than that the authority's own certificate has expired.
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(cause.code ?? "")) {
    throw new AcmeProblem("clock", `By the clock of this machine, ${hostOf(url)} can't be trusted: ${cause.message}.`)
  }
  throw new AcmeProblem("unreachable", `${hostOf(url)} doesn't answer (${cause.message}).`)
}

/** A certificate isn't JSON, and its answer has no fields. */
function jsonIn(text: string): AcmeAnswer & Problem {
  try {
    return JSON.parse(text) as AcmeAnswer & Problem
  } catch {
    return {}
  }
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? "The authority"

/** Seconds, or a date, which is compared with the authority's own clock. */
function secondsIn(headers: Headers): number {
  const after = headers.get("retry-after") ?? "0"
  const now = Date.parse(headers.get("date") ?? "")
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - now) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 0
}

/** The fields in the order that the thumbprint of RFC 7638 wants. */
async function publicJwk({ publicKey }: CryptoKeyPair) {
  const { crv, kty, x, y } = await crypto.subtle.exportKey("jwk", publicKey)
  return { crv, kty, x, y }
}

async function signed({ privateKey }: CryptoKeyPair, header: object, payload: object | null): Promise<string> {
  const head = base64url(JSON.stringify(header))
  const body = payload === null ? "" : base64url(JSON.stringify(payload))
  const input = new TextEncoder().encode(`${head}.${body}`)
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, input)
  return JSON.stringify({ protected: head, payload: body, signature: base64url(new Uint8Array(signature)) })
}

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url")
