import { type Caller, fairQueue } from "../../domain/fair-queue.ts"
import {
  HASHES_AT_A_TIME_MAX,
  HASHES_WAITING_MAX,
  HASHES_WAITING_PER_ADDRESS_MAX,
  HASHES_WAITING_SECONDS_MAX,
} from "../../domain/limits.ts"

// The one place where passwords are hashed. Each time it takes a core for a tenth of a second and 64 MiB of memory, for anybody
// who types something into the sign-in form: half of the cores stay free for everything else.
const queue = fairQueue({
  runningMax: Math.max(1, Math.min(HASHES_AT_A_TIME_MAX, Math.floor(navigator.hardwareConcurrency / 2))),
  waitingMax: HASHES_WAITING_MAX,
  waitingPerCallerMax: HASHES_WAITING_PER_ADDRESS_MAX,
})

// Bun's own choice, written out because the decoy below has to take as long.
const ARGON2 = { algorithm: "argon2id", memoryCost: 65_536, timeCost: 2 } as const
// The hash of a random text that nobody has kept.
const DECOY =
  "$argon2id$v=19$m=65536,t=2,p=1$OCayyn+RPmCjOSza7hyZPOACyTJrWoP4cwIpxfPM0tQ$E8g5HQfhr7t/NQ5pqlSbbbjYf/heorrah69J7e1UeC0"

/** Null when too many passwords are being hashed; a caller of null is ourselves and always waits. */
export function hashPassword(password: string, caller: Caller): Promise<string | null>
export function hashPassword(password: string, caller: null): Promise<string>
export function hashPassword(password: string, caller: Caller | null): Promise<string | null> {
  return queue.run(caller && patient(caller), () => Bun.password.hash(password, ARGON2))
}

/** The same caller, who has gone when it waited for too long. */
function patient({ name, gone }: Caller): Caller {
  const tired = AbortSignal.timeout(HASHES_WAITING_SECONDS_MAX * 1_000)
  return { name, gone: gone === undefined ? tired : AbortSignal.any([gone, tired]) }
}

/** busy: too many passwords are being hashed, and this one was not looked at. */
export type PasswordCheck = "right" | "wrong" | "busy"

/** Takes as long where there is no hash to compare with, so that time does not tell who has an account. */
export async function checkPassword(password: string, hash: string | null, caller: Caller): Promise<PasswordCheck> {
  // An empty password cannot be verified, and must not be quicker either.
  const typed = password === "" ? " " : password
  const fits = await queue.run(patient(caller), () => Bun.password.verify(typed, hash ?? DECOY))
  if (fits === null) return "busy"
  return fits && hash !== null && password !== "" ? "right" : "wrong"
}
