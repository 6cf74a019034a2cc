import { eq } from "drizzle-orm"
import type { Credentials } from "../../../steps/credentials.ts"
import type { Connection } from "../../engine/connection.ts"
import { user } from "../../schema.ts"

const columns = {
  userId: user.id,
  email: user.email,
  passwordHash: user.passwordHash,
  totpSecret: user.totpSecret,
}

export function credentialsOf({ drizzle }: Connection, userId: number): Credentials | null {
  return drizzle.select(columns).from(user).where(eq(user.id, userId)).get() ?? null
}
