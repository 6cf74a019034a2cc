import { eq } from "drizzle-orm"
import type { Credentials } from "../../../steps/credentials.ts"
import type { Session } from "../../engine/session.ts"
import { user } from "../../schema.ts"

const columns = {
  userId: user.id,
  email: user.email,
  passwordHash: user.passwordHash,
  totpSecret: user.totpSecret,
}

export async function credentialsOf({ drizzle }: Session, userId: number): Promise<Credentials | null> {
  const [found] = await drizzle.select(columns).from(user).where(eq(user.id, userId))
  return found ?? null
}
