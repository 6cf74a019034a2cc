import { holdsKey } from "../../keys/api-key.ts"
import { pathOf } from "../../schema/problem.ts"
import { cutText } from "../cut-text.ts"
import type { Arguments } from "../tools/answer.ts"
import { AdcpError } from "../tools/errors.ts"
import { findField } from "./walk.ts"

const SECRET_NAME =
  /^(?:api[_-]?key|authorization|bearer|client[_-]secret|(?:.+[_-])?access[_-]token|jwks?|jwks[_-]uri)$/i

/** Whether AdCP says that a field of this name is a secret. */
export const namesSecret = (name: string): boolean => name.length <= 100 && SECRET_NAME.test(name)

// Credentials of other services: a bearer token with a digit, or a JSON web token. "Bearer bonds" aren't one.
const FOREIGN_KEY = /\bbearer\s{1,4}(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/i

const holdsForeignKey = (text: string): boolean => /bearer|eyJ/i.test(text) && FOREIGN_KEY.test(text)

// AdCP allows secrets in these fields. We neither read nor store them.
const ALLOWED = ["/push_notification_config/authentication", "/property_list/auth_token"]

const isAllowed = (pointer: string) => ALLOWED.some((allowed) => `${pointer}/`.startsWith(`${allowed}/`))

/** Refuses arguments with a key or another secret. The context is the caller's own and isn't searched. */
export function checkCredentials(args: Arguments): void {
  const pointer = findField(args, (name, value, outer) => !isAllowed(`${outer}/${name}`) && isCredential(name, value), [
    "context",
  ])
  if (pointer === null) return
  // A key may be the name of a field, so the name isn't repeated.
  const path = cutText(pathOf(pointer), 100)
  throw new AdcpError("CREDENTIAL_IN_ARGS", "Credentials must not be in the arguments.", {
    ...(!holdsKey(pointer) && { field: path }),
    suggestion: "Send the key in the header Authorization: Bearer. Replace this key, because it may have been logged.",
  })
}

function isCredential(name: string | number, value: unknown): boolean {
  if (typeof name === "string" && (namesSecret(name) || holdsKey(name))) return true
  return typeof value === "string" && (holdsKey(value) || holdsForeignKey(value))
}
