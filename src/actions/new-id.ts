import { hashToken } from "../domain/keys/api-key.ts"
import type { Context } from "./context.ts"

export function newId(random: (bytes: number) => Uint8Array): string {
  const bytes = random(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toHex()
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

/** An unguessable token for a session or a link, and what is stored of it. */
export function newToken({ clock, random }: Pick<Context, "clock" | "random">, lasts: number) {
  const token = random(32).toBase64({ alphabet: "base64url", omitPadding: true })
  const createdAt = clock()
  return { token, stored: { tokenHash: hashToken(token), createdAt, expiresAt: createdAt + lasts } }
}
