import { expect, test } from "bun:test"
import { answerCache, callKey } from "../../../src/doors/agent/answer-cache.ts"
import { resultJson, toolResult } from "../../../src/doors/agent/result.ts"
import { startApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct, MCP_HEADERS } from "./buyer.ts"

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

test("an answer is kept when its question comes again, for one view alone, and room for answers is bounded", () => {
  const answerOf = (text: string) => {
    const result = toolResult({ isError: false, payload: { message: text } })
    return { result, outcome: "completed", demand: null }
  }
  const size = resultJson(answerOf("a".repeat(40)).result).length
  const kept = answerCache(2 * size)
  const [mine, theirs] = [{}, {}]
  const [first, second] = [answerOf("a".repeat(40)), answerOf("b".repeat(60))]
  kept.add(mine, "q", first)
  expect(kept.get(mine, "q")).toBeUndefined()
  kept.add(mine, "q", first)
  expect(kept.get(mine, "q")).toBe(first)
  expect([kept.get(theirs, "q"), kept.get(mine, "other")]).toEqual([undefined, undefined])
  kept.add(theirs, "q", second)
  kept.add(theirs, "q", second)
  expect(kept.get(mine, "q")).toBeUndefined()
  kept.add(theirs, "q", second)
  expect(kept.get(theirs, "q")).toBe(second)
})

test("callers who ask together each get their own id back, however long it is, with the same whole answer", async () => {
  await using app = await startApp()
  const ids = ["1", '"short"', `"${"long ".repeat(100)}"`, '"Zürich 日本 🙂"', "12345678901234567890", '"\\u0000"']
  const ask = async (id: string) => {
    const body = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"list_creative_formats"}}`
    const answer = await fetch(app.url, { method: "POST", headers: MCP_HEADERS, body })
    return answer.text()
  }
  const expected = (await ask("0")).replace('"id":0,', "")
  const answers = await Promise.all([...ids, ...ids, ...ids].map(ask))
  expect(answers.map((answer, i) => answer.replace(`"id":${ids[i % ids.length]},`, ""))).toEqual(
    answers.map(() => expected),
  )
})

test("a long question is not worth keeping", () => {
  expect(callKey("get_products", '{"brief":"x"}')).toBe('get_products {"brief":"x"}')
  expect(callKey("get_products", "x".repeat(5_000))).toBeUndefined()
})
