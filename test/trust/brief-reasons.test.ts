import { expect, setDefaultTimeout, test } from "bun:test"
import { findFalse } from "../domain/adcp/brief/checked-reasons.ts"

setDefaultTimeout(600_000)

test("of 100,000 reasons none is false", () => {
  const { reasons, failed } = findFalse(100_000, 1_000)
  expect(failed.slice(0, 10)).toEqual([])
  expect(reasons).toBeGreaterThanOrEqual(100_000)
})
