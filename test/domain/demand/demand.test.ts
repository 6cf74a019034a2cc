import { expect, test } from "bun:test"
import { type AskedCall, likelyCure, tally } from "../../../src/domain/demand.ts"

let at = 0

function call(brief: string | null, fields: Partial<AskedCall> = {}): AskedCall {
  at++
  return { id: at, at, buyerKeyId: "key", brief, channels: [], countries: [], matched: 1, ...fields }
}

const dayOf = (moment: number) => (moment < 1_000 ? "2026-11-01" : "2026-11-02")

test("calls are counted by day, channel and country, and failed calls aren't", () => {
  const demand = tally(
    [
      call("a", { channels: ["podcast"], countries: ["DE"], matched: 0 }),
      call("b", { channels: ["podcast", "radio"] }),
      call(null, { countries: ["DE"] }),
      call("failed", { matched: null }),
      call("later", { at: 2_000 }),
    ],
    dayOf,
  )
  expect([demand.calls, demand.missed]).toEqual([4, 1])
  expect(demand.byDay.get("2026-11-01")).toEqual({ name: "2026-11-01", calls: 3, missed: 1 })
  expect(demand.channels).toEqual([
    { name: "podcast", calls: 2, missed: 1 },
    { name: "radio", calls: 1, missed: 0 },
  ])
  expect(demand.countries).toEqual([{ name: "DE", calls: 2, missed: 1 }])
})

test("briefs that nothing fits come once each, the most asked first, unless they found something since", () => {
  const miss = { matched: 0 }
  const { misses } = tally(
    [call("Cinema", miss), call("radio", miss), call("cinema", miss), call("tv", miss), call("tv")],
    dayOf,
  )
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
