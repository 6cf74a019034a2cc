import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { tryProgram } from "../harness/program.ts"
import { emptyData, exampleData } from "./given.ts"

const ADA = ["--email", "Ada@Example.com", "--name", "Ada"]

describe("user create", () => {
  test("prints a one-time link, and lists the account with its roles", async () => {
    using given = await exampleData()
    const created = await given.json("user", "create", ...ADA, "--org", "acme-audio", "--role", "admin")
    expect(created).toEqual({
      email: "ada@example.com",
      name: "Ada",
      operator: false,
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/app\/password\/[\w-]{43}$/),
    })
    expect(await given.json("user", "list")).toEqual([
      {
        email: "ada@example.com",
        name: "Ada",
        memberships: [{ organization: "acme-audio", role: "admin" }],
        operator: false,
        password_set: false,
        two_factor: false,
      },
    ])
    const again = await given.run("user", "create", ...ADA)
    expect(again).toMatchObject({ code: 1, errors: expect.stringContaining('"adbooth user link ada@example.com"') })
  })

  test("--password-stdin sets a password that follows the rules, and prints no link", async () => {
    using given = await exampleData()
    const create = (password: string) =>
      tryProgram(["user", "create", ...ADA, "--operator", "--password-stdin", "--data", given.data], {}, password)
    expect(await create("short")).toMatchObject({ code: 2, output: "" })
    expect(await create("password1234")).toMatchObject({ code: 2, errors: expect.not.stringContaining("password1234") })
    expect(await create("three quiet green boats\n")).toMatchObject({ code: 0, output: "The account is ready.\n" })
    const [user] = await given.json("user", "list")
    expect(user).toMatchObject({ operator: true, password_set: true })
  })

  test("refuses an address that is none, all problems at once", async () => {
    const { code, errors } = await tryProgram(["user", "create", "--email", "x", "--name", "", "--role", "admin"])
    expect(code).toBe(2)
    expect(errors).toBe(
      '--email must be an email address, not "x".\n--name must have 1 to 200 characters.\n--role needs --org.\n',
    )
  })
})

test("user link prints a new link with the public URL", async () => {
  using given = await exampleData()
  await given.run("user", "create", ...ADA)
  const { link } = await given.json("user", "link", "ADA@example.com", "--public-url", "https://ads.example.com")
  expect(link).toStartWith("https://ads.example.com/app/password/")
  expect((await given.run("user", "link", "nobody@example.com")).errors).toContain("There is no account for nobody")
})

test("user reset-2fa asks first, turns codes off and ends sessions", async () => {
  using given = await exampleData()
  await given.run("user", "create", ...ADA)
  expect(await given.json("user", "reset-2fa", "ada@example.com", "--yes")).toMatchObject({ reset: false })
  inDatabase(given.data, "UPDATE user SET totp_secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'")
  expect((await given.run("user", "reset-2fa", "ada@example.com")).code).toBe(2)
  expect(await given.json("user", "reset-2fa", "ada@example.com", "--yes")).toMatchObject({ reset: true })
  expect((await given.json("user", "list"))[0]).toMatchObject({ two_factor: false })
})

function inDatabase(data: string, statement: string): void {
  using database = new Database(join(data, "adbooth.db"))
  database.run(statement)
}

test("user setup-link works on a new data directory, and only while there is no operator", async () => {
  using given = emptyData()
  const first = await given.json("user", "setup-link")
  expect(first).toEqual({ link: expect.stringMatching(/\/app\/setup\/[\w-]{43}$/), minutes: 30 })
  const { output } = await given.run("user", "setup-link")
  expect(output).toContain("Earlier links work as well, until one of them is used.")
  await given.run("user", "create", "--email", "o@example.com", "--name", "O", "--operator")
  const { code, errors } = await given.run("user", "setup-link")
  expect(code).toBe(1)
  expect(errors).toContain("There is already an operator.")
})
