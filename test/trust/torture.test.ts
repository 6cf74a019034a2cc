import { describe, expect, test } from "bun:test"
import { isSkipped, SHORT } from "../../torture/harness/part.ts"
import { PARTS } from "../../torture/parts/index.ts"
import { hasBinary } from "../binary.ts"

// The short form of `npm run torture`, against the executable that `npm test` builds.
describe.if(hasBinary)("torture", () => {
  test.each(PARTS.map((part) => [part.name, part.promise, part] as const))(
    "%s: %s",
    async (name, _, part) => {
      const outcome = await part.run(SHORT)
      if (isSkipped(outcome)) console.error(`SKIPPED: ${name} cannot be tried on this machine. ${outcome.skipped}`)
      else expect(outcome.problems).toEqual([])
    },
    120_000,
  )
})
