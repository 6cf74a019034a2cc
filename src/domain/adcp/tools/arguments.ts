import type { Static, TSchema } from "@sinclair/typebox"
import { maskKeys } from "../../keys/api-key.ts"
import { memoize } from "../../memoize.ts"
import { checkFor } from "../../schema/check.ts"
import { explain, type Problem, pointerToPath } from "../../schema/explain.ts"
import { cutText } from "../../text/short-text.ts"
import { namesSecret } from "../logged-arguments.ts"
import { type AdcpError, type Arguments, adcpError, invalidRequest, refuseVersion } from "./answer.ts"

// The protocol allows secrets here; we neither read nor store them.
const allowedPlaces = new Set(["/push_notification_config/authentication", "/property_list/auth_token"])

/** The pointer of a credential in the arguments, or undefined. The caller's context is not searched. */
export function findCredential(args: Record<string, unknown>): string | undefined {
  const { context: _, ...rest } = args
  return search(rest, "", 0)
}

/** The deepest nesting of arguments that the tools accept. */
export const ARGUMENTS_DEPTH_MAX = 100

function search(value: unknown, pointer: string, depth: number): string | undefined {
  if (typeof value !== "object" || value === null || depth > ARGUMENTS_DEPTH_MAX) return undefined
  if (Array.isArray(value)) return searchList(value, pointer, depth)
  if (allowedPlaces.has(pointer)) return undefined
  for (const [name, field] of Object.entries(value)) {
    if (namesSecret(name) && !allowedPlaces.has(`${pointer}/${name}`)) return `${pointer}/${name}`
    if (typeof field !== "object" || field === null) continue
    const found = search(field, `${pointer}/${name}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function searchList(list: readonly unknown[], pointer: string, depth: number): string | undefined {
  for (const [index, item] of list.entries()) {
    if (typeof item !== "object" || item === null) continue
    const found = search(item, `${pointer}/${index}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function credentialInArguments(place: string): AdcpError {
  const field = cutText(maskKeys(pointerToPath(place)), 120)
  return adcpError("CREDENTIAL_IN_ARGS", "Credentials must not be sent in the arguments. This one was not used.", {
    field,
    suggestion: "Send your key in the header Authorization: Bearer, and replace the one you sent here.",
  })
}

// These are the caller's own, and come back or are left alone as they were sent.
const UNTOUCHED = new Set(["context", "ext"])
// Answered entry by entry, so that an entry of nothing keeps its place.
const BY_POSITION = new Set(["refine"])

/** The arguments without what is null: programs that fill in forms send null for nothing. */
export function withoutNulls(args: Arguments): Arguments {
  if (!Object.entries(args).some(([name, value]) => value === null || (!UNTOUCHED.has(name) && holdsNull(value))))
    return args
  const left = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    const kept = UNTOUCHED.has(name) ? (value ?? undefined) : strip(value, BY_POSITION.has(name))
    return kept === undefined ? [] : [[name, kept]]
  })
  return Object.fromEntries(left)
}

function holdsNull(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === null
  return Object.values(value).some(holdsNull)
}

/** Undefined for null, and for an object or a list that holds nothing else. */
function strip(value: unknown, keepsPlaces = false): unknown {
  if (value === null) return undefined
  if (typeof value !== "object" || !holdsNull(value)) return value
  if (Array.isArray(value)) {
    const all = value.map((entry) => strip(entry))
    if (keepsPlaces) return all.map((entry) => entry ?? null)
    const entries = all.filter((entry) => entry !== undefined)
    return entries.length === 0 ? undefined : entries
  }
  const fields = Object.entries(value)
    .map(([name, field]) => [name, strip(field)] as const)
    .filter(([, field]) => field !== undefined)
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

interface Taken<Schema extends TSchema> {
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
  return checkOf(schema)(args).ok ? undefined : invalidRequest(explain(schema, args))
}

// One for each tool.
const SCHEMAS_MAX = 10
const checkOf = memoize(SCHEMAS_MAX, (schema: TSchema) => checkFor(schema))

const TEXT_CHARACTERS_MAX = 20_000
// A brief counts by its start. The context is not ours to read.
const MAY_BE_LONG = new Set(["brief", "context"])

/** A text that is longer than anything it could be compared with. Looking for one in a whole catalogue would keep others waiting. */
function findLongText(args: Arguments): Problem | undefined {
  for (const [name, value] of Object.entries(args)) {
    const found = MAY_BE_LONG.has(name) ? undefined : longTextIn(value, `/${name}`)
    if (found !== undefined) {
      const message = `${cutText(pointerToPath(found), PATH_CHARACTERS_MAX)} has more than ${TEXT_CHARACTERS_MAX} characters`
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
