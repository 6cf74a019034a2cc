import { expect, test } from "bun:test"
import { freeSlug, slugOf } from "../../../src/domain/text/short-text.ts"

test("a short name is made of letters and digits, and made free with a number", () => {
  expect(slugOf("Früher Herbst 2026!")).toBe("fruher-herbst-2026")
  expect(slugOf("Größler & Söhne")).toBe("grossler-sohne")
  expect(slugOf("日本")).toBe("")
  expect(slugOf("x".repeat(300)).length).toBeLessThanOrEqual(64)
  expect(freeSlug("autumn", new Set(["autumn", "autumn-2"]))).toBe("autumn-3")
})
