import type { Static, TSchema } from "@sinclair/typebox"
import { explain } from "../explain.ts"
import { credentialInArguments, findCredential } from "./credentials.ts"
import { type AdcpError, invalidRequest } from "./error.ts"
import { type Arguments, refuseVersion } from "./version.ts"

/** The checks that every tool makes, in this order: version, credentials, shape. */
export function refuseArguments(schema: TSchema, args: Arguments): AdcpError | undefined {
  const version = refuseVersion(args)
  if (version) return version
  const credential = findCredential(args)
  if (credential !== undefined) return credentialInArguments(credential)
  const problems = explain(schema, args)
  return problems.length === 0 ? undefined : invalidRequest(problems)
}

/** Arguments that passed refuseArguments are what the schema says. */
export function readArguments<Schema extends TSchema>(_schema: Schema, args: Arguments): Static<Schema> {
  return args as Static<Schema>
}
