import type { Static, TSchema } from "@sinclair/typebox"
import { explain, type Problem, pointerToPath } from "../../schema/explain.ts"
import { credentialInArguments, findCredential } from "../credentials.ts"
import { type AdcpError, invalidRequest } from "./error.ts"
import { type Arguments, refuseVersion } from "./version.ts"
import { withoutNulls } from "./without-nulls.ts"

export interface Taken<Schema extends TSchema> {
  readonly input: Static<Schema>
}

/** The arguments as a tool reads them, or why they are refused. null means absent. */
export function takeArguments<Schema extends TSchema>(schema: Schema, sent: Arguments): Taken<Schema> | AdcpError {
  const args = withoutNulls(sent)
  return refuseArguments(schema, args) ?? { input: args as Static<Schema> }
}

/** The checks that every tool makes, in this order: version, credentials, shape. */
function refuseArguments(schema: TSchema, args: Arguments): AdcpError | undefined {
  const version = refuseVersion(args)
  if (version) return version
  const credential = findCredential(args)
  if (credential !== undefined) return credentialInArguments(credential)
  const tooLong = findLongText(args)
  if (tooLong !== undefined) return invalidRequest([tooLong])
  const problems = explain(schema, args)
  return problems.length === 0 ? undefined : invalidRequest(problems)
}

const TEXT_CHARACTERS_MAX = 20_000
// A brief counts by its start. The context is not ours to read.
const MAY_BE_LONG = new Set(["brief", "context"])

/** A text that is longer than anything it could be compared with. Looking for one in a whole catalogue would keep others waiting. */
function findLongText(args: Arguments): Problem | undefined {
  for (const [name, value] of Object.entries(args)) {
    const found = MAY_BE_LONG.has(name) ? undefined : longTextIn(value, `/${name}`)
    if (found !== undefined) {
      const message = `${pointerToPath(found).slice(0, PATH_CHARACTERS_MAX)} has more than ${TEXT_CHARACTERS_MAX} characters`
      return { pointer: found, message, keyword: "maxLength" }
    }
  }
  return undefined
}

const PATH_CHARACTERS_MAX = 100

function longTextIn(value: unknown, pointer: string): string | undefined {
  if (typeof value === "string") return value.length > TEXT_CHARACTERS_MAX ? pointer : undefined
  if (typeof value !== "object" || value === null) return undefined
  for (const [name, field] of Object.entries(value)) {
    const found = longTextIn(field, `${pointer}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}
