import { runProgram } from "./process.ts"
import type { Contender } from "./scenario.ts"

/** A program that works for the seconds it is told and prints what it did. */
export function programContender(name: string, command: readonly string[]): Contender {
  return {
    name,
    measure: async (seconds) => JSON.parse(await runProgram([...command, String(seconds)])),
    async [Symbol.asyncDispose]() {},
  }
}
