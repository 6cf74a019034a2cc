import { expect, test } from "bun:test"
import { loggedArguments } from "../../../src/domain/adcp/logged-arguments.ts"
import { findCredential } from "../../../src/domain/adcp/tools/arguments.ts"
import { mint } from "../../../src/domain/keys/api-key.ts"
import { ask, givenView } from "./given.ts"

const key = mint("agent", (count) => new Uint8Array(count).fill(7))
const view = givenView([])

test.each([
  [{ api_key: "x" }, "/api_key"],
  [{ apiKey: "x" }, "/apiKey"],
  [{ filters: { ext: [{ Authorization: "Bearer x" }] } }, "/filters/ext/0/Authorization"],
  [{ ext: { x: { bearer: "x" } } }, "/ext/x/bearer"],
  [{ ext: { client_secret: "x" } }, "/ext/client_secret"],
  [{ ext: { gam_access_token: "x" } }, "/ext/gam_access_token"],
  [{ ext: { jwks: {} } }, "/ext/jwks"],
  [{ ext: { jwks_uri: "x" } }, "/ext/jwks_uri"],
])("a credential in the arguments %j is found and refused", (args, place) => {
  expect(findCredential(args)).toBe(place)
  expect(ask(view, { ...args, context: { n: 1 } })).toMatchObject({
    adcp_error: { code: "CREDENTIAL_IN_ARGS", recovery: "terminal" },
    context: { n: 1 },
  })
})

test("a credential is found however long the name of its field is", () => {
  const name = `${"partner_".repeat(1_000)}access_token`
  expect(findCredential({ ext: { [name]: "x" } })).toBe(`/ext/${name}`)
})

test("a credential is found at every depth that arguments may have", () => {
  let deep: unknown = { api_key: "x" }
  for (let level = 0; level < 95; level++) deep = { deep }
  expect(findCredential({ ext: deep })).toEndWith("/deep/api_key")
})

test.each([
  [{ push_notification_config: { url: "https://x.example/", authentication: { schemes: ["Bearer"], bearer: "x" } } }],
  [{ property_list: { agent_url: "https://x.example/", list_id: "l", auth_token: "x" } }],
  [{ context: { api_key: "x" } }],
  [{ brief: "an api_key campaign with authorization" }],
])("what the protocol itself allows, and what is not ours to read, is no credential: %j", (args) => {
  expect(findCredential(args)).toBeUndefined()
})

const spread = (text: string, size: number, by: string) => (text.match(new RegExp(`.{1,${size}}`, "g")) ?? []).join(by)
const random = mint("agent", (count) => Uint8Array.from({ length: count }, (_, i) => (i * 89 + 7) % 248))

test.each([
  ["as it is", random],
  ["of the other kind", mint("ingest", (count) => Uint8Array.from({ length: count }, (_, i) => (i * 31 + 5) % 248))],
  ["inside other words", `thekeyis${random}ofours`],
  ["with its digits taken out", random.replace(/\d/g, "")],
  ["in pieces", spread(random, 6, " ")],
  ["in single characters", spread(random, 1, " ")],
  ["over several lines", spread(random, 10, "\n")],
  ["with dashes", spread(random, 4, "-")],
  ["of another service", "bearer 0123456789abcdef0123456789abcdef"],
  ["a JSON web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"],
])("a key in a brief or a wish, %s, is refused, and nothing of it comes back", (_, secret) => {
  for (const args of [
    { brief: `Not podcasts for ${secret}, please` },
    { buying_mode: "refine", refine: [{ scope: "request", ask: `no ${secret}` }] },
  ]) {
    const answer = ask(view, args)
    expect(answer.adcp_error.code).toBe("CREDENTIAL_IN_ARGS")
    const text = JSON.stringify(answer)
    for (const piece of secret.split(/[^0-9A-Za-z]+/).filter(({ length }) => length > 4))
      expect(text).not.toContain(piece)
  }
})

test("a key as the name of a field is refused, and nothing of it comes back", () => {
  const answer = ask(view, { buying_mode: "wholesale", filters: { [random]: 1 } })
  expect(answer.adcp_error.code).toBe("CREDENTIAL_IN_ARGS")
  expect(JSON.stringify(answer)).not.toContain(random.slice(12))
})

test.each([
  "bearer bonds and certificates",
  "abi_tur campaign",
  "aba_ is not ours",
  "snake_case and crab_cakes",
  "vaba_x",
])("%s: no key", (brief) => {
  expect(ask(view, { brief }).adcp_error).toBeUndefined()
})

