import { expect, test } from "bun:test"
import { loggedArguments, withoutNulls } from "../../../src/domain/adcp/arguments.ts"
import { COUNTRY_CODES } from "../../../src/domain/adcp/brief/words.ts"
import { canonicalOf } from "../../../src/domain/adcp/catalogue/format-options.ts"
import { countryName, readTerritories } from "../../../src/domain/adcp/catalogue/territory.ts"
import { isTokenOfKey, orderToken } from "../../../src/domain/adcp/order-token.ts"
import type { CreativeFormat } from "../../../src/domain/adcp/schema/creative-format.ts"
import { addressBeside, cutText } from "../../../src/domain/adcp/text.ts"

test.each([
  ["de, Österreich", null],
  ["DE; at\nSwitzerland", ["AT", "CH", "DE"]],
  ["*, DE", ["*"]],
  ["DE AT", ["AT", "DE"]],
  ["bosnia and herzegovina", ["BA"]],
  ["", []],
  ["UK", null],
])("territories typed as %j", (text, codes) => {
  const read = readTerritories(text)
  if (codes === null) expect(read).toEqual({ error: expect.stringContaining("isn’t a country") })
  else expect(read).toEqual({ codes })
})

test("every country has a name, and there are about 250", () => {
  expect(COUNTRY_CODES).toHaveLength(249)
  expect(countryName("AT")).toBe("Austria")
  for (const code of COUNTRY_CODES) expect(countryName(code)).not.toBe(code)
})

test("an order token names its key and its product, and nothing else", () => {
  const token = orderToken("secret", "bbbbbbbb", "two")
  expect(token).toHaveLength(24)
  expect(isTokenOfKey("secret", token, "bbbbbbbb")).toBe(true)
  expect(isTokenOfKey("secret", token, "aaaaaaaa")).toBe(false)
  expect(isTokenOfKey("other secret", token, "bbbbbbbb")).toBe(false)
  expect(orderToken("secret", "aaaaaaaa", "two")).not.toBe(token)
  expect(orderToken("secret", "bbbbbbbb", "one")).not.toBe(token)
})

test.each([
  ["https://ads.example.com/", "https://ads.example.com:443"],
  ["http://ads.example.com/", "http://ads.example.com:80"],
  ["http://127.0.0.1:3000/", "http://127.0.0.1:03000"],
  ["https://ads.example.com:8443/", "https://ads.example.com:08443"],
])("the address beside %s is %s, which browsers read as the same", (agentUrl, address) => {
  expect(addressBeside(agentUrl)).toBe(address)
  expect(address).not.toContain(agentUrl)
  expect(new URL(address).href).toBe(agentUrl)
})

test.each([
  [{ brief: "shoes", context: { a: 1 } }, { brief: "shoes" }],
  [
    { a: { api_key: "x", my_password: "y", token: "z" } },
    { a: { api_key: "********", my_password: "********", token: "********" } },
  ],
  [{ brief: "see https://u:p@a.example/x?k=1#f" }, { brief: "see https://********@a.example/x?********#f" }],
  [{ brief: "Authorization: Bearer abcdefghijkl" }, { brief: "Authorization: Bearer ********" }],
])("the arguments %j are logged as %j", (args, logged) => {
  expect(JSON.parse(loggedArguments(args, true) ?? "")).toEqual(logged)
})

test.each([
  [
    { a: null, b: { c: null }, d: [null, 1], e: [] },
    { d: [1], e: [] },
  ],
  [{ refine: [null, { ask: null, scope: "request" }] }, { refine: [null, { scope: "request" }] }],
  [{ context: { a: null }, ext: null }, { context: { a: null } }],
])("null means absent in %j", (args, plain) => {
  expect(withoutNulls(args)).toEqual(plain)
})

test.each([
  [["vast"], "video_vast"],
  [["audio", "url"], "audio_hosted"],
  [["image", "url"], "image"],
  [["image", "text"], "native_in_feed"],
  [["brief"], "custom"],
])("a format made of %j is %s unless it says otherwise", (types, kind) => {
  const assets = types.map((asset_type, i) => ({
    item_type: "individual",
    asset_id: `${i}`,
    asset_type,
    required: true,
  }))
  const format = { format_id: { id: "A-b" }, name: "X", assets } as unknown as CreativeFormat
  expect(canonicalOf(format).kind).toBe(kind as "custom")
  expect(canonicalOf({ ...format, canonical: { kind: "image" } }).kind).toBe("image")
})

test("a text is cut between words", () => {
  expect(cutText("one two three", 20)).toBe("one two three")
  expect(cutText("one two three", 9)).toBe("one two…")
  expect(cutText("x".repeat(30), 10)).toBe(`${"x".repeat(9)}…`)
})
