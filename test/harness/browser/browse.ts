import { openSession } from "../../../src/actions/people/sign-in.ts"
import type { Role } from "../../../src/domain/people/person.ts"
import { addSeat, addUser } from "../../../src/storage/people/users.ts"
import type { TestApp } from "../app.ts"
import { decode, formsIn, mainForm, type PageForm } from "./forms.ts"

/** What is sent in place of what a field has. Undefined leaves the field out. */
export type Changes = Readonly<Record<string, string | readonly string[] | File | undefined>>

/** A form as a browser without scripts has it. */
export interface BrowsedForm {
  /** The attributes of the control with this name. */
  control(name: string): Readonly<Record<string, string>>
  /** What each field of the form would send. */
  readonly fields: Readonly<Record<string, string>>
  /** Sends the form with some fields changed, and follows it to the next page. */
  send(changes?: Changes): Promise<BrowsedPage>
}

/** A page, with its main form. */
export interface BrowsedPage extends BrowsedForm {
  readonly status: number
  /** Where redirects led. */
  readonly path: string
  readonly headers: Headers
  readonly title: string
  readonly html: string
  /** What people read, without the markup. */
  readonly text: string
  /** Another form of the page, by where it's sent. */
  form(action: string): BrowsedForm
}

/** Opens a page, or sends what a page of ours never would. */
export type Browse = (path: string, init?: RequestInit) => Promise<BrowsedPage>

interface GivenPerson {
  /** The organization that the person belongs to. */
  readonly organization?: { readonly id: number }
  readonly role?: Role
  readonly isOperator?: boolean
  readonly name?: string
  readonly email?: string
  /** What the browser has besides the session. */
  readonly cookies?: Readonly<Record<string, string>>
}

let people = 0

/** Adds a person, without a password, and opens pages in their browser. They are an admin unless the role says otherwise. */
export async function signIn(app: TestApp, person: GivenPerson = {}): Promise<Browse> {
  return browse(app, { ...person.cookies, adbooth_session: await sessionFor(app, person) })
}

/** The same, for another browser: the value of the session's cookie. */
export async function sessionFor(app: TestApp, person: GivenPerson = {}): Promise<string> {
  const { organization, role = "admin", isOperator = false, name = "Ada Brandt" } = person
  const { email = `person${people++}@example.com` } = person
  return app.database.transact(async (tx) => {
    const createdAt = app.clock()
    const userId = await addUser(tx, { email, name, isOperator, passwordHash: null, createdAt })
    if (organization !== undefined) await addSeat(tx, { userId, organizationId: organization.id, role })
    return openSession(tx, userId, { userAgent: "", address: "", previousHash: null }, createdAt)
  })
}

/** Opens pages in a browser without scripts. It keeps cookies, as any browser does. */
export function browse(app: TestApp, first: Readonly<Record<string, string>> = {}): Browse {
  const cookies = new Map(Object.entries(first))

  async function request(path: string, init: RequestInit = {}): Promise<BrowsedPage> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await app.fetch(path, { ...init, redirect: "manual", headers: { ...init.headers, cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(set) ?? []
      if (value === "") cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get("location")
    return location === null ? pageOf(response, await response.text(), path) : request(location)
  }

  function pageOf({ status, headers }: Response, html: string, path: string): BrowsedPage {
    const forms = formsIn(html)
    return {
      ...browsed(mainForm(forms) ?? { action: "", controls: [] }, path),
      status,
      headers,
      path,
      html,
      title: decode(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? ""),
      text: decode(html.replace(/<[^>]*>/g, " ")).replace(/\s+/g, " "),
      form(action) {
        const wanted = forms.find((form) => form.action === action)
        if (wanted === undefined) throw new Error(`${path} has no form for ${action}.`)
        return browsed(wanted, path)
      },
    }
  }

  function browsed({ action, controls }: PageForm, path: string): BrowsedForm {
    const sent = controls.flatMap(({ name, value }) =>
      value === undefined || name === "" ? [] : [[name, value] as const],
    )
    return {
      control: (wanted) => controls.findLast(({ name }) => name === wanted)?.attributes ?? {},
      fields: Object.fromEntries(sent),
      send(changes = {}) {
        const body = bodyOf(sent, changes)
        return request(action || path, { method: "POST", body, headers: { origin: app.url, referer: app.url + path } })
      },
    }
  }

  return request
}

/** Files are sent as browsers send them, and everything else as a query. */
function bodyOf(sent: readonly (readonly [string, string])[], changes: Changes): FormData | URLSearchParams {
  const kept = sent.filter(([name]) => !(name in changes))
  const changed = Object.entries(changes).flatMap(([name, value]) => {
    if (value === undefined) return []
    const values = Array.isArray(value) ? value : [value]
    return values.map((each: string | File) => [name, each] as const)
  })
  const hasFile = changed.some(([, value]) => value instanceof File)
  const body = hasFile ? new FormData() : new URLSearchParams()
  for (const [name, value] of [...kept, ...changed]) body.append(name, value as string)
  return body
}
