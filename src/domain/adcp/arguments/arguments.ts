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

/** Nothing here is as long. Looking for such a text in a whole catalog would keep others waiting. */
function checkLengths(args: Arguments): void {
  const isLong = (_: unknown, value: unknown) => typeof value === "string" && value.length > TEXT_CHARACTERS_MAX
  // Only the start of a brief is read, and the context isn't ours to read.
  const pointer = findField(args, isLong, ["brief", "context"])
  if (pointer === null) return
  const message = `${cutText(pathOf(pointer), 100)} has more than ${TEXT_CHARACTERS_MAX} characters`
  throw invalidRequest([{ pointer, message, keyword: "maxLength" }])
}

/** We keep no accounts, so an ID names none. An account by brand and operator names its owner and is welcome. */
function checkAccount({ account }: Arguments): void {
  if (!isObject(account) || account["account_id"] === undefined) return
  throw new AdcpError("ACCOUNT_NOT_FOUND", "There is no account with this account_id. This agent has no accounts.", {
    field: "account.account_id",
    suggestion: "Leave account out, or name it by brand and operator.",
  })
}
