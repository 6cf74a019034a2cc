import { createHash } from "node:crypto"
import { scheduler } from "node:timers/promises"
import { sentence } from "../../domain/user-error.ts"
import { certificateRequest } from "./certificate-request.ts"

// The few signed requests of RFC 8555 that a certificate by HTTP-01 takes. Written here, because the authority's own words about a
// refusal (type, name, when to come back) decide what people are told and when we try again, and client libraries drop them.

/** What the authority, or the way to it, refuses. */
export class AcmeProblem extends Error {
  /** The last part of the type that RFC 8555 names, such as rateLimited; "unreachable" where it did not answer. */
  readonly type: string
  readonly retryAfterSeconds: number
  constructor(type: string, detail: string, retryAfterSeconds = 0) {
    super(sentence(detail))
    this.type = type
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface CertificateOrder {
  readonly directory: string
  readonly accountKey: CryptoKeyPair
  readonly email: string | null
  readonly names: readonly string[]
  readonly key: CryptoKeyPair
  /** Makes `content` readable at /.well-known/acme-challenge/TOKEN. */
  publish(token: string, content: string): void
}

type Problem = Readonly<{ type?: string; detail?: string; subproblems?: readonly { readonly detail?: string }[] }>

type Challenge = Readonly<{ type: string; url: string; token: string; error?: Problem }>

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

/** The chain of certificates for the names, as PEM. Throws an AcmeProblem. */
export async function orderCertificate(order: CertificateOrder, signal: AbortSignal): Promise<string> {
  const { names, email, key } = order
  const session = await openSession(order, signal)
  const contact = email === null ? {} : { contact: [`mailto:${email}`] }
  await session.register({ termsOfServiceAgreed: true, ...contact })
  const identifiers = names.map((value) => ({ type: "dns", value }))
  const placed = await session.post(session.newOrder, { identifiers })
  const url = placed.location
  for (const address of placed.body.authorizations ?? []) await prove(session, address, order)
  const ready = await session.until(url, ({ status }) => status !== "pending")
  const csr = await certificateRequest(names, key)
  if (ready.status === "ready") await session.post(ready.finalize ?? "", { csr })
  const done = await session.until(url, ({ status }) => status !== "processing" && status !== "ready")
  if (done.certificate === undefined) throw problemOf(done.error, "The authority did not issue the certificate.")
  return (await session.post(done.certificate, null)).text
}

type Session = Awaited<ReturnType<typeof openSession>>

async function prove(session: Session, address: string, { publish }: CertificateOrder): Promise<void> {
  const authorization = (await session.post(address, null)).body
  if (authorization.status === "valid") return
  const challenge = authorization.challenges?.find(({ type }) => type === "http-01")
  if (challenge === undefined) throw new AcmeProblem("unsupported", "The authority offers no check over HTTP.")
  publish(challenge.token, `${challenge.token}.${session.thumbprint}`)
  await session.post(challenge.url, {})
  const checked = await session.until(address, ({ status }) => status !== "pending")
  if (checked.status === "valid") return
  const failed = checked.challenges?.find(({ error }) => error !== undefined)
  throw problemOf(failed?.error, `The authority could not check ${authorization.identifier?.value}.`)
}

function problemOf(problem: Problem | undefined, fallback: string, retryAfterSeconds = 0): AcmeProblem {
  const type = problem?.type?.split(":").at(-1) ?? "unknown"
  const details = [problem?.detail ?? fallback, ...(problem?.subproblems ?? []).map(({ detail }) => detail)]
  return new AcmeProblem(type, details.filter(Boolean).join(" "), retryAfterSeconds)
}

async function openSession({ directory, accountKey }: CertificateOrder, signal: AbortSignal) {
  const addresses = (await ask(directory, signal)).body as Record<string, string>
  const jwk = await publicJwk(accountKey)
  const thumbprint = createHash("sha256").update(JSON.stringify(jwk)).digest("base64url")
  let nonce: string | null = null
  let account: string | null = null

  async function post(url: string, payload: object | null, triesLeft = NONCE_TRIES) {
    nonce ??= (await ask(addresses["newNonce"] ?? "", signal, { method: "HEAD" })).nonce
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
    newOrder: addresses["newOrder"] ?? "",
    post,
    /** Finds the account of this key, or makes it. */
    async register(terms: object): Promise<void> {
      account = (await post(addresses["newAccount"] ?? "", terms)).location
    },
    async until(url: string, isOver: (answer: AcmeAnswer) => boolean): Promise<AcmeAnswer> {
      for (let pause = POLL_MS; ; pause = Math.min(pause * 2, POLL_MS_MAX)) {
        const { body, retryAfterSeconds } = await post(url, null)
        if (isOver(body)) return body
        await rest(Math.max(pause, Math.min(retryAfterSeconds * 1_000, POLL_MS_MAX)), signal)
      }
    },
  }
}

async function ask(url: string, signal: AbortSignal, init: RequestInit = {}) {
  const response = await fetch(url, { ...init, signal }).catch((cause: unknown) => {
    const { code = "", message } = cause as Error & { code?: string }
    // More likely our clock is wrong than that the authority's own certificate is out of date.
    if (/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/.test(code))
      throw new AcmeProblem("clock", `By this machine's clock ${hostOf(url)} cannot be trusted: ${message}.`)
    throw new AcmeProblem("unreachable", `${hostOf(url)} does not answer (${message}).`)
  })
  const text = await response.text()
  const body = (await new Response(text).json().catch(() => ({}))) as AcmeAnswer & Problem
  const retryAfterSeconds = secondsOf(response.headers)
  if (!response.ok) throw problemOf(body, `${hostOf(url)} answered ${response.status}.`, retryAfterSeconds)
  const { headers } = response
  return { text, body, retryAfterSeconds, nonce: headers.get("replay-nonce"), location: headers.get("location") ?? "" }
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : "The authority")

/** Seconds, or a date, which is compared with the authority's own clock. */
function secondsOf(headers: Headers): number {
  const after = headers.get("retry-after") ?? "0"
  const since = Date.parse(headers.get("date") ?? "")
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - since) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 0
}

const rest = (ms: number, signal: AbortSignal) =>
  scheduler.wait(ms, { signal }).catch(() => {
    throw new AcmeProblem("unreachable", "The authority took too long.")
  })

/** The members in the order that the thumbprint of RFC 7638 wants. */
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

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url")
