import { issuePasswordLink } from "../../src/actions/issue-link.ts"
import { hashToken } from "../../src/domain/token.ts"
import type { Route } from "../../src/doors/web/route.ts"
import type { TestApp } from "../harness.ts"
import { givenPerson } from "./given.ts"
import { operatorValueFor } from "./operator/paths.ts"

/** A real path for a route: every part names something of Acme Audio that exists, made anew where visits use it up. */
export async function pathOf(app: TestApp, route: Route): Promise<string> {
  let path = route.path
  for (const [part] of route.path.matchAll(/:\w+/g)) path = path.replace(part, await valueFor(app, part, route))
  return path
}

async function valueFor(app: TestApp, part: string, route: Route): Promise<string> {
  switch (part) {
    case ":org":
      return "acme-audio"
    case ":token":
      return tokenFor(app, route)
    default:
      return (await operatorValueFor(app, part)) ?? unknownPart(part, route)
  }
}

function unknownPart(part: string, route: Route): never {
  throw new Error(`test/web/paths.ts does not know what ${part} in ${route.path} stands for`)
}

async function tokenFor(app: TestApp, route: Route): Promise<string> {
  if (route.path.startsWith("/app/setup/")) return setupToken(app)
  const link = await issuePasswordLink(app, await givenPerson(app))
  return link.slice("/app/password/".length)
}

/** There is an operator in this test, so that a set-up link can only be kept, not asked for. */
async function setupToken(app: TestApp): Promise<string> {
  const createdAt = app.clock()
  const link = { purpose: "setup", userId: null, createdAt, expiresAt: createdAt + 60_000_000 } as const
  await app.store.oneTimeLinks.issue({ tokenHash: hashToken("a-token"), ...link })
  return "a-token"
}
