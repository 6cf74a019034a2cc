import { expect, test } from "bun:test"
import { type AskedCall, likelyCure, missedBriefs } from "../../../src/domain/demand.ts"

let at = 0

function call(brief: string | null, fields: Partial<AskedCall> = {}): AskedCall {
  at++
  return { id: at, at, buyerKeyId: "key", brief, channels: [], countries: [], matched: 1, ...fields }
}

test("briefs that nothing fits come once each, the most asked first, unless they found something since", () => {
  const miss = { matched: 0 }
  const misses = missedBriefs([
    call("Cinema", miss),
    call("radio", miss),
    call("cinema", miss),
    call("tv", miss),
    call("tv"),
  ])
  expect(misses.map(({ brief, calls }) => [brief, calls])).toEqual([
    ["cinema", 2],
    ["radio", 1],
  ])
})

const channels = new Map([
  ["show", ["podcast"]],
  ["letter", ["email"]],
])
const shown = (productId: string, ...territories: string[]) => ({ productId, territories })

test.each([
  ["a caller without a key", { buyerKeyId: null }, [], { kind: "give a key" }],
  ["a revoked key", {}, null, { kind: "revoked" }],
  ["a product that the key isn't shown", { channels: ["podcast"] }, [], { kind: "show", productId: "show" }],
  [
    "a product that is shown elsewhere",
    { channels: ["podcast"], countries: ["FR"] },
    [shown("show", "DE")],
    { kind: "more countries", productId: "show" },
  ],
  ["a channel that nobody sells", { channels: ["cinema"] }, [shown("show", "DE")], { kind: "not sold" }],
] as const)("the likely cure for %s", (_, asked, openings, cure) => {
  const fields = { ...asked, matched: 0 } as Partial<AskedCall>
  expect(likelyCure(call("x", fields), { channels, openings })).toEqual(cure)
})
