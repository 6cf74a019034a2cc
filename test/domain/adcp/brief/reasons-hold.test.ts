import { expect, setDefaultTimeout, test } from "bun:test"
import { findFalse } from "./checked-reasons.ts"

setDefaultTimeout(600_000)

test("each reason states only what its product is, in any catalogue, for any brief, in four languages", () => {
  const { reasons, failed } = findFalse(3_000, 1)
  expect(failed).toEqual([])
  expect(reasons).toBeGreaterThanOrEqual(3_000)
})
