import { expect, test } from "bun:test"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { adbooth, BINARY, hasBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"

const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"]
const canBeNobody =
  hasBinary &&
  process.getuid?.() === 0 &&
  Bun.which("setpriv") !== null &&
  Bun.spawnSync(["setpriv", ...NOBODY, "test", "-x", BINARY]).exitCode === 0
if (!canBeNobody)
  console.error("SKIPPED: what another user is told needs root, setpriv and an executable that all can run.")

const COMMANDS = ["line list", "backup list", "backup create", "backup rollback --yes", "doctor", "serve --port 0"]

test.skipIf(!canBeNobody).each(COMMANDS)("%s on the data of another user says so and names sudo", async (words) => {
  using folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  const data = join(folder.path, "data")
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(join(data, "adbooth.db"), "", { mode: 0o600 })
  const refused = await adbooth([...NOBODY, BINARY, ...words.split(" "), "--data", data], { program: "setpriv" })
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("sudo")])
  expect(refused.err).not.toMatch(/EACCES|Unexpected/)
  const below = join(data, "new")
  const made = await adbooth([...NOBODY, BINARY, "serve", "--port", "0", "--data", below], { program: "setpriv" })
  expect([made.code, made.err]).toEqual([1, expect.stringContaining(`You are not allowed to use ${below}`)])
})

test.skipIf(!canBeNobody)("a backup that this user may not read is said to be that", async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, "backup.db")
  const refused = await adbooth([...NOBODY, BINARY, "backup", "check", file], { program: "setpriv" })
  expect([refused.code, refused.err]).toEqual([1, `This user is not allowed to read ${file}.\n`])
})
