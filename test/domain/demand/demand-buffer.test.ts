import { expect, test } from "bun:test"
import fc from "fast-check"
import type { Demand } from "../../../src/domain/demand/demand.ts"
import { DemandBuffer } from "../../../src/domain/demand/demand-buffer.ts"

const DAY = 86_400_000_000

const asked = (fields: Partial<Demand> = {}): Demand => ({
  brief: "b",
  countries: [],
  formats: [],
  budget: null,
  matched: 0,
  products: [],
  isNextPage: false,
  ...fields,
})

function taken(buffer: DemandBuffer) {
  buffer.collect()
  const batch = buffer.take()
  buffer.written()
  return batch
}

const callsOf = (batch: ReturnType<typeof taken>, kind: string) =>
  batch.counts.reduce((sum, count) => sum + (count.kind === kind ? count.calls : 0), 0)

test("whoever floods it with briefs, values or countries adds a bounded number of rows; every call is counted", () => {
  const buffer = new DemandBuffer()
  let [briefs, values, calls] = [0, 0, 0]
  for (let i = 0; i < 20_000; i++) {
    buffer.note({ at: 0, agentKeyId: null, demand: asked({ brief: `brief ${i}`, products: [`p${i}`] }) })
    if (i % 1_000 !== 999) continue
    const batch = taken(buffer)
    briefs += batch.briefs.length
    values += batch.counts.length
    calls += callsOf(batch, "outcome")
    expect(callsOf(batch, "product")).toBe(1_000)
  }
  expect(briefs).toBeLessThanOrEqual(500)
  expect(values).toBeLessThanOrEqual(5_100)
  expect(calls).toBe(20_000)
})

test("keyed briefs still fit when anonymous callers have used up their part", () => {
  const buffer = new DemandBuffer()
  for (let i = 0; i < 1_000; i++) buffer.note({ at: 0, agentKeyId: null, demand: asked({ brief: `x ${i}` }) })
  buffer.note({ at: 0, agentKeyId: "key", demand: asked({ brief: "a buyer's" }) })
  expect(taken(buffer).briefs.some(({ brief }) => brief === "a buyer's")).toBe(true)
})

test("a further page shows products, and is not asked again", () => {
  const buffer = new DemandBuffer()
  buffer.note({ at: 0, agentKeyId: "k", demand: asked({ isNextPage: true, products: ["p"] }) })
  const batch = taken(buffer)
  expect(batch.briefs).toEqual([])
  expect(batch.counts.map(({ kind, value }) => [kind, value])).toEqual([["product", "p"]])
})

test("whatever is asked and whichever writes fail, nothing is counted twice or lost", () => {
  const questions = [asked(), asked({ brief: "c", matched: 1, products: ["p", "q"] }), asked({ brief: null })]
  const step = fc.oneof(
    fc.record({ days: fc.nat(9), question: fc.nat(questions.length - 1) }),
    fc.constantFrom("written" as const, "failed" as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const buffer = new DemandBuffer()
      let [at, sent, counted, sentBriefs, countedBriefs] = [0, 0, 0, 0, 0]
      const write = (succeeds: boolean) => {
        buffer.collect()
        if (!buffer.waiting()) return
        const batch = buffer.take()
        if (!succeeds) return
        buffer.written()
        counted += callsOf(batch, "outcome")
        countedBriefs += batch.briefs.reduce((sum, brief) => sum + brief.asked, 0)
      }
      for (const one of steps) {
        if (typeof one === "string") write(one === "written")
        else {
          at += one.days * DAY
          const demand = questions[one.question] ?? null
          buffer.note({ at, agentKeyId: null, demand })
          sent += 1
          sentBriefs += demand?.brief == null ? 0 : 1
        }
      }
      write(true)
      expect([counted, countedBriefs]).toEqual([sent, sentBriefs])
    }),
  )
})
