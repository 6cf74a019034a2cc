import { type Caller, fairQueue } from "../../domain/callers/fair-queue.ts"
import * as limits from "../../domain/limits.ts"

// The only place where passwords are hashed. Each hash takes a core for a tenth of a second and 64 MiB, for anybody who submits the
// sign-in form, so half of the cores stay free.
const WAITING = {
  waitingMax: limits.HASHES_WAITING_MAX,
  waitingPerCallerMax: limits.HASHES_WAITING_PER_ADDRESS_MAX,
}
const forStrangers = fairQueue({
  runningMax: Math.max(1, Math.min(limits.HASHES_AT_A_TIME_MAX, Math.floor(navigator.hardwareConcurrency / 2))),
  ...WAITING,
})
// However many strangers try to sign in, they take none of these places.
const forKnown = fairQueue({ runningMax: 1, ...WAITING })
const queueOf = (caller: Caller | null) => (caller === null || caller.isKnown ? forKnown : forStrangers)

// Bun's defaults, stated because the decoy below must take as long.
const ARGON2 = { algorithm: "argon2id", memoryCost: 65_536, timeCost: 2 } as const
// The hash of a random text that was not kept.
const DECOY =
  "$argon2id$v=19$m=65536,t=2,p=1$OCayyn+RPmCjOSza7hyZPOACyTJrWoP4cwIpxfPM0tQ$E8g5HQfhr7t/NQ5pqlSbbbjYf/heorrah69J7e1UeC0"

/** Null when too many passwords are being hashed; null as the caller is the server itself, which always waits. */
export function hashPassword(password: string, caller: Caller): Promise<string | null>
export function hashPassword(password: string, caller: null): Promise<string>
export function hashPassword(password: string, caller: Caller | null): Promise<string | null> {
  return queueOf(caller).run(caller && withTimeout(caller), () => Bun.password.hash(password, ARGON2))
}

/** The same caller, who gives up after a while. */
function withTimeout({ name, gone }: Caller): Caller {
  const timeout = AbortSignal.timeout(limits.HASHES_WAITING_SECONDS_MAX * 1_000)
  return { name, gone: gone === undefined ? timeout : AbortSignal.any([gone, timeout]) }
}

/** busy: too many passwords are being hashed, and this one was not checked. */
export type PasswordCheck = "right" | "wrong" | "busy"

/** Takes as long without a hash, so that timing does not reveal who has an account. */
export async function checkPassword(password: string, hash: string | null, caller: Caller): Promise<PasswordCheck> {
  // Bun cannot verify an empty password, which must not be faster either.
  const typed = password === "" ? " " : password
  const fits = await queueOf(caller).run(withTimeout(caller), () => Bun.password.verify(typed, hash ?? DECOY))
  if (fits === null) return "busy"
  return fits && hash !== null && password !== "" ? "right" : "wrong"
}
