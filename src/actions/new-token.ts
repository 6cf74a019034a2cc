import { hashToken } from "../domain/keys/api-key.ts"
import type { Context } from "./context.ts"

/** An unguessable token for a session or a link, and what is stored of it. */
export function newToken({ clock, random }: Pick<Context, "clock" | "random">, lasts: number) {
  const token = random(32).toBase64({ alphabet: "base64url", omitPadding: true })
  const createdAt = clock()
  return { token, stored: { tokenHash: hashToken(token), createdAt, expiresAt: createdAt + lasts } }
}
