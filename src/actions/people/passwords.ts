import { oneMore, remembered, waitSeconds } from "../../domain/people/password.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { Tx } from "../../storage/database.ts"
import { credentialsOf, failuresOf, forgetFailures, saveFailures, setPassword } from "../../storage/people/sign-in.ts"
import { type Context, change } from "../context.ts"

// Each hash takes a core for a tenth of a second and 64 MiB, and every stranger can send the sign-in form.
const AT_A_TIME = 2
const WAITING_MAX = 16

// Bun's defaults, stated because the decoy must take as long.
const ARGON2 = { algorithm: "argon2id", memoryCost: 65_536, timeCost: 2 } as const
// The hash of a random text that was not kept.
const DECOY =
  "$argon2id$v=19$m=65536,t=2,p=1$OCayyn+RPmCjOSza7hyZPOACyTJrWoP4cwIpxfPM0tQ$E8g5HQfhr7t/NQ5pqlSbbbjYf/heorrah69J7e1UeC0"

let running = 0
const waiting: (() => void)[] = []

/** The hash of a password, or "busy" if too many passwords are being hashed. */
export const hashPassword = (password: string): Promise<string | "busy"> =>
  inTurn(() => Bun.password.hash(password, ARGON2))

/** Whether a password is right. Takes as long without a hash, so that timing doesn't tell who has an account. */
export function isPassword(password: string, hash: string | null): Promise<boolean | "busy"> {
  return inTurn(async () => {
    // Bun can't verify an empty password, which must not be faster either.
    const isRight = await Bun.password.verify(password === "" ? " " : password, hash ?? DECOY)
    return isRight && hash !== null && password !== ""
  })
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result | "busy"> {
  if (running >= AT_A_TIME) {
    if (waiting.length >= WAITING_MAX) return "busy"
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    // The next one takes this place.
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

/**
 * Counts an attempt as failed, until `forgetAttempts`. If one of the subjects must wait, nothing is counted and the seconds are
 * returned, else 0. Checking and counting is one step, so that many attempts at once are slowed like one after the other.
 */
export const countAttempt = ({ database, clock }: Context, subjects: readonly string[]): Promise<number> =>
  database.transact((tx) => countAttemptIn(tx, subjects, clock()))

export async function countAttemptIn(tx: Tx, subjects: readonly string[], now: Moment): Promise<number> {
  const before = await failuresOf(tx, subjects)
  const failures = subjects.map((subject) => remembered(before.get(subject), now))
  const wait = Math.max(...failures.map((each) => waitSeconds(each, now)))
  if (wait > 0) return wait
  const after = new Map(subjects.map((subject) => [subject, oneMore(remembered(before.get(subject), now), now)]))
  await saveFailures(tx, after, now)
  return 0
}

const forgetAttempts = ({ database }: Context, subjects: readonly string[]): Promise<void> =>
  database.transact((tx) => forgetFailures(tx, subjects))

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
  const { userId } = proof
  const before = await credentialsOf(context.database.read, userId)
  const proven = await provePassword(context, proof)
  if (proven !== "right") return proven
  const passwordHash = await hashPassword(wanted)
  if (passwordHash === "busy") return "busy"
  return change(context, `user:${userId}`, async (tx, audit) => {
    // The person may have changed it in the meantime, to keep an intruder out.
    if ((await credentialsOf(tx, userId))?.passwordHash !== before?.passwordHash) return "wrong"
    await setPassword(tx, userId, passwordHash, keptSession)
    await audit(null, "changed their password")
    return "done"
  })
}
