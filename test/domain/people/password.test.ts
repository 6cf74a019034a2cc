import { expect, test } from "bun:test"
import { passwordProblem } from "../../../src/domain/people/password.ts"

const COMMON = "Many people use this password, so it’s easy to guess. Choose another one."
const SHORT = "Choose a password with at least 10 characters."

test.each([
  ["", SHORT],
  ["nine char", SHORT],
  ["éééééñññ🙂", SHORT],
  ["x".repeat(501), "Choose a password with at most 500 characters."],
  ["1234567890", COMMON],
  ["9876543210", COMMON],
  ["abcdefghijkl", COMMON],
  ["aaaaaaaaaaaa", COMMON],
  ["1212121212", COMMON],
  ["abcabcabcabc", COMMON],
  ["qwertyuiop", COMMON],
  ["1q2w3e4r5t", COMMON],
  ["1qaz2wsx3edc", COMMON],
  ["Password123", COMMON],
  ["PASSWORD2026!", COMMON],
  ["!!!iloveyou!!!", COMMON],
  ["adminadmin", COMMON],
  ["Summer2026!", COMMON],
  ["123456789a", COMMON],
  ["A123456789", COMMON],
  ["12345678910", COMMON],
  ["1122334455", COMMON],
  ["147258369a", COMMON],
  ["qwe123qwe123", COMMON],
  ["1q2w3e4r5t6y", COMMON],
  ["hunter2hunter2", COMMON],
  ["Sommer2026!", COMMON],
  ["hallo12345", COMMON],
  ["correcthorsebatterystaple", COMMON],
  ["seven boats at dusk", undefined],
  ["summer in bratislava", undefined],
  ["8273640182", undefined],
  ["ééééééññññ", undefined],
])("%s", (password, problem) => {
  expect(passwordProblem(password)).toBe(problem)
})
