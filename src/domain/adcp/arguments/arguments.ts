import type { Static, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { explain } from "../../schema/explain.ts"
import { isObject } from "../../schema/is-object.ts"
import { pathOf } from "../../schema/problem.ts"
import { cutText } from "../cut-text.ts"
import type { Arguments } from "../tools/answer.ts"
import { AdcpError, invalidRequest } from "../tools/errors.ts"
import { checkCredentials } from "./credentials.ts"
import { withoutNulls } from "./nulls.ts"
import { checkVersion } from "./version.ts"
import { findField } from "./walk.ts"

/** The arguments as a tool reads them. Throws an `AdcpError`, in this order: version, credentials, shape, account. */
export function readArguments<Schema extends TSchema>(schema: Schema, sent: Arguments): Static<Schema> {
  const args = withoutNulls(sent)
  checkVersion(args)
  checkCredentials(args)
  checkLengths(args)
  if (!Value.Check(schema, args)) throw invalidRequest(explain(schema, args))
  if ("account" in schema["properties"]) checkAccount(args)
  return args
}

const TEXT_CHARACTERS_MAX = 20_000

/** No valid argument is this long, and searching the catalog for such a text would keep other callers waiting. */
function checkLengths(args: Arguments): void {
  const isLong = (_: unknown, value: unknown) => typeof value === "string" && value.length > TEXT_CHARACTERS_MAX
  // Only the start of a brief is read, and the context isn't ours to read.
  const pointer = findField(args, isLong, ["brief", "context"])
  if (pointer === null) return
  const message = `${cutText(pathOf(pointer), 100)} has more than ${TEXT_CHARACTERS_MAX} characters`
  throw invalidRequest([{ pointer, message, keyword: "maxLength" }])
}

/** This agent has no accounts, so no account ID can be right. An account given by brand and operator is fine. */
function checkAccount({ account }: Arguments): void {
  if (!isObject(account) || account["account_id"] === undefined) return
  throw new AdcpError("ACCOUNT_NOT_FOUND", "There is no account with this account_id. This agent has no accounts.", {
    field: "account.account_id",
    suggestion: "Leave account out, or name it by brand and operator.",
  })
}
