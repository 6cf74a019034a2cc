import { readNumber } from "../../domain/text/typed-number.ts"
import { UsageError } from "./usage-error.ts"

export function wholeNumber(option: string, text: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const number = readNumber(text, { decimals: 0, max })
  if (number.ok && number.value >= min) return number.value
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  throw new UsageError(`${option} must be a whole number ${range}; it is "${text}".`)
}
