import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { join, resolve } from "node:path"
import { adbooth, BINARY, hasBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"
import { EXAMPLE_FILE } from "./example-file.ts"

const hasPython = Bun.which("python3") !== null
if (!hasPython) console.error("SKIPPED: tests with non-blocking pipes and terminals need python3.")

const LINES = 3_000
const SLOW_PIPE = resolve("test/doors/cli/slow-pipe.py")

let folder: ReturnType<typeof temporaryFolder>
let data = ""

/** A catalogue of more than a megabyte, and many keys. */
function largeFile() {
  const [campaign] = EXAMPLE_FILE.campaigns
  const [line] = campaign?.lines ?? []
  const lines = Array.from({ length: LINES }, (_, i) => ({
    ...line,
    package_id: crypto.randomUUID(),
    name: `Line ${i}`,
  }))
  const agent_keys = Array.from({ length: 700 }, (_, i) => ({ label: `Buyer ${i} ${"x".repeat(60)}`, opened: [] }))
  return { ...EXAMPLE_FILE, campaigns: [{ ...campaign, lines }], agent_keys }
}

beforeAll(async () => {
  folder = temporaryFolder()
  data = join(folder.path, "data")
  if (!hasBinary) return
  const imported = await adbooth(["import", "-", "--data", data], { input: JSON.stringify(largeFile()) })
  if (imported.code !== 0) throw new Error(imported.err)
  await adbooth(["key", "create", "--org", "acme-audio", "--label", "x", "--data", data])
})
afterAll(() => folder[Symbol.dispose]())

// Much and little, made by us and by Commander; those that touch the database are told where it is.
const PRINTING: readonly (readonly [string, boolean])[] = [
  ["line list", true],
  ["agent-key list --json", true],
  ["doctor --settings --json", false],
  ["--help", false],
]

const argsOf = ([words, onData]: readonly [string, boolean]) => [
  ...words.split(" "),
  ...(onData ? ["--data", data] : []),
]

const printed = new Map<string, Promise<string>>()

/** What a command prints into an ordinary pipe. */
function outputOf(args: readonly string[]): Promise<string> {
  const command = args.join(" ")
  const output = printed.get(command) ?? adbooth(args).then(({ out }) => out)
  printed.set(command, output)
  return output
}

interface Piped {
  readonly bytes: number
  readonly hash: string
  readonly code: number
  readonly err: string
}

async function through(mode: string, command: readonly string[]): Promise<Piped> {
  const child = Bun.spawn(["python3", SLOW_PIPE, mode, ...command], { stdout: "pipe", stderr: "inherit" })
  return (await new Response(child.stdout).json()) as Piped
}

async function shell(script: string): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn(["bash", "-c", `set -o pipefail; ${script}`], {
    env: { ...process.env, A: BINARY, D: data, F: folder.path },
    stdout: "pipe",
    stderr: "pipe",
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex")

describe.if(hasBinary && hasPython)("every byte arrives, whatever kind of pipe reads it", () => {
  test.each(["nonblock", "nonblock+slow", "nonblock+shared", "shared+slow", "pty+nonblock"])(
    "export: %s",
    async (mode) => {
      const args = ["export", "--data", data]
      const out = await outputOf(args)
      const expected = { bytes: Buffer.byteLength(out), hash: sha256(out), code: 0 }
      expect(await through(mode, [BINARY, ...args])).toMatchObject(expected)
    },
  )

  test.each(PRINTING)("%s", async (words, onData) => {
    const args = argsOf([words, onData])
    const out = await outputOf(args)
    const expected = { bytes: Buffer.byteLength(out), hash: sha256(out), code: 0 }
    expect(await through("nonblock+shared", [BINARY, ...args])).toMatchObject(expected)
  })

  test.each([0, 1, 65_535, 65_536, 65_537, 131_073, 20_000_001])("%d bytes in one write", async (size) => {
    const program = `import { writeFully } from ${JSON.stringify(resolve("src/doors/cli/write-fully.ts"))}
      writeFully(1, new Uint8Array(${size}).fill(120))`
    const got = await through("nonblock", [process.execPath, "-e", program])
    expect(got).toMatchObject({ bytes: size, hash: sha256(new Uint8Array(size).fill(120)), code: 0, err: "" })
  })

  test.each(["export", "line list", "line list --json"])(
    "%s: a reader that has gone ends it without a word",
    async (words) => {
      const got = await through("head", [BINARY, ...words.split(" "), "--data", data])
      expect(got).toMatchObject({ code: 141, err: "" })
    },
  )
})

describe.if(hasBinary)("in a shell", () => {
  test("export 2>&1 | wc -c counts everything", async () => {
    const whole = await outputOf(["export", "--data", data])
    expect(whole.length).toBeGreaterThan(700_000)
    const { out } = await shell('"$A" export --data "$D" 2>&1 | wc -c')
    expect(Number(out)).toBe(Buffer.byteLength(whole))
  })

  test("| head -1 says nothing, and ends as other programs do", async () => {
    expect(await shell('"$A" export --data "$D" | head -1')).toEqual({ code: 141, out: "{\n", err: "" })
  })

  test.each(PRINTING)("%s > /dev/full fails, and says why", async (words, onData) => {
    const args = argsOf([words, onData]).map((word) => `'${word}'`)
    const { code, err } = await shell(`"$A" ${args.join(" ")} > /dev/full`)
    expect({ code, err }).toEqual({
      code: 1,
      err: "The output could not be written: no space is left. What was written is incomplete.\n",
    })
  })

  test("messages that reach nobody stop no work", async () => {
    const { code, out } = await shell('"$A" key create --org acme-audio --label y --data "$D" 2>/dev/full')
    expect(code).toBe(0)
    expect(out).toStartWith("abi_")
  })

  const isLinux = process.platform === "linux"
  const CLOSED = "Standard output is closed, so nothing was done. Redirect it to a file or to /dev/null.\n"
  const EVERY: typeof PRINTING = [
    ...PRINTING,
    ["backup create -", true],
    ["key create --org acme-audio --label z", true],
  ]

  test.if(isLinux)("whatever prints fails with >&- before it does anything", async () => {
    const keys = async () => (await adbooth(["key", "list", "--data", data])).out
    const before = await keys()
    for (const command of EVERY) {
      const words = argsOf(command).map((word) => `'${word}'`)
      const failed = await shell(`"$A" ${words.join(" ")} >&-`)
      expect({ command, ...failed }).toEqual({ command, code: 1, out: "", err: CLOSED })
    }
    expect(await keys()).toBe(before)
  })

  test.each(["> /dev/null", ">> /dev/null", "1<> /dev/null", "< /dev/null > /dev/null"])("%s is fine", async (how) => {
    expect((await shell(`"$A" backup create - --data "$D" ${how}`)).code).toBe(0)
    expect((await shell(`"$A" doctor --settings ${how}`)).code).toBe(0)
  })

  test("with standard output closed nothing is written into another file", async () => {
    await shell('"$A" export --data "$D" >&-; "$A" export --data "$D" >&- 2>&- <&-; "$A" srve 2>&-')
    expect(await adbooth(["doctor", "--data", data])).toMatchObject({ err: "" })
  })
})
