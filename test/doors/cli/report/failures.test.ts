import { describe, expect, test } from "bun:test"
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { FileReport } from "../../../../src/domain/upload/file-report.ts"
import type { Io } from "../../../../src/doors/cli/io.ts"
import { safeIo } from "../../../../src/doors/cli/output/text.ts"
import { BINARY, hasBinary } from "../../../binary.ts"
import { temporaryFolder } from "../../../harness.ts"
import { until } from "../../../until.ts"
import { type RunWishes, runCommand } from "../in-process.ts"

const ID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const CSV = `package_id,impressions\n${ID},5\n`
const environment = { ADBOOTH_KEY: "x" }

interface Answering extends Disposable {
  readonly url: string
  readonly bodies: string[]
}

/** A server that answers each request as it is told. */
function answering(answer: (count: number, url: string) => Response | Promise<Response>): Answering {
  const bodies: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.text()
      bodies.push(body)
      return answer(bodies.length, request.url)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, bodies, [Symbol.dispose]: () => void server.stop(true) }
}

function endless(): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(1024 * 1024).fill(32)
  return new ReadableStream({ pull: (controller) => controller.enqueue(chunk) })
}

const REPORT: FileReport = {
  name: "totals.csv",
  dry_run: false,
  state: "done",
  complete: true,
  message: "1 total reported.",
  kind: "delivery",
  preset: null,
  rows: 1,
  accepted: 1,
  unchanged: 0,
  older_than_current: 0,
  rejected: 0,
  ignored: 0,
  left_out: 0,
  problems: [],
  lines_left_out: [],
  rejected_rows: "",
}
const accepted = () => Response.json(REPORT)

const REJECTED = `package_id,impressions,row,reason,message\n${ID},5,2,not_seller,Not yours.\n`

/** A server that rejects the one row of every file. */
const rejecting = () => {
  const rejected = { rejected: 1, rejected_rows: REJECTED, message: "1 rejected." }
  return Response.json({ ...REPORT, state: "failed", complete: false, accepted: 0, ...rejected })
}

const report = (url: string, args: readonly string[] = [], wishes: RunWishes = {}) =>
  runCommand(["report", "-", "--url", url, ...args], { input: CSV, environment, ...wishes })

function linkTo(target: string, link: string): string {
  symlinkSync(target, link)
  return link
}

function hardLinkTo(target: string, link: string): string {
  linkSync(target, link)
  return link
}

describe("what may pass is tried again", () => {
  test("a server that hangs, then says 503, then answers", async () => {
    const hung = new AbortController()
    using server = answering((count) => {
      if (count === 1) {
        hung.abort(new DOMException("The operation timed out.", "TimeoutError"))
        return new Promise<Response>(() => undefined)
      }
      return count === 2 ? new Response(null, { status: 503, headers: { "Retry-After": "7" } }) : accepted()
    })
    const deadlines = [hung.signal]
    const asked: number[] = []
    const ran = await report(server.url, ["--timeout", "12"], {
      deadline: (seconds) => {
        asked.push(seconds)
        return deadlines.shift() ?? new AbortController().signal
      },
    })
    expect(ran).toMatchObject({ code: 0, waits: [1, 7] })
    expect(asked).toEqual([12, 12, 12])
    expect(ran.err).toContain(`${server.url} did not answer within 12 s. Retrying in 1 s.\n`)
    expect(ran.err).toContain("The server answered 503. Retrying in 7 s.\n")
  })

  test("waits 30 seconds for an answer unless told otherwise", async () => {
    using server = answering(accepted)
    const asked: number[] = []
    await report(server.url, [], {
      deadline: (seconds) => {
        asked.push(seconds)
        return new AbortController().signal
      },
    })
    expect(asked).toEqual([30])
  })

  test.each([
    ["one pause of a day", 86_400, []],
    ["pause after pause", 300, [300, 300, 300]],
  ])("but patience has an end: %s", async (_, seconds, waits) => {
    using server = answering(() => new Response(null, { status: 429, headers: { "Retry-After": String(seconds) } }))
    const ran = await report(server.url)
    expect(ran).toMatchObject({ code: 1, waits })
    expect(ran.err).toContain("which is too long")
  })
})

