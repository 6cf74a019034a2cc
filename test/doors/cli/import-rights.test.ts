import { describe, expect, test } from "bun:test"
import { temporaryFolder } from "../../harness.ts"
import { adbooth } from "./in-process.ts"

// Anybody may have registered an account under somebody else's address, so an import creates accounts but never changes what one may do.

const ACME = { slug: "acme", name: "Acme" }
const MO = { email: "mo@example.com", name: "Mo" }
const ADMIN = { ...MO, organization: "acme", role: "admin" }

async function givenImports() {
  const folder = temporaryFolder()
  const on = ["--data", folder.path]
  const bringIn = (...users: object[]) =>
    adbooth(["import", "-", ...on], {
      input: JSON.stringify({ organizations: [ACME, { slug: "b", name: "B" }], users }),
    })
  const rights = async () => {
    const listed = JSON.parse((await adbooth(["user", "list", "--json", ...on])).out) as Record<string, unknown>[]
    return listed.map(({ email, operator, memberships }) => ({ email, operator, memberships }))
  }
  return { bringIn, rights, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

describe("an import of an account that is there", () => {
  test.each([
    ["a seat", MO, { ...MO, organization: "acme" }, "/users/0/organization"],
    ["a seat, whatever the case of the address,", MO, { ...ADMIN, email: "MO@Example.com" }, "/users/0/organization"],
    ["a seat in another organization", ADMIN, { ...MO, organization: "b" }, "/users/0/organization"],
    ["the right of the operator", MO, { ...MO, operator: true }, "/users/0/operator"],
    ["a greater role", { ...ADMIN, role: "member" }, ADMIN, "/users/0/role"],
    ["a lesser role", ADMIN, { ...ADMIN, role: "member" }, "/users/0/role"],
    ["no operator any more", { ...MO, operator: true }, { ...MO, operator: false }, "/users/0/operator"],
  ])("gives it no rights and takes none: %s is an error that names the account", async (_, before, after, place) => {
    using imports = await givenImports()
    expect(await imports.bringIn(before)).toMatchObject({ code: 0 })
    const rights = await imports.rights()
    const refused = await imports.bringIn(after, { email: "new@example.com", name: "New" })
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(place)
    expect(refused.err).toContain("mo@example.com")
    expect(await imports.rights()).toEqual(rights)
  })

  test("with the same rights, or with none said, is repeatable and may bring another name", async () => {
    using imports = await givenImports()
    const people = [
      { ...ADMIN, operator: true },
      { ...MO, organization: "b" },
    ]
    expect(await imports.bringIn(...people)).toMatchObject({ code: 0 })
    const rights = await imports.rights()
    expect(await imports.bringIn(...people)).toMatchObject({ code: 0 })
    expect(await imports.bringIn({ ...MO, name: "Moritz" })).toMatchObject({ code: 0 })
    expect(await imports.rights()).toEqual(rights)
  })
})
