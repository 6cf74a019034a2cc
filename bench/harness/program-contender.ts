import { runProgram } from "./process.ts"
import type { Contender } from "./scenario.ts"

/** A program that works for the seconds it is told and prints how much it did per second. */
export function programContender(name: string, command: readonly string[]): Contender {
  return {
    name,
    async measure(seconds) {
      return Number(await runProgram([...command, String(seconds)]))
    },
    async [Symbol.asyncDispose]() {},
  }
}
