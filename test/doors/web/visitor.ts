import { openSession } from "../../../src/actions/people/sessions.ts"
import { cookieName, SESSION_COOKIE } from "../../../src/doors/web/cookies.ts"
import type { TestApp } from "../../harness.ts"

/** Somebody with a browser that runs no scripts: keeps cookies, follows nothing by itself, sends forms from our own pages. */
export interface Visitor {
  get(path: string): Promise<Response>
  post(path: string, fields?: Readonly<Record<string, string>> | FormData, headers?: HeadersInit): Promise<Response>
  /** Sends a form and goes where it leads. */
  follow(path: string, fields?: Readonly<Record<string, string>>): Promise<Response>
  /** Opens the form at a path and sends it back with these fields, as an edit of what it showed. */
  edit(path: string, fields: Readonly<Record<string, string>>): Promise<Response>
  /** The text of a page, tags included. */
  read(path: string): Promise<string>
  cookie(name: string): string | undefined
}

/** What a page says, without its tags. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")

export function visitor(app: TestApp, cookies = new Map<string, string>()): Visitor {
  async function send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    // To compress each page and read it again takes a tenth of its time.
    headers.set("accept-encoding", "identity")
    headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "))
    const response = await app.fetch(path, { ...init, headers, redirect: "manual" })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    return response
  }
  const get = (path: string) => send(path, {})
  const read = async (path: string) => (await get(path)).text()
  const self: Visitor = {
    get,
    read,
    async edit(path, fields) {
      const html = await read(path)
      const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""
      return self.post(path, { seen: hidden("seen"), shown: hidden("shown"), ...fields })
    },
    post(path, fields = {}, headers = { origin: app.url, "sec-fetch-site": "same-origin" }) {
      const body = fields instanceof FormData ? fields : new URLSearchParams(fields)
      return send(path, { method: "POST", body, headers })
    },
    async follow(path, fields) {
      const answer = await self.post(path, fields)
      const location = answer.headers.get("location")
      return location === null ? answer : get(location)
    },
    cookie: (name) => cookies.get(name),
  }
  return self
}

/** Sends it again as long as a busy machine has too many passwords to hash, as the answer asks. */
export async function untilHashed(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
  }
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/Max-Age=0/.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}

/** A visitor with a session already, for tests that are not about signing in. */
export async function signedIn(app: TestApp, userId: number): Promise<Visitor> {
  const { token } = await openSession(app, userId, null)
  return visitor(app, new Map([[sessionCookieOf(app), token]]))
}

/** What the cookie of a session is called at the address that people use. */
export function sessionCookieOf({ config: { publicUrl } }: TestApp): string {
  return cookieName(SESSION_COOKIE, publicUrl?.startsWith("https:") === true)
}
