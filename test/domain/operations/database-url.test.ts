import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { addressInWords, readAddress, withoutPassword } from "../../../src/domain/operations/database-url.ts"

describe("a database URL", () => {
  test("says where, who and how, with libpq's defaults", () => {
    expect(readAddress("postgres://ann:s%40crt@db.example:6000/ads")).toEqual({
      hosts: [{ name: "db.example", port: 6000 }],
      user: "ann",
      password: "s@crt",
      database: "ads",
      tlsMode: "prefer",
      rootCertificate: null,
      certificate: null,
      key: null,
      applicationName: "adbooth",
      poolSize: 10,
      prepare: true,
    })
    expect(readAddress("postgresql://ann@db")).toMatchObject({ database: "ann", hosts: [{ name: "db", port: 5432 }] })
  })

  test("may name several hosts, IPv6 addresses and the folder of a socket", () => {
    const { hosts } = readAddress("postgres://u:p@a:5432,b:5433,[::1]:5434,c/db?target_session_attrs=read-write")
    const [a, b, c] = ["a", "b", "c"].map((name, place) => ({ name, port: [5432, 5433, 5432][place] }))
    expect(hosts as unknown[]).toEqual([a, b, { name: "::1", port: 5434 }, c])
    expect(readAddress("postgres://u@/db?host=/run/postgresql").hosts).toEqual([
      { name: "/run/postgresql", port: 5432 },
    ])
    expect(readAddress("postgres://u@%2Frun%2Fpg:6000/db").hosts).toEqual([{ name: "/run/pg", port: 6000 }])
    expect(readAddress("postgres:///db?host=a,b&port=1,2&user=u").hosts).toMatchObject([{ port: 1 }, { port: 2 }])
  })

  test("names the sslmode and its files, the pool and whether statements are prepared", () => {
    const url = "postgres://u@h/d?sslmode=verify-full&sslrootcert=/ca.pem&pool_size=40&prepare=false&application_name=x"
    expect(readAddress(url)).toMatchObject({
      tlsMode: "verify-full",
      rootCertificate: "/ca.pem",
      poolSize: 40,
      prepare: false,
      applicationName: "x",
    })
  })

  test.each([
    ["mysql://u:hidden@h/d", /does not look like/],
    ["postgres://:hidden@h/d", /names no user/],
    ["postgres://u:hidden@h:99999/d", /port is a number from 1 to 65535/],
    ["postgres://u:hidden@h/d?sslmode=maybe", /sslmode is one of disable, allow/],
    ["postgres://u:hidden@h/d?sslmoed=require", /after the \? stands something else/],
    ["postgres://u:hidden@h/d?pool_size=1", /pool_size is a number from 2/],
    ["postgres://u:hidden@h/d?target_session_attrs=standby", /target_session_attrs is one of read-write, primary/],
    ["postgres://u:hidden%@h/d", /write % as %25/],
    ["postgres://u:hid/den@h/d", /write \/ as %2F/],
    ["postgres://u:hid?den@h/d", /cannot be used/],
  ])("%s is refused with a sentence that does not tell the password", (url, sentence) => {
    expect(() => readAddress(url)).toThrow(sentence)
    expect(() => readAddress(url)).not.toThrow(/hid|den@/)
  })

  test("whatever user and password are, they come back as they were, and the password is never shown", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(word, word, (user, password) => {
        const secret = `${password}-secret`
        const url = `postgres://${encodeURIComponent(user)}:${encodeURIComponent(secret)}@h:1/d`
        const address = readAddress(url)
        expect(address).toMatchObject({ user, password: secret })
        expect(withoutPassword(url)).not.toContain("secret")
        expect(addressInWords(address)).toBe("d at h:1")
      }),
    )
    expect(withoutPassword("postgres://h/d?user=u&password=secret&pool_size=4")).toBe(
      "postgres://h/d?user=u&password=***&pool_size=4",
    )
  })

  const SECRET = "s3cr3t"
  test.each([
    ["postgres://u:///s3cr3t@h/db", "***"],
    ["postgres://u:s3cr@s3cr3t@h/db", "postgres://u:***@h/db"],
    ["postgres://u:s3cr3t%2Fx@h", "postgres://u:***@h"],
    ["postgres://u%3As3cr3t@h/db", "postgres://u:***@h/db"],
    ["postgres://u:5432/s3cr3t@h/db?user=u", "***"],
    ["postgres://h/db?user=u&pass%77ord=s3cr3t", "postgres://h/db?user=u&password=***"],
    ["postgres://h/db?user=u&password=x&s3cr3t", "***"],
    ["postgres://h/db?user=u&sslpassword=s3cr3t", "***"],
    ["postgres://u:s3\ncr3t@h/db", "postgres://u:***@h/db"],
    ["host=h user=u password=s3cr3t", "***"],
  ])("%j is shown as %s", (url, shown) => {
    expect(withoutPassword(url)).toBe(shown)
  })

  test("wherever a password stands and however it is written, no part of it is shown", () => {
    const odd = fc.constantFrom("", ..."/?#@:&=% \n'[]\\".split(""), "//", "%2F", "%", "&host=", "?user=u", "@h/", "1/")
    const password = fc.tuple(odd, odd, odd).map(([a, b, c]) => `${a}${b}${SECRET}${c}`)
    const form = fc.constantFrom(
      (text: string) => `postgres://u:${text}@h:1/d?sslmode=require`,
      (text: string) => `postgresql://u:${text}@h1,h2/d`,
      (text: string) => `postgres://u:12${text}@h/d?user=u`,
      (text: string) => `postgres://h/d?user=u&password=${encodeURIComponent(text)}&pool_size=4`,
      (text: string) => `host=h user=u password=${text}`,
      (text: string) => `postgres:u:${text}@h`,
    )
    fc.assert(fc.property(form, password, (write, text) => !withoutPassword(write(text)).includes(SECRET)))
  })
})
