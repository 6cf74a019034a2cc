import { expect, test } from "bun:test"
import { startApp, type TestApp } from "../../harness/app.ts"
import { type Browse, type BrowsedPage, browse, signIn } from "../../harness/browser/browse.ts"
import { ROUTES } from "../../harness/inside.ts"
import { type GivenSeller, givenSeller } from "../given.ts"
import { AUDIENCES, type Audience } from "./audiences.ts"

type Outcome = "admitted" | "sign in first" | "not found" | "for admins"

/** Roles towards Acme, whose pages are visited. */
const ROLES = {
  stranger: async (app: TestApp) => browse(app),
  member: (app: TestApp, seller: GivenSeller) => signIn(app, { organization: seller, role: "member" }),
  admin: (app: TestApp, seller: GivenSeller) => signIn(app, { organization: seller }),
  "admin of a rival": async (app: TestApp) => signIn(app, { organization: await givenSeller(app, "rival") }),
  "admin of the buyer": (app: TestApp, { buyerId }: GivenSeller) => signIn(app, { organization: { id: buyerId } }),
  operator: (app: TestApp) => signIn(app, { isOperator: true }),
}

/** How each role is refused. Everybody else is admitted. */
const REFUSED: Readonly<Record<Audience, Partial<Record<keyof typeof ROLES, Outcome>>>> = {
  anyone: {},
  "signed in": { stranger: "sign in first" },
  member: { stranger: "sign in first", "admin of a rival": "not found", "admin of the buyer": "not found" },
  admin: {
    stranger: "sign in first",
    member: "for admins",
    "admin of a rival": "not found",
    "admin of the buyer": "not found",
  },
  operator: {
    stranger: "sign in first",
    member: "not found",
    admin: "not found",
    "admin of a rival": "not found",
    "admin of the buyer": "not found",
  },
}

const ENTRIES = Object.entries(AUDIENCES) as [Audience, readonly string[]][]

function audienceOf(method: string, path: string): Audience | undefined {
  const has = (wanted: string) => ENTRIES.find(([, paths]) => paths.includes(wanted))?.[0]
  return has(`${method} ${path}`) ?? has(path)
}

// What these addresses name doesn't exist.
const NEEDS_RECORD = /:(?!org)|\/logo$|\/statements\/new$/

/** An address with a record that doesn't exist. */
const filled = (path: string) => path.replace(":org", "acme").replace(/:\w+/g, "0")

function outcomeOf({ title, status, path }: BrowsedPage): Outcome {
  if (title.startsWith("Sign in") || path.startsWith("/app/sign-in")) return "sign in first"
  if (status === 404) return "not found"
  return status === 403 ? "for admins" : "admitted"
}

/** Asks as a browser does, or sends an empty form. */
const visit = (open: Browse, app: TestApp, method: string, path: string) =>
  method === "GET" ? open(path) : open(path, { method, headers: { origin: app.url } })

test("every route is in the table of who may use it, and the table has no other", () => {
  const unknown = ROUTES.filter(([method, path]) => audienceOf(method, path) === undefined)
  expect(unknown.map(([method, path]) => `${method} ${path}`)).toEqual([])
  const paths = new Set(ROUTES.flatMap(([method, path]) => [path, `${method} ${path}`]))
  expect(ENTRIES.flatMap(([, entries]) => entries).filter((path) => !paths.has(path))).toEqual([])
})

test.each(Object.keys(ROLES) as (keyof typeof ROLES)[])(
  "as %s, a visitor is refused exactly what the table says",
  async (role) => {
    await using app = await startApp()
    const seller = await givenSeller(app)
    // Without an operator, the sign-in page is another one.
    await signIn(app, { isOperator: true })
    const open = await ROLES[role](app, seller)
    const wrong: string[] = []
    for (const [method, path] of ROUTES) {
      const audience = audienceOf(method, path) ?? "operator"
      const expected = REFUSED[audience][role] ?? "admitted"
      // A form that is admitted would be saved, and what a path names may be missing for everybody.
      if (expected === "admitted" && (method === "POST" || audience === "anyone")) continue
      const outcome = outcomeOf(await visit(open, app, method, filled(path)))
      const isMissing = expected === "admitted" && outcome === "not found" && NEEDS_RECORD.test(path)
      if (outcome !== expected && !isMissing) wrong.push(`${method} ${path}: ${outcome}, not ${expected}`)
    }
    expect(wrong).toEqual([])
    expect(app.logged.filter((line) => line.includes('"level":"error"'))).toEqual([])
  },
)
