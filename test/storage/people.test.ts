import { expect, test } from "bun:test"
import { createUser } from "../../src/actions/people/create-user.ts"
import { startApp, type TestApp } from "../harness.ts"

const change = { actor: "user:1", at: 1 }

async function person(app: TestApp, email: string, isOperator: boolean) {
  const made = await createUser(app, { email, name: email, isOperator, membership: null, passwordHash: null }, "setup")
  return made?.user.id ?? 0
}

test("there is always an operator: the last one can be neither removed nor made an ordinary user", async () => {
  await using app = await startApp()
  const first = await person(app, "a@example.com", true)
  const plain = { name: "A", isOperator: false, memberships: [] }
  expect(await app.store.users.remove(first, change)).toBe("last operator")
  expect(await app.store.users.edit(first, plain, change)).toBe("last operator")
  const second = await person(app, "b@example.com", true)
  expect(await app.store.users.edit(first, plain, change)).toBe("done")
  expect(await app.store.users.remove(second, change)).toBe("last operator")
  expect(await app.store.users.remove(first, change)).toBe("done")
  expect(await app.store.users.findById(first)).toBeNull()
})

test("editing a user replaces the memberships", async () => {
  await using app = await startApp()
  const id = await person(app, "a@example.com", false)
  const acme = await app.store.organizations.create({ slug: "acme", name: "Acme", timeZone: "UTC" }, change)
  const brand = await app.store.organizations.create({ slug: "brand", name: "Brand", timeZone: "UTC" }, change)
  const edit = (organizationId: number, role: "admin" | "member") =>
    app.store.users.edit(id, { name: "A", isOperator: false, memberships: [{ organizationId, role }] }, change)
  await edit(acme?.id ?? 0, "member")
  await edit(brand?.id ?? 0, "admin")
  expect((await app.store.users.findById(id))?.memberships).toMatchObject([{ organization: "brand", role: "admin" }])
  expect(await app.store.organizations.overview()).toMatchObject([
    { slug: "acme", members: 0 },
    { slug: "brand", members: 1 },
  ])
})

test("a slug means one organization, and its name and time zone can be changed", async () => {
  await using app = await startApp()
  const { organizations } = app.store
  await organizations.create({ slug: "acme", name: "Acme", timeZone: "UTC" }, change)
  expect(await organizations.create({ slug: "acme", name: "Other", timeZone: "UTC" }, change)).toBeNull()
  await organizations.edit("acme", { name: "Acme Audio", timeZone: "Europe/Berlin" }, change)
  expect(await organizations.findBySlug("acme")).toMatchObject({ name: "Acme Audio", timeZone: "Europe/Berlin" })
  expect(await organizations.edit("nobody", { name: "X", timeZone: "UTC" }, change)).toBeNull()
})

test("a long audit trail is looked through to its end, however rare what is looked for is", async () => {
  await using app = await startApp()
  const { audit } = app.store
  const change = { actor: "command", at: app.clock() }
  await audit.note("rare_thing", "needle_1", change)
  await Promise.all(Array.from({ length: 1_000 }, (_, i) => audit.note("common_thing", `straw ${i}`, change)))
  const subjects = async (...how: Parameters<typeof audit.list>) =>
    (await audit.list(...how)).entries.map((one) => one.subject)
  expect(await subjects({ text: "needle_" }, { before: null, limit: 10 })).toEqual(["needle_1"])
  expect(await subjects({ text: "needleX" }, { before: null, limit: 10 })).toEqual([])
  expect(await subjects({ action: "common_thing" }, { before: null, limit: 900 })).toHaveLength(900)
  expect(await audit.actions()).toEqual(["common_thing", "rare_thing"])
})

test("the audit trail is read newest first, by pages and by filters", async () => {
  await using app = await startApp()
  const { audit, organizations } = app.store
  for (const [at, slug] of ["a", "b", "c"].entries()) {
    const actor = slug === "b" ? "user:2" : "command"
    await organizations.create({ slug, name: `100% ${slug}`, timeZone: "UTC" }, { actor, at })
  }
  const subjects = async (...how: Parameters<typeof audit.list>) =>
    (await audit.list(...how)).entries.map((one) => one.subject)
  const page = { before: null, limit: 2 }
  expect(await subjects({}, page)).toEqual(["c", "b"])
  const [, last] = (await audit.list({}, page)).entries
  expect(await subjects({}, { before: last?.id ?? 0, limit: 2 })).toEqual(["a"])
  expect(await subjects({ actor: "user:2" }, page)).toEqual(["b"])
  expect(await subjects({ from: 1, until: 2 }, page)).toEqual(["b"])
  expect(await subjects({ text: "100% a" }, page)).toEqual(["a"])
  expect(await subjects({ text: "100_ a" }, page)).toEqual([])
  expect(await audit.actions()).toEqual(["create organization"])
})
