import { describe, expect, test } from "bun:test"
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Io } from "../../../../src/doors/cli/io.ts"
import { safeIo } from "../../../../src/doors/cli/output/text.ts"
import { BINARY, hasBinary } from "../../../binary.ts"
import { temporaryFolder } from "../../../harness.ts"
import { type RunWishes, runCommand } from "../in-process.ts"

const ID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const CSV = `package_id,impressions\n${ID},5\n`
const environment = { ADBOOTH_KEY: "x" }

interface Answering extends Disposable {
  readonly url: string
  readonly bodies: string[]
}

/** A server that answers each request as it is told. */
function answering(answer: (count: number, body: string) => Response | Promise<Response>): Answering {
  const bodies: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.text()
      bodies.push(body)
      return answer(bodies.length, body)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, bodies, [Symbol.dispose]: () => void server.stop(true) }
}

function endless(): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(1024 * 1024).fill(32)
  return new ReadableStream({ pull: (controller) => controller.enqueue(chunk) })
}

function accepted(body: string): Response {
  const { items } = JSON.parse(body) as { items: unknown[] }
  const results = items.map((_, index) => ({ index, package_id: ID, status: "accepted", effect: "applied" }))
  return Response.json({ accepted: results.length, rejected: 0, results })
}

const rejecting = (body: string) => {
  const { items } = JSON.parse(body) as { items: unknown[] }
  return Response.json({
    results: items.map(() => ({ status: "rejected", reason: "not_seller", message: "Not yours." })),
  })
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

/** So many rows, each of its own package. */
function rows(count: number): string {
  const lines = Array.from({ length: count }, (_, i) => `${crypto.randomUUID()},${i}`)
  return `package_id,impressions\n${lines.join("\n")}\n`
}

describe("what may pass is tried again", () => {
  test("a server that hangs, then says 503, then answers", async () => {
    const hung = new AbortController()
    using server = answering((count, body) => {
      if (count === 1) {
        hung.abort(new DOMException("The operation timed out.", "TimeoutError"))
        return new Promise<Response>(() => undefined)
      }
      return count === 2 ? new Response(null, { status: 503, headers: { "Retry-After": "7" } }) : accepted(body)
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
    using server = answering((_, body) => accepted(body))
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
      () => new Response(null, { status: 301, headers: { Location: "https://b.example/api/ingest/delivery/metrics" } }),
      "--url https://b.example\n",
    ],
    [
      "a web page instead of an answer",
      () => new Response("<html>Welcome</html>", html),
      "does not come from an Adbooth server",
    ],
    ["JSON of something else", () => Response.json({ ok: true }), "does not come from an Adbooth server"],
    ["fewer results than rows", () => Response.json({ results: [] }), "does not come from an Adbooth server"],
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
    using server = answering((_, body) => accepted(body))
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

describe("stopped in the middle", () => {
  test("it says what was sent, what is not known, and how to go on", async () => {
    const stop = new AbortController()
    using server = answering((count, body) => {
      if (count < 3) return accepted(body)
      stop.abort(130)
      return new Promise<Response>(() => undefined)
    })
    const ran = await report(server.url, [], { input: rows(1_200), stop: stop.signal })
    expect(ran.code).toBe(130)
    expect(ran.err).toContain("Stopped. 1,000 rows: 1,000 accepted (1,000 applied), 0 rejected.")
    expect(ran.err).toContain("200 rows were in flight: the server may or may not have stored them.")
    expect(ran.err).toContain("continue with --from-row 1002.")
    expect(ran.err).toContain("Sending rows twice is safe")
  })

  test("a dry run that is stopped has not checked the rest", async () => {
    const stop = new AbortController()
    using server = answering(() => {
      stop.abort(130)
      return new Promise<Response>(() => undefined)
    })
    const ran = await report(server.url, ["--dry-run"], { input: rows(500), stop: stop.signal })
    expect(ran.err).toContain("500 rows were not checked.\n")
    expect(ran.err).not.toContain("on the way")
  })

  test.each([
    ["stopped", 130],
    ["failed", 1],
  ])("--json tells the same as one document: %s", async (how, code) => {
    const stop = new AbortController()
    using server = answering((count, body) => {
      if (count === 1) return accepted(body)
      if (how === "failed") return new Response(null, { status: 404 })
      stop.abort(130)
      return new Promise<Response>(() => undefined)
    })
    const ran = await report(server.url, ["--json"], { input: rows(600), stop: stop.signal })
    expect(ran.code).toBe(code)
    expect(JSON.parse(ran.out)).toEqual({
      rows: 500,
      accepted: 500,
      rejected: 0,
      effects: { applied: 500 },
      reasons: {},
      dry_run: false,
      from_row: 502,
    })
  })

  test("--from-row goes on with exactly the rows that had no answer", async () => {
    const csv = rows(1_200)
    using server = answering((_, body) => accepted(body))
    const ran = await report(server.url, ["--from-row", "1002"], { input: csv })
    expect(ran).toMatchObject({ code: 0, err: "200 rows: 200 accepted (200 applied), 0 rejected.\n" })
    const { items } = JSON.parse(server.bodies.join("")) as { items: { package_id: string }[] }
    expect(items.map((item) => item.package_id)).toEqual(
      csv
        .split("\n")
        .slice(1_001, 1_201)
        .map((row) => row.slice(0, 36)),
    )
  })

  test("no row is left out where rows were sent in another order than they stand in the file", async () => {
    const stop = new AbortController()
    using server = answering((count, body) => {
      if (count === 1) return accepted(body)
      stop.abort(143)
      return new Promise<Response>(() => undefined)
    })
    // Row 3 repeats the package of row 2, so that it leaves with the second request, after row 4.
    const other = crypto.randomUUID()
    const input = `package_id,impressions\n${ID},1\n${ID},2\n${other},3\n`
    const ran = await report(server.url, [], { input, stop: stop.signal })
    expect(ran.code).toBe(143)
    expect(ran.err).toContain("--from-row 3.")
  })

  test("a failure on the way says the same", async () => {
    using server = answering((count, body) => (count === 1 ? accepted(body) : new Response(null, { status: 404 })))
    const ran = await report(server.url, [], { input: rows(600) })
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining("continue with --from-row 502.") })
  })

  test.each([
    ["1", 2, "--from-row must be a whole number of at least 2"],
    ["x", 2, "--from-row must be"],
    ["9", 1, "has no row 9: it ends with row 2"],
  ])("--from-row %s", async (row, code, sentence) => {
    using server = answering((_, body) => accepted(body))
    expect(await report(server.url, ["--from-row", row])).toMatchObject({
      code,
      err: expect.stringContaining(sentence),
    })
  })
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
    using server = answering((_, body) => rejecting(body))
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
    using server = answering((_, body) => rejecting(body))
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
    using server = answering((_, body) => rejecting(body))
    await runCommand(["report", at.file, "--url", server.url, "--rejected", target], { environment })
    expect(readFileSync(target, "utf8")).toBe(
      `package_id,impressions,row,reason,message\n${ID},5,2,not_seller,Not yours.\n`,
    )
    expect(readdirSync(at.path).sort()).toEqual(["rejected.csv", "totals.csv"])
  })
})

describe("the bar", () => {
  async function drawn(csv: string, args: readonly string[] = [], microsEach = 0) {
    let now = 0
    using folder = temporaryFolder()
    const file = join(folder.path, "totals.csv")
    writeFileSync(file, csv)
    const lines: string[] = []
    using server = answering((count, body) => (count === 1 ? new Response(null, { status: 503 }) : accepted(body)))
    await runCommand(["report", file, "--url", server.url, ...args], {
      environment,
      drawLine: (text) => lines.push(text),
      clock: () => {
        now += microsEach
        return now
      },
    })
    return lines
  }

  /** Each as long as the others. */
  const fixedRows = (count: number) =>
    `package_id,impressions\n${Array.from({ length: count }, () => `${crypto.randomUUID()},5\n`).join("")}`
  const percentages = (lines: string[]) => lines.flatMap((line) => /(\d+)%/.exec(line)?.[1] ?? []).map(Number)

  test("counts what was answered, not what was read", async () => {
    const lines = await drawn(fixedRows(5_000))
    expect(percentages(lines)).toEqual([0, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    expect(lines[1]).toBe("  0%  The server answered 503. Retrying in 1 s.")
    expect(lines.at(-1)).toBe("")
  })

  test("says how long the rest will take, at the speed so far", async () => {
    const lines = await drawn(fixedRows(5_000), [], 30_000_000)
    const left = lines.map((line) => /(\S+ \S+) left$/.exec(line)?.[1])
    expect(left).toEqual(
      [null, null, null, "4 min", "4 min", "3 min", "3 min", "2 min", "2 min", "1 min", "30 s", "0 s", null].map(
        (one) => one ?? undefined,
      ),
    )
  })

  test("also where rows are skipped, or leave in another order", async () => {
    const skipping = await drawn(fixedRows(1_000), ["--from-row", "502"])
    expect(percentages(skipping)).toEqual([0, 0, 100])
    const repeating = await drawn(`package_id,impressions\n${`${ID},5\n`.repeat(4)}`)
    expect(percentages(repeating)).toEqual([0, 0, 34, 56, 78, 100])
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

  test("| true: a reader that has gone does not stop the upload", async () => {
    using server = answering((_, body) => rejecting(body))
    const child = run(server.url, rows(5_000), '"$A" report - --url "$U" | true; exit "$' + '{PIPESTATUS[0]}"')
    const err = await new Response(child.stderr).text()
    expect(await child.exited).toBe(1)
    expect(err).toBe("5,000 rows: 0 accepted, 5,000 rejected (5,000 not_seller).\n")
    expect(server.bodies).toHaveLength(10)
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
    expect(await new Response(child.stderr).text()).toContain("Stopped. 0 rows")
    expect(await child.exited).toBe(code)
  })

  test("a signal while it waits for more input, too", async () => {
    using server = answering((_, body) => accepted(body))
    const child = Bun.spawn([BINARY, "report", "-", "--url", server.url], {
      env: { ADBOOTH_KEY: "x" },
      stdin: "pipe",
      stderr: "pipe",
    })
    child.stdin.write(rows(600))
    await child.stdin.flush()
    while (server.bodies.length === 0) await new Promise((resolve) => setImmediate(resolve))
    child.kill("SIGINT")
    expect(await new Response(child.stderr).text()).toContain("--from-row")
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
    expect(shown).toContain("Stopped. 0 rows")
    expect(shown).toEndWith("exit 130")
    expect(existsSync(file)).toBe(true)
  })

  test.if(python !== null)("rejected rows stay on the terminal that has the bar", async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, "totals.csv")
    const csv = rows(1_200)
    writeFileSync(file, csv)
    using server = answering((_, body) => rejecting(body))
    const child = onTerminal(file, server.url)
    const shown = await new Response(child.stdout).text()
    child.stdin.end()
    expect(STATE.filter((code) => shown.includes(code))).toEqual([])
    expect(shown).toContain("41%")
    // What is left of a line: it was cleared at its start, then written once. Rows were rejected, so the summary is red.
    const left = Bun.stripANSI(shown.replaceAll("\u001b[K", "\u0000"))
      .replaceAll("\u0000", "\u001b[K")
      .split("\r\n")
      .map((line) => line.slice(line.lastIndexOf("\r\u001b[K") + 1).replace("\u001b[K", ""))
    const sent = csv.trimEnd().split("\n").slice(1)
    expect(left).toEqual([
      "package_id,impressions,row,reason,message",
      ...sent.map((row, i) => `${row},${i + 2},not_seller,Not yours.`),
      "1,200 rows: 0 accepted, 1,200 rejected (1,200 not_seller).",
      "exit 1",
    ])
  })
})
