import { expect, test } from "bun:test"
import { TOTP } from "otpauth"
import {
  createRecoveryCodes,
  createTotpSecret,
  isTotpSecret,
  matchingStep,
  plainCode,
  totpAddress,
} from "../../../src/domain/people/password.ts"

const SECONDS = 1_000_000
// A moment in the middle of a time step.
const NOW = 1_800_000_015 * SECONDS
const STEP = 60_000_000

const codeAt = (secret: string, seconds: number) =>
  TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: seconds * 1_000 })

test("the codes of this step, the one before and the next one count", () => {
  const secret = createTotpSecret()
  expect(isTotpSecret(secret)).toBe(true)
  for (const [late, step] of [
    [0, STEP],
    [-30, STEP - 1],
    [30, STEP + 1],
    [-60, null],
    [60, null],
  ] as const)
    expect(matchingStep(secret, codeAt(secret, NOW / SECONDS + late), NOW)).toBe(step)
})

test.each(["", "12345", "1234567", "abcdef", "１２３４５６"])("%j is no code", (code) => {
  expect(matchingStep(createTotpSecret(), code, NOW)).toBeNull()
})

test("an app reads the address of a secret", () => {
  expect(totpAddress("A".repeat(32), "ana@example.com")).toStartWith(
    "otpauth://totp/Adbooth:ana%40example.com?issuer=Adbooth",
  )
})

test("recovery codes are eight, long, different, and readable however they're typed", () => {
  const codes = createRecoveryCodes()
  expect(new Set(codes).size).toBe(8)
  for (const code of codes) expect(code).toMatch(/^[0-9a-f]{5}(-[0-9a-f]{5}){3}$/)
  expect(plainCode(" AB12c-d3e4f ")).toBe("ab12cd3e4f")
})
