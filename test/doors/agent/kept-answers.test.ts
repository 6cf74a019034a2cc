import { expect, test } from "bun:test"
import { keptAnswers, questionOf } from "../../../src/doors/agent/kept-answers.ts"
import { startApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct } from "./buyer.ts"

test("the same question gets the same answer again, each time with the context of the one who asks", async () => {
  await using app = await startApp()
  const { Buyer: key } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["*"] } })
  const ask = (context: object | undefined) =>
    call(app, "get_products", { brief: "a banner", ...(context ? { context } : {}) }, { key })
  const { context: _, ...first } = await ask({ n: 1 })
  for (const context of [{ n: 2 }, undefined, { "}": '"},{' }]) {
    const { context: echoed, ...again } = await ask(context)
    expect(again).toEqual(first)
    expect(echoed).toEqual(context)
  }
})

test("a kept answer is that of one view alone, and room for answers is bounded", () => {
  const kept = keptAnswers(100)
  const [mine, theirs] = [{}, {}]
  kept.keep(mine, "q", "a".repeat(40))
  expect([kept.get(mine, "q")?.length, kept.get(theirs, "q"), kept.get(mine, "other")]).toEqual([
    40,
    undefined,
    undefined,
  ])
  kept.keep(theirs, "q", "b".repeat(80))
  expect([kept.get(mine, "q"), kept.get(theirs, "q")?.length]).toEqual([undefined, 80])
})

test("a long question is not worth keeping", () => {
  expect(questionOf("get_products", { brief: "x" })).toBe('get_products {"brief":"x"}')
  expect(questionOf("get_products", { brief: "x".repeat(5_000) })).toBeUndefined()
})