describe("what no new try changes fails at once, and says what to do", () => {
  const html = { headers: { "Content-Type": "text/html" } }
  test.each<[string, () => Response, string]>([
    [
      "a redirect",
      () => new Response(null, { status: 301, headers: { Location: "https://b.example/api/ingest/files" } }),
      "--url https://b.example\n",
    ],
    [
      "a web page instead of an answer",
      () => new Response("<html>Welcome</html>", html),
      "does not come from an Adbooth server",
    ],
    ["JSON of something else", () => Response.json({ ok: true }), "does not come from an Adbooth server"],
    ["a key that is not taken", () => Response.json({ detail: "Unknown key." }, { status: 401 }), "Check the key"],
    ["an answer without end", () => new Response(endless()), "does not come from an Adbooth server"],
    ["a path that is not there", () => new Response("<html>", { status: 404, ...html }), "Check --url"],
  ])("%s", async (_, answer, sentence) => {
    using server = answering(answer)
    const ran = await report(server.url)
    expect(ran).toMatchObject({ code: 1, waits: [] })
    expect(ran.err).toContain(sentence)
    expect(ran.err).not.toContain("should not")
    expect(server.bodies).toHaveLength(1)
  })

  test("a wrong key is told once", async () => {
    const detail = "This API key is not valid here. Check it, or create a new one."
    using server = answering(() => Response.json({ detail }, { status: 401 }))
    expect((await report(server.url)).err).toBe(
      "The server refused the request with 401. Check the key in the variable that --key-env names, or create a new one.\n",
    )
  })

  test("a host name that nobody has", async () => {
    const ran = await report("http://nobody.invalid")
    expect(ran).toMatchObject({ code: 1, waits: [] })
    expect(ran.err).toContain("There is no host named nobody.invalid. Check --url.")
  })

  test("TLS asked of a server that speaks none", async () => {
    using server = answering(accepted)
    const ran = await report(server.url.replace("http:", "https:"))
    expect(ran).toMatchObject({ code: 1, waits: [] })
    expect(ran.err).toContain("does not speak TLS")
  })

  const openssl = Bun.which("openssl")
  if (openssl === null) console.error("SKIPPED: the test of an untrusted certificate needs openssl.")
  test.if(openssl !== null)("a certificate that is not trusted", async () => {
    using folder = temporaryFolder()
    const [key, cert] = [join(folder.path, "key.pem"), join(folder.path, "cert.pem")]
    const args = [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      key,
      "-out",
      cert,
      "-subj",
      "/CN=localhost",
    ]
    await Bun.spawn([openssl ?? "", ...args], { stdout: "ignore", stderr: "ignore" }).exited
    const tls = { key: readFileSync(key), cert: readFileSync(cert) }
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: () => new Response() })
    const ran = await report(`https://localhost:${server.port}`)
    void server.stop(true)
    expect(ran).toMatchObject({ code: 1, waits: [] })
    expect(ran.err).toContain("is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)")
    expect(ran.err).toContain("NODE_EXTRA_CA_CERTS")
  })
})

test("stopped in the middle, it says that sending the file again is safe", async () => {
  const stop = new AbortController()
  using server = answering(() => {
    stop.abort(130)
    return new Promise<Response>(() => undefined)
  })
  const ran = await report(server.url, ["--json"], { stop: stop.signal })
  expect([ran.code, ran.out]).toEqual([130, ""])
  expect(ran.err).toContain("Stopped. Send the file again: what was reported already does not count twice.")
})

describe("rejected rows", () => {
  function given() {
    const folder = temporaryFolder()
    const file = join(folder.path, "totals.csv")
    writeFileSync(file, CSV)
    return { path: folder.path, file, [Symbol.dispose]: () => folder[Symbol.dispose]() }
  }

  const spellings: [string, (file: string, folder: string) => string][] = [
    ["itself", (file) => file],
    ["another spelling of it", (file) => file.replace("totals.csv", "./totals.csv")],
    ["a link to it", (file, folder) => linkTo(file, join(folder, "link"))],
    ["a hard link to it", (file, folder) => hardLinkTo(file, join(folder, "hard"))],
  ]
  test.each(spellings)("never take the place of the file that is sent: %s", async (_, name) => {
    using at = given()
    using server = answering(rejecting)
    const ran = await runCommand(["report", at.file, "--url", server.url, "--rejected", name(at.file, at.path)], {
      environment,
    })
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("is the file that is being sent") })
    expect(readFileSync(at.file, "utf8")).toBe(CSV)
    expect(server.bodies).toEqual([])
  })

  test.each([
    ["a device", () => "/dev/full", "a device"],
    ["a folder", (path: string) => mkdirSync(join(path, "f"), { recursive: true }) ?? "", "a folder"],
    ["a link", (path: string) => linkTo("/tmp", join(path, "l")), "a link"],
  ])("never take the place of %s", async (_, target, kind) => {
    using at = given()
    using server = answering(rejecting)
    const ran = await runCommand(["report", at.file, "--url", server.url, "--rejected", target(at.path)], {
      environment,
    })
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining(`is ${kind}, not a file`) })
    expect(server.bodies).toEqual([])
  })

  test("replace an earlier file only when something was sent, and leave nothing else behind", async () => {
    using at = given()
    const target = join(at.path, "rejected.csv")
    writeFileSync(target, "earlier", { mode: 0o640 })
    using refusing = answering(() => new Response(null, { status: 401 }))
    await runCommand(["report", at.file, "--url", refusing.url, "--rejected", target], { environment })
    expect(readFileSync(target, "utf8")).toBe("earlier")
    using server = answering(rejecting)
    await runCommand(["report", at.file, "--url", server.url, "--rejected", target], { environment })
    expect(readFileSync(target, "utf8")).toBe(REJECTED)
    expect(readdirSync(at.path).sort()).toEqual(["rejected.csv", "totals.csv"])
  })
})