test("the call log keeps no context and no credential, wherever it stands", () => {
  const args = {
    brief: "shoes",
    context: { secret: "context" },
    push_notification_config: {
      url: "https://x.example/",
      token: "tttttttttttttttt",
      authentication: { credentials: "cccccccc" },
    },
    ext: { api_key: "kkkkkk", deep: [{ my_access_token: "aaaaaa" }] },
    property_list: { auth_token: "pppppp" },
  }
  const text = loggedArguments(args) ?? ""
  for (const secret of ["context", "tttt", "cccc", "kkkkkk", "aaaaaa", "pppppp"]) expect(text).not.toContain(secret)
  expect(JSON.parse(text).brief).toBe("shoes")
  for (const more of [
    { note: `my key is ${key}, thekey=x${key}` },
    { [key]: 1 },
    { list: [key.slice(0, 9), key.slice(9)] },
    { list: [...key.slice(4)] },
    { a: [...key.slice(0, 20)].join("."), b: [...key.slice(20)].join(".") },
    { a: `${key.slice(0, 3).toUpperCase()}_${key.slice(4, 20)}`, b: key.slice(20) },
  ])
    expect(loggedArguments({ ...args, more })).toBeNull()
})

test("the call log keeps nothing that looks like another service's credential", () => {
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
  const args = {
    brief: `shoes, Authorization: Bearer opaque-token-of-theirs, or ${token}`,
    ext: { passwd: "pppppp", private_key: "kkkkkk", refresh_token: "rrrrrr", session_cookie: "cccccc", tokens: 5 },
  }
  const text = loggedArguments(args) ?? ""
  for (const secret of ["opaque-token", token, "pppppp", "kkkkkk", "rrrrrr", "cccccc"])
    expect(text).not.toContain(secret)
  expect(JSON.parse(text)).toMatchObject({ brief: expect.stringContaining("shoes"), ext: { tokens: 5 } })
})

test("the call log keeps addresses without user, password and what is secret in their query", () => {
  const address = "https://user:pw1234@l.example/path?access_token=t0k3n&page=2"
  const args = { brief: `see ${address}`, ext: { url: address }, property_list: { agent_url: address } }
  const text = loggedArguments(args) ?? ""
  for (const secret of ["user", "pw1234", "t0k3n"]) expect(text).not.toContain(secret)
  expect(text).toContain("l.example/path?access_token=********&page=2")
  const plain = "a@b.example, 12:30, https://c.example/?q=key and https://d.example/@name"
  expect(loggedArguments({ brief: plain })).toContain(plain)
})

test("the call log keeps a bounded part of large arguments, as valid JSON", () => {
  let deep: unknown = "x"
  for (let i = 0; i < 500; i++) deep = { deep }
  for (const args of [
    { brief: "🎧".repeat(500_000) },
    { list: Array.from({ length: 1000 }, () => "x".repeat(1000)) },
    { deep },
  ]) {
    const text = loggedArguments(args) ?? ""
    expect(text.length).toBeLessThan(20_000)
    expect(JSON.parse(text)).toBeObject()
  }
})

test("arguments that are none are logged as none", () => {
  expect([loggedArguments(undefined), loggedArguments("x"), loggedArguments(null)]).toEqual([null, null, null])
})

test("what the log cuts off is marked as cut off, in texts, lists and objects", () => {
  const many = Array.from({ length: 53 }, (_, i) => i)
  const fields = Object.fromEntries(many.map((i) => [`f${i}`, i]))
  const logged = JSON.parse(loggedArguments({ brief: "x".repeat(4_010), list: many, fields }) ?? "")
  expect(logged.brief).toBe(`${"x".repeat(4_000)}… 10 more characters`)
  expect(logged.list).toEqual([...many.slice(0, 50), "… 3 more"])
  expect(Object.entries(logged.fields).at(-1)).toEqual(["…", "3 more"])
  const whole = loggedArguments({ list: many.slice(0, 50), brief: "x".repeat(4_000) }) ?? ""
  expect(whole).not.toContain("…")
  expect(
    JSON.parse(loggedArguments({ a: "x".repeat(4_000), b: "x".repeat(4_000), c: "y".repeat(200) }) ?? ""),
  ).toMatchObject({
    shortened: true,
  })
})
