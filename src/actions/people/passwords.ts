import { addAuditEntry } from "../../storage/audit.ts"
import { credentialsOf, setPassword } from "../../storage/people/sign-in.ts"
import type { Context } from "../context.ts"
import { hashPassword, isPassword } from "./hash-password.ts"
import { countAttempt, forgetAttempts } from "./throttle.ts"

/** A signed-in person who types the password again. */
export interface Proof {
  readonly userId: number
  readonly password: string
  readonly address: string
}

export type Unproven = "wrong" | "busy" | { readonly waitSeconds: number }

/** Checks the password again, before anything that a stolen session must not do. Failures are slowed like sign-ins. */
export async function provePassword(
  context: Context,
  { userId, password, address }: Proof,
): Promise<"right" | Unproven> {
  const subjects = [`password of ${userId} from ${address}`]
  const waitSeconds = await countAttempt(context, subjects)
  if (waitSeconds > 0) return { waitSeconds }
  const account = await credentialsOf(context.database.read, userId)
  const isRight = await isPassword(password, account?.passwordHash ?? null)
  if (isRight === "busy") return "busy"
  if (!isRight) return "wrong"
  await forgetAttempts(context, subjects)
  return "right"
}

/** Changes a password, and ends all other sessions. Needs the current one. */
export async function changePassword(
  context: Context,
  proof: Proof,
  { wanted, keptSession }: { readonly wanted: string; readonly keptSession: string },
): Promise<"done" | Unproven> {
  const { database, clock } = context
  const { userId } = proof
  const before = await credentialsOf(database.read, userId)
  const proven = await provePassword(context, proof)
  if (proven !== "right") return proven
  const passwordHash = await hashPassword(wanted)
  if (passwordHash === "busy") return "busy"
  return database.transact(async (tx) => {
    // The person may have changed it in the meantime, to keep an intruder out.
    if ((await credentialsOf(tx, userId))?.passwordHash !== before?.passwordHash) return "wrong"
    await setPassword(tx, userId, passwordHash, keptSession)
    const entry = { actor: `user:${userId}`, organizationId: null, text: "changed their password" }
    await addAuditEntry(tx, { at: clock(), ...entry })
    return "done"
  })
}
