import { describe, expect, test } from "bun:test"
import { temporaryFolder } from "../../harness.ts"
import { EXAMPLE_FILE } from "./example-file.ts"
import { adbooth } from "./in-process.ts"

/** A data directory with the example in it, and a way to call the program on it. */
async function given() {
  const folder = temporaryFolder()
  const on = async (...words: string[]) => {
    const done = await adbooth([...words, "--data", folder.path, "--json"])
    return { ...done, json: done.code === 0 ? JSON.parse(done.out) : undefined }
  }
  await adbooth(["import", "-", "--data", folder.path], { input: JSON.stringify(EXAMPLE_FILE) })
  return { on, data: folder.path, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

describe("keys on the command line", () => {
  test("a key list shows label, prefix, created and last used, and never the key", async () => {
    using at = await given()
    const made = await at.on("key", "create", "--org", "acme-audio", "--label", "Ad server")
    const listed = await at.on("key", "list", "--org", "acme-audio")
    expect(listed.json).toEqual([
      {
        id: made.json.id,
        prefix: made.json.prefix,
        label: "Ad server",
        created: expect.stringMatching(/Z$/),
        last_used: null,
        revoked: null,
        organization: "acme-audio",
      },
    ])
    expect(listed.out).not.toContain(made.json.key)
  })

  test("a key is revoked by its id or its prefix, once", async () => {
    using at = await given()
    for (const field of ["id", "prefix"]) {
      const made = await at.on("key", "create", "--org", "acme-audio", "--label", field)
      expect((await at.on("key", "revoke", made.json[field], "--yes")).json).toMatchObject({
        id: made.json.id,
        revoked: true,
      })
      const again = await at.on("key", "revoke", made.json[field], "--yes")
      expect(again).toMatchObject({ code: 1, err: expect.stringContaining("There is no active API key") })
    }
  })

  test.each([
    ["key", ["--org", "acme-audio"]],
    ["agent-key", []],
  ])("%s revoke takes a whole key that somebody found, and no message repeats it", async (kind, more) => {
    using at = await given()
    const made = await at.on(kind, "create", "--label", "Found in a mail", ...more)
    const asked = await at.on(kind, "revoke", made.json.key)
    expect(asked.err).toContain(`Revoke ${made.json.prefix}?`)
    expect((await at.on(kind, "revoke", made.json.key, "--yes")).json).toMatchObject({ id: made.json.id })
    const again = await at.on(kind, "revoke", made.json.key, "--yes")
    const elsewhere = await at.on("user", "link", made.json.key)
    for (const { code, err } of [asked, again, elsewhere]) {
      expect(code).not.toBe(0)
      expect(err).not.toContain(made.json.key)
    }
  })

  test("an agent key is shown once, and opened to products by an import", async () => {
    using at = await given()
    const made = await at.on("agent-key", "create", "--label", "Buyer Y")
    expect(made.json).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^aba_/),
      prefix: expect.any(String),
      label: "Buyer Y",
    })
    const opened = [{ product_id: "p1", territories: ["AT", "DE"] }]
    const file = JSON.stringify({ agent_keys: [{ label: "Buyer Y", opened }] })
    expect(await adbooth(["import", "-", "--data", at.data], { input: file })).toMatchObject({ code: 0 })
    const listed = await at.on("agent-key", "list")
    expect(listed.json.find((key: { id: string }) => key.id === made.json.id).opened).toEqual(opened)
  })

  test("a label means one active agent key", async () => {
    using at = await given()
    expect(await at.on("agent-key", "create", "--label", "Buyer X")).toMatchObject({
      code: 1,
      err: expect.stringContaining("already"),
    })
  })

  test("an account is made with a one-time link, or with a password from standard input", async () => {
    using at = await given()
    const made = await at.on(
      "user",
      "create",
      "--email",
      "B@Example.com",
      "--name",
      "B",
      "--org",
      "acme-audio",
      "--role",
      "admin",
    )
    expect(made.json).toMatchObject({
      email: "b@example.com",
      link: expect.stringMatching(/\/app\/password\/[\w-]{43}$/),
    })
    expect((await at.on("user", "create", "--email", "b@example.com", "--name", "B")).code).toBe(1)
    const listed = await at.on("user", "list")
    expect(listed.json).toContainEqual({
      email: "b@example.com",
      name: "B",
      operator: false,
      password_set: false,
      two_factor: false,
      memberships: [{ organization: "acme-audio", role: "admin" }],
    })
    expect((await at.on("user", "link", "b@example.com")).json.link).toMatch(/\/app\/password\//)
  })

  test("setup-link gives a one-time link only while there is no operator", async () => {
    using at = await given()
    expect((await at.on("user", "setup-link")).json.link).toMatch(/\/app\/setup\/[\w-]{43}$/)
    await at.on("user", "create", "--email", "o@example.com", "--name", "O", "--operator")
    expect(await at.on("user", "setup-link")).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is already an operator"),
    })
  })
})
