import { describe, expect, test } from "bun:test"
import { exampleData } from "./given.ts"

describe("API keys", () => {
  test("are printed once, alone on standard output, and listed without the secret", async () => {
    using given = await exampleData()
    const { output, errors } = await given.run("key", "create", "--org", "acme-audio", "--label", "Ad server")
    expect(output).toMatch(/^abi_\w{38}\n$/)
    expect(errors).toContain("it won't be shown again")
    const created = await given.json("key", "create", "--org", "acme-audio", "--label", "Second")
    expect(created).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^abi_\w{38}$/),
      prefix: created.key.slice(0, 12),
      label: "Second",
      organization: "acme-audio",
    })
    const listed = await given.json("key", "list", "--org", "acme-audio")
    expect(listed).toEqual([
      {
        id: created.id,
        prefix: created.prefix,
        label: "Second",
        organization: "acme-audio",
        created: expect.stringMatching(/Z$/),
        last_used: null,
        revoked: null,
      },
      expect.objectContaining({ label: "Ad server", prefix: output.slice(0, 12) }),
    ])
    expect(await given.json("key", "list", "--org", "brand-co")).toEqual([])
    expect((await given.run("key", "list", "--org", "nobody")).errors).toContain('Unknown organization "nobody".')
    expect((await given.run("key", "create", "--org", "acme-audio", "--label", "")).code).toBe(2)
  })

  test("are revoked by ID, by prefix or by the whole key, which no message repeats", async () => {
    using given = await exampleData()
    const create = (label: string) => given.json("key", "create", "--org", "acme-audio", "--label", label)
    for (const field of ["id", "prefix", "key"]) {
      const created = await create(field)
      expect(await given.json("key", "revoke", created[field], "--yes")).toEqual({
        id: created.id,
        label: field,
        revoked: true,
      })
    }
    const { key, prefix } = await create("Found in a mail")
    const asked = await given.run("key", "revoke", key)
    expect(asked).toMatchObject({ code: 2, output: "" })
    expect(asked.errors).toBe(
      `Revoke key ${prefix} ("Found in a mail", acme-audio)? Anything using it stops working immediately.\n` +
        "Can't ask for confirmation without a terminal. Nothing was changed. Add --yes to continue.\n",
    )
    await given.run("key", "revoke", key, "--yes")
    const again = await given.run("key", "revoke", key, "--yes")
    expect(again.errors).toContain(`There is no active API key "${prefix}".`)
    const elsewhere = await given.run("user", "link", key)
    for (const { code, errors } of [again, elsewhere]) {
      expect(code).toBe(1)
      expect(errors).not.toContain(key)
    }
  })
})

describe("buyer keys", () => {
  test("are printed once, and see what an import shows them", async () => {
    using given = await exampleData()
    const created = await given.json("agent-key", "create", "--label", "Buyer Y", "--buyer", "brand-co")
    expect(created).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^aba_\w{38}$/),
      prefix: created.key.slice(0, 12),
      label: "Buyer Y",
    })
    const opened = [{ product_id: "morning-show", territories: ["AT", "DE"] }]
    expect((await given.import({ agent_keys: [{ label: "Buyer Y", opened }] })).code).toBe(0)
    const listed = await given.json("agent-key", "list")
    const key = listed.find(({ id }: { id: string }) => id === created.id)
    expect(key).toMatchObject({ prefix: created.prefix, buyer: "brand-co", opened, last_used: null, revoked: null })
    const table = await given.run("agent-key", "list")
    expect(table.output).toContain("morning-show (AT DE)")
  })

  test("have labels of their own, and are revoked once", async () => {
    using given = await exampleData()
    const taken = await given.run("agent-key", "create", "--label", "Buyer X")
    expect(taken).toMatchObject({ code: 1, errors: expect.stringContaining("Another buyer key has this label.") })
    const [{ prefix }] = await given.json("agent-key", "list")
    const { output } = await given.run("agent-key", "revoke", prefix, "--yes")
    expect(output).toBe(`Revoked ${prefix} ("Buyer X"). Calls with it now get 401.\n`)
    expect((await given.run("agent-key", "revoke", prefix, "--yes")).code).toBe(1)
    expect((await given.run("agent-key", "create", "--label", "Buyer X")).code).toBe(0)
  })
})
