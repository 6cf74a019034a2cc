import { expect, test } from "bun:test"
import { orderCode } from "../../../src/domain/sale/order-token.ts"
import { logPath } from "../../../src/doors/http/request.ts"

const token = "OtvYT-xuNz7lVawKEFgXfbInwH1CPGa3wRZbd7Z1wWE"
const key = "abi_oSBO7iKuZQS5kT26sV1bNp8BTE58fKsE0T1gfx"
const written = (path: string) => logPath(`http://127.0.0.1:3000${path}`)

test.each([
  ["as it is", `/app/share/${token}`],
  ["with the rest of a sentence", `/app/password/${token}.`],
  ["in brackets", `/app/password/(${token})`],
  ["with an extension", `/app/share/${token}.csv`],
  ["a key with a percent sign", `/${key.replace("_", "%5F")}`],
  ["a key letter by letter", `/${[...key].join("%20")}`],
  ["a key in pieces", `/x/${key.slice(0, 15)}/${key.slice(15, 30)}/${key.slice(30)}`],
  [
    "with every letter written as a number",
    `/app/share/${token.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`,
  ],
])("a token in a path never reaches the log, %s", (_, path) => {
  const decoded = decodeURIComponent(written(path))
  for (let at = 0; at + 8 <= token.length; at++) expect(decoded).not.toContain(token.slice(at, at + 8))
  expect(decoded.replaceAll(/[ /]/g, "")).not.toContain(key.slice(4, 16))
  expect(decoded).toContain("***")
})

test("other paths stay readable, without their query", () => {
  const line = "/app/o/acme/campaigns/autumn/lines/0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01/report"
  expect(written(`${line}?x=${token}`)).toBe(line)
  expect(written("/app/o/a%20b/x%0Ay")).toBe("/app/o/a%20b/x%0Ay")
})

test("nor does the code of an order, which is the shortest of them", () => {
  const code = orderCode("secret", "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01")
  expect(written(`/order/status/${code}`)).toBe("/order/status/***")
})
