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