describe("the line on a terminal", () => {
  test("says that it sends, and why it pauses", async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, "totals.csv")
    writeFileSync(file, CSV)
    const lines: string[] = []
    using server = answering((count) => {
      if (count === 1) return new Response(null, { status: 503 })
      return accepted()
    })
    await runCommand(["report", file, "--url", server.url], { environment, drawLine: (text) => lines.push(text) })
    expect(lines).toEqual(["Sending", "The server answered 503. Retrying in 1 s.", "", ""])
  })

  test("brings no commands of others to the terminal, nor a second line", () => {
    const shown: string[] = []
    const io = safeIo({ drawLine: (text) => shown.push(...text) } as Partial<Io> as Io)
    io.drawLine("a\u001b[2J\nb")
    expect(shown.filter((letter) => letter < " ")).toEqual([])
  })
})

describe.if(hasBinary)("the executable", () => {
  const run = (url: string, csv: string, script: string) =>
    Bun.spawn(["bash", "-c", script], {
      env: { PATH: process.env["PATH"] ?? "", A: BINARY, U: url, ADBOOTH_KEY: "x" },
      stdin: new Blob([csv]),
      stdout: "pipe",
      stderr: "pipe",
    })

  test("| true: a reader that has gone changes nothing of what is said", async () => {
    using server = answering(rejecting)
    const child = run(server.url, CSV, '"$A" report - --url "$U" | true; exit "$' + '{PIPESTATUS[0]}"')
    const err = await new Response(child.stderr).text()
    expect(await child.exited).toBe(1)
    expect(err).toBe("1 rejected.\n")
  })

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s while the server hangs ends it at once", async (signal, code) => {
    const arrived = Promise.withResolvers<void>()
    using server = answering(() => {
      arrived.resolve()
      return new Promise<Response>(() => undefined)
    })
    const child = run(server.url, CSV, 'exec "$A" report - --url "$U"')
    await arrived.promise
    child.kill(signal)
    expect(await new Response(child.stderr).text()).toContain("Stopped. Send the file again")
    expect(await child.exited).toBe(code)
  })

  test("a signal while it waits for more input, too", async () => {
    const child = Bun.spawn([BINARY, "report", "-", "--url", "http://127.0.0.1:9"], {
      env: { ADBOOTH_KEY: "x" },
      stdin: "pipe",
      stderr: "pipe",
    })
    child.stdin.write(CSV)
    await child.stdin.flush()
    // Once it waits for its input, it listens to signals.
    await until(() => {
      const caught = /SigCgt:\s*(\w+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]
      return (BigInt(`0x${caught ?? 0}`) & 2n) !== 0n
    })
    child.kill("SIGINT")
    expect(await new Response(child.stderr).text()).toContain("Stopped.")
    expect(await child.exited).toBe(130)
    child.stdin.end()
  })

  const python = Bun.which("python3")
  if (python === null) console.error("SKIPPED: the tests on a terminal need python3.")
  // Whatever comes on standard input is typed at the terminal.
  const ON_TERMINAL = `import os, pty, sys, threading
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
def typed():
    os.write(terminal, os.read(0, 1))
threading.Thread(target=typed, daemon=True).start()
try:
    while True: os.write(1, os.read(terminal, 4096))
except OSError: pass
os.write(1, b"exit %d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`
  const onTerminal = (file: string, url: string) =>
    Bun.spawn([python ?? "", "-c", ON_TERMINAL, BINARY, "report", file, "--url", url], {
      env: { PATH: process.env["PATH"] ?? "", ADBOOTH_KEY: "x", TERM: "xterm" },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    })
  // Saving and restoring the cursor, and every mode that would have to be reset.
  const STATE = ["\u001b7", "\u001b8", "\u001b[s", "\u001b[u", "\u001b[?"]

  test.if(python !== null)("Ctrl-C on a terminal leaves it as it was", async () => {
    const arrived = Promise.withResolvers<void>()
    using folder = temporaryFolder()
    const file = join(folder.path, "totals.csv")
    writeFileSync(file, CSV)
    using server = answering(() => {
      arrived.resolve()
      return new Promise<Response>(() => undefined)
    })
    const child = onTerminal(file, server.url)
    await arrived.promise
    child.stdin.write("\u0003")
    await child.stdin.end()
    const shown = await new Response(child.stdout).text()
    expect(STATE.filter((code) => shown.includes(code))).toEqual([])
    expect(shown).toContain("Stopped. Send the file again")
    expect(shown).toEndWith("exit 130")
    expect(existsSync(file)).toBe(true)
  })
})
