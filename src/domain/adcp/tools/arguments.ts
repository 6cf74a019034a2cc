import type { Static, TSchema } from "@sinclair/typebox"
import { holdsKey, withoutKey } from "../../keys/api-key.ts"
import { memoize } from "../../memoize.ts"
import { checkFor } from "../../schema/check.ts"
import { explain, type Problem, pointerToPath } from "../../schema/explain.ts"
import { cutText } from "../../text/short-text.ts"
import { holdsForeignKey, namesSecret } from "../logged-arguments.ts"
import type { AdcpError, Arguments } from "./answer.ts"
import { ADCP_MAJOR, ADCP_VERSION, adcpError, brokenRule, invalidRequest } from "./answer.ts"

/** The deepest nesting of arguments that the tools accept. */
export const ARGUMENTS_DEPTH_MAX = 100

type Name = string | number

const NONE: ReadonlySet<Name> = new Set()

/** What is in an object or a list. A list is not asked for its names: making a text of each position takes a microsecond. */
export const valuesIn = (value: object): readonly unknown[] => (Array.isArray(value) ? value : Object.values(value))

/** The pointer of the first field, also of those inside others, that is such a one; undefined where none is. Entries of lists have numbers. */
function findField(
  value: unknown,
  isSuch: (name: Name, field: unknown, outer: string) => boolean,
  leftOut = NONE,
  outer = "",
  depth = 0,
): string | undefined {
  if (typeof value !== "object" || value === null || depth > ARGUMENTS_DEPTH_MAX) return undefined
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    if (leftOut.has(name)) continue
    const field = (value as Arguments)[name]
    if (isSuch(name, field, outer)) return `${outer}/${name}`
    if (typeof field !== "object") continue
    const found = findField(field, isSuch, NONE, `${outer}/${name}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

// The protocol allows secrets here; we neither read nor store them.
const allowedPointers = ["/push_notification_config/authentication", "/property_list/auth_token"]
const isAllowed = (pointer: string) => allowedPointers.some((allowed) => `${pointer}/`.startsWith(`${allowed}/`))

const CONTEXT: ReadonlySet<Name> = new Set(["context"])

/** The pointer of a credential in the arguments, or undefined. The caller's context is not searched. */
export function findCredential(args: Arguments): string | undefined {
  const isOne = (name: Name, field: unknown, outer: string) =>
    typeof name === "string" &&
    (namesSecret(name) ||
      holdsKey(name) ||
      (isProse.test(name) && typeof field === "string" && holdsCredential(field))) &&
    !isAllowed(`${outer}/${name}`)
  return findField(args, isOne, CONTEXT)
}

// What is read, and of which something may come back.
const isProse = /^(?:brief|ask)$/
const holdsCredential = (text: string) => holdsKey(text) || holdsForeignKey(text)

function credentialInArguments(pointer: string): AdcpError {
  const field = cutText(pointerToPath(pointer.split("/").map(withoutKey).join("/")), 120)
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
  if (!holdsNull(args)) return args
  const fields = Object.entries(args).map(([name, value]) => {
    return [name, UNTOUCHED.has(name) ? (value ?? undefined) : strip(value, BY_POSITION.has(name))] as const
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

function holdsNull(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === null
  return valuesIn(value).some(holdsNull)
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

type Taken<Schema extends TSchema> = Readonly<{ input: Static<Schema> }>

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
  if (!checkOf(schema)(args).ok) return invalidRequest(explain(schema, args))
  return "account" in schema["properties"] ? refuseAccount(args) : undefined
}

/** There are no accounts to look up, so an id names none of ours. One by brand and operator names its owner, and is welcome. */
function refuseAccount({ account }: Arguments): AdcpError | undefined {
  if ((account as Arguments | undefined)?.["account_id"] === undefined) return undefined
  return adcpError("ACCOUNT_NOT_FOUND", "There is no account with this account_id: this agent keeps none.", {
    field: "account.account_id",
    suggestion: "Leave account out, or name it by brand and operator.",
  })
}

// One for each tool.
const SCHEMAS_MAX = 10
const checkOf = memoize(SCHEMAS_MAX, (schema: TSchema) => checkFor(schema))

const TEXT_CHARACTERS_MAX = 20_000
// A brief counts by its start. The context is not ours to read.
const MAY_BE_LONG: ReadonlySet<Name> = new Set(["brief", "context"])

/** A text that is longer than anything it could be compared with. Looking for one in a whole catalogue would keep others waiting. */
function findLongText(args: Arguments): Problem | undefined {
  const isLong = (_: Name, value: unknown) => typeof value === "string" && value.length > TEXT_CHARACTERS_MAX
  const pointer = findField(args, isLong, MAY_BE_LONG)
  if (pointer === undefined) return undefined
  const message = `${cutText(pointerToPath(pointer), PATH_CHARACTERS_MAX)} has more than ${TEXT_CHARACTERS_MAX} characters`
  return { pointer, message, keyword: "maxLength" }
}

const PATH_CHARACTERS_MAX = 100

const MINOR = 1
const RELEASE = /^(\d+)\.(\d+)(-[a-zA-Z0-9.-]+)?$/

/** Why the requested version is refused, or undefined. Checked before all other arguments. */
function refuseVersion({ adcp_version: release, adcp_major_version: major }: Arguments): AdcpError | undefined {
  const [, ofRelease, minor, preRelease] = (typeof release === "string" && RELEASE.exec(release)) || []
  if (release !== undefined && ofRelease === undefined) {
    const message = 'adcp_version must be a release such as "3.1", without a patch number'
    return brokenRule("/adcp_version", message, "pattern")
  }
  if (major !== undefined && !(Number.isInteger(major) && Number(major) >= 1 && Number(major) <= 99)) {
    const message = "adcp_major_version must be a whole number, at least 1 and at most 99"
    return brokenRule("/adcp_major_version", message, "type")
  }
  // Later minor releases are served as ours. Pre-releases are not.
  const isServed = Number(ofRelease) === ADCP_MAJOR && Number(minor) >= MINOR && preRelease === undefined
  if (release !== undefined && !isServed) return unsupported("adcp_version", release, { release, major })
  if (major === undefined || major === ADCP_MAJOR) return undefined
  return unsupported("adcp_major_version", `major version ${major}`, { release, major })
}

function unsupported(field: string, what: unknown, requested: { release: unknown; major: unknown }): AdcpError {
  const { release, major } = requested
  return adcpError(
    "VERSION_UNSUPPORTED",
    `AdCP ${cutText(String(what), 40)} is not supported. Supported: ${ADCP_VERSION}.`,
    {
      field,
      suggestion: `Send adcp_version "${ADCP_VERSION}", or leave the version out.`,
      details: {
        supported_versions: [ADCP_VERSION],
        supported_majors: [ADCP_MAJOR],
        ...(typeof release === "string" && release.length <= 40 ? { adcp_version: release } : {}),
        ...(major === undefined ? {} : { adcp_major_version: major }),
      },
    },
  )
}
