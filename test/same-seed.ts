// Loaded before all tests: what they draw at random is the same in every run, so that a change which fails here is the reason for it.
// ADBOOTH_TEST_SEED=NUMBER draws something else.
import fc from "fast-check"

fc.configureGlobal({ seed: Number(process.env["ADBOOTH_TEST_SEED"] ?? 53) })
