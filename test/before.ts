// Loaded before all tests.
import fc from "fast-check"

// Random test data is the same in every run. Set ADBOOTH_TEST_SEED to use other data.
fc.configureGlobal({ seed: Number(process.env["ADBOOTH_TEST_SEED"] ?? 53) })

// A password takes a third of a second of a processor to hash, and again to check. A hash says itself what it costs to check, and
// those of tests cost next to nothing. The program as a process isn't changed.
const { hash } = Bun.password
Bun.password.hash = (password) => hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 })
