import { expect, test } from "bun:test"
import type { Audience, Route } from "../../../src/doors/web/guards.ts"
import { routes } from "../../../src/doors/web/routes.ts"
import { givenCodeId } from "../../given.ts"
import type { TestApp } from "../../harness.ts"
import { AUDIENCES } from "./audiences.ts"
import { crawl, fewOfEachKind } from "./crawl.ts"
import { givenPerson, OWN_LINE, startMarket } from "./given.ts"
import { pathOf } from "./paths.ts"
import { signedIn, type Visitor, visitor } from "./visitor.ts"

const nameOf = ({ method, path }: Route) => `${method} ${path}`

test("every route says who may use it, as the table does", () => {
  expect(Object.fromEntries(routes.map((route) => [nameOf(route), route.who]))).toEqual({ ...AUDIENCES })
})

// Every route is visited, and one of them makes a real backup.
const PATIENCE_MS = 600_000

type Outcome = "admitted" | "sign in first" | "not found" | "for admins"

/** Roles towards Acme Audio, whose pages are visited. */
const ROLES: Readonly<Record<string, (app: TestApp) => Promise<Visitor>>> = {
  anonymous: async (app) => visitor(app),
  member: async (app) => signedIn(app, await givenPerson(app, { of: "acme-audio" })),
  admin: async (app) => signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" })),
  "admin of another seller": async (app) =>
    signedIn(app, await givenPerson(app, { of: "other-seller", role: "admin" })),
  "member of the buyer": async (app) => signedIn(app, await givenPerson(app, { of: "brand-co" })),
  operator: async (app) => signedIn(app, await givenPerson(app, { isOperator: true })),
}

const EXPECTED: Readonly<Record<Audience, Readonly<Record<string, Outcome>>>> = {
  anyone: {},
  signed_in: { anonymous: "sign in first" },
  member: {
    anonymous: "sign in first",
    "admin of another seller": "not found",
    "member of the buyer": "not found",
  },
  admin: {
    anonymous: "sign in first",
    member: "for admins",
    "admin of another seller": "not found",
    "member of the buyer": "not found",
  },
  operator: {
    anonymous: "sign in first",
    member: "not found",
    admin: "not found",
    "admin of another seller": "not found",
    "member of the buyer": "not found",
  },
}

function outcomeOf({ status, headers }: Response): Outcome {
  // Signing out leads there as well, but takes the session's cookie away.
  const leadsToSignIn = status === 303 && headers.get("location")?.startsWith("/app/sign-in")
  if (leadsToSignIn && headers.getSetCookie().length === 0) return "sign in first"
  if (status === 404) return "not found"
  return status === 403 ? "for admins" : "admitted"
}

test.each([
  ["acme-audio", "member"],
  ["acme-audio", "admin"],
  ["brand-co", "member"],
  ["brand-co", "admin"],
] as const)(
  "no page leads a person of %s, a %s, to what is refused to them",
  async (of, role) => {
    await using app = await startMarket()
    const acme = await app.store.organizations.findBySlug("acme-audio")
    await givenCodeId(app.store, acme?.id ?? 0, OWN_LINE, "A10")
    const person = await signedIn(app, await givenPerson(app, { of, role }))
    const totals = `/app/o/${of}/totals`
    const report = { [`total.${OWN_LINE}`]: "5", as_of: "2026-11-10", as_of_time: "" }
    const receipt = of === "acme-audio" ? (await person.post(totals, report)).headers.get("location") : null
    const starts = ["/app", `/app/o/${of}/affiliates`, `/app/o/${of}/feed-activity`, ...(receipt ? [receipt] : [])]
    const pages = await crawl(person, starts, { isWanted: fewOfEachKind() })
    expect(pages.filter(({ status }) => status >= 400).map(({ path }) => path)).toEqual([])
    if (of === "brand-co") {
      expect(pages.map(({ path }) => path).join()).not.toMatch(/new|upload|totals|\/edit/)
    }
  },
  PATIENCE_MS,
)

// These are of whoever was made last.
const IS_PERSONAL = /:(?:session|report|receipt)\b/

test(
  "what each role may use is exactly what the table allows",
  async () => {
    await using app = await startMarket()
    await givenPerson(app, { isOperator: true })
    const members = new Map<string, Visitor>()
    for (const [role, join] of Object.entries(ROLES)) members.set(role, await join(app))
    for (const route of routes) {
      const path = await pathOf(app, route)
      for (const [role, join] of Object.entries(ROLES)) {
        const expected = EXPECTED[route.who][role] ?? "admitted"
        // A visit may use up what the path names, and the session.
        const isUsedUp = expected === "admitted" && (route.method === "POST" || IS_PERSONAL.test(route.path))
        const person = isUsedUp ? await join(app) : (members.get(role) ?? visitor(app))
        const visited = isUsedUp ? await pathOf(app, route) : path
        const response = route.method === "GET" ? await person.get(visited) : await person.post(visited)
        const outcome = [role, nameOf(route), outcomeOf(response), response.status < 500]
        expect(outcome).toEqual([role, nameOf(route), expected, true])
      }
    }
  },
  PATIENCE_MS,
)
