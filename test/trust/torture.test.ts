import { describe, expect, test } from "bun:test"
import { isSkipped, SHORT } from "../../torture/harness/part.ts"
import { PARTS } from "../../torture/parts/index.ts"
import { POSTGRES_PARTS } from "../../torture/postgres/parts/index.ts"
import { hasBinary } from "../binary.ts"

const parts = process.env["ADBOOTH_TEST_ENGINE"] === "postgres" ? POSTGRES_PARTS : PARTS

// The short form of `npm run torture`, against the executable that the test run builds.
describe.if(hasBinary)("torture", () => {
  test.each(parts.map((part) => [part.name, part.promise, part] as const))(
    "%s: %s",
    async (name, _, part) => {
      const outcome = await part.run(SHORT)
      if (isSkipped(outcome)) console.error(`SKIPPED: ${name} cannot be tried on this machine. ${outcome.skipped}`)
      else expect(outcome.problems).toEqual([])
    },
    // The recorded runs of the power cuts take long on a busy machine.
    600_000,
  )
})
