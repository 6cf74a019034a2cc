import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { chmodSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { resolveSettings } from "../src/config.ts"
import { bucketClient } from "../src/jobs/bucket-client.ts"
import { adbooth, BINARY, hasBinary, serveBinary } from "./binary.ts"
import { snippets } from "./docs-snippets.ts"
import { EXAMPLE_FILE } from "./doors/cli/example-file.ts"
import { freePort } from "./free-port.ts"
import { temporaryFolder } from "./harness.ts"
import { startStorage } from "./jobs/bucket-storage.ts"

// The commands of the guides are run here as they stand. Programs and places that a test cannot have (docker, another machine,
// /var/lib/adbooth) have stand-ins, which run the same command of ours.

setDefaultTimeout(600_000)

const page = (name: string) => Bun.file(name).text()

const STAND_INS: Readonly<Record<string, string>> = {
  adbooth: `[ "$ADBOOTH_DATA" != /var/lib/adbooth ] || export ADBOOTH_DATA="$DATA"
for word do shift; [ "$word" != /var/lib/adbooth ] || word="$DATA"; set -- "$@" "$word"; done
exec "${BINARY}" "$@"`,
  docker: `[ "$1" = exec ] && shift; [ "$1" != -i ] || shift; [ "$1 $2" = "adbooth /adbooth" ] && shift 2
exec adbooth "$@"`,
  sudo: '[ "$1 $2" = "-u adbooth" ] && shift 2\nexec "$@"',
  ssh: '[ "$1" = backup@elsewhere.example ] && exec sh -c "$2"',
}

/** A folder with a database, the stand-ins, and the files that the guides speak of. */
async function given() {
  const folder = temporaryFolder()
  const programs = join(folder.path, "bin")
  mkdirSync(programs)
  for (const [name, script] of Object.entries(STAND_INS)) {
    await Bun.write(join(programs, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  const data = join(folder.path, "data")
  await adbooth(["import", "-", "--data", data], { input: JSON.stringify(EXAMPLE_FILE) })
  await Bun.write(join(folder.path, "catalogue.json"), JSON.stringify(EXAMPLE_FILE))
  const env = { PATH: `${programs}:${process.env["PATH"]}`, DATA: data, ADBOOTH_DATA: data, NO_COLOR: "1" }
  const run = async (script: string, more: Record<string, string> = {}) => {
    const child = Bun.spawn(["bash", "-c", `set -e\n${script}`], {
      cwd: folder.path,
      env: { ...env, ...more },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    const code = await child.exited
    return { code, out, err: code === 0 ? "" : err }
  }
  return { run, data, path: folder.path, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

const hasBash = Bun.which("bash") !== null
if (!hasBash) console.error("SKIPPED: the commands of the guides need bash.")

describe.if(hasBinary && hasBash)("the commands of the guides", () => {
  test("docs/operations.md", async () => {
    using at = await given()
    const text = await page("docs/operations.md")
    const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block)
    expect(blocks).toHaveLength(2)
    for (const block of blocks) expect({ block, ...(await at.run(block)) }).toMatchObject({ block, code: 0 })
    expect(readdirSync(at.path)).toContain("adbooth.db.zst")
  })

  test("docs/operations.md, a restore from the bucket alone", async () => {
    using at = await given()
    using empty = await given()
    await using storage = await startStorage()
    const { bucket, prefix, endpoint, keyId, secret } = storage.bucket
    const name = "adbooth-20261115T030000Z.db"
    await adbooth(["backup", "create", join(at.path, name), "--data", at.data])
    await bucketClient(storage.bucket).put(name, join(at.path, name), new AbortController().signal)
    const drill = snippets(await page("docs/operations.md"), "sh").find(({ words }) => words[0] === "bucket")
    const script = (drill?.text ?? "")
      .replace("ID:SECRET", `${keyId}:${secret}`)
      .replace("https://s3.example.com", endpoint ?? "")
      .replaceAll("s3://my-backups/adbooth", `s3://${bucket}/${prefix.slice(0, -1)}`)
    const ran = await empty.run(script)
    expect(ran).toMatchObject({ code: 0, err: "" })
    expect(ran.out).toMatch(new RegExp(`${name} +bucket`))
    expect(ran.out).toContain("Pre-roll")
  })

  test("docs/operations.md, cron", async () => {
    using at = await given()
    await using server = await serveBinary(["--data", at.data])
    const key = await adbooth(["key", "create", "--org", "acme-audio", "--label", "cron", "--data", at.data])
    const [line] = EXAMPLE_FILE.campaigns[0]?.lines ?? []
    await Bun.write(join(at.path, "totals.csv"), `package_id,impressions\n${line?.package_id},5\n`)
    const [crontab] = snippets(await page("docs/operations.md"), "cron")
    const jobs = [...(crontab?.text ?? "").matchAll(/^[\d*]+(?: [\d*]+){4} (.*)$/gm)].map(([, job = ""]) => job)
    expect(jobs).toHaveLength(3)
    const env = { ADBOOTH_DATA: "/var/lib/adbooth", ADBOOTH_URL: server.url, ADBOOTH_KEY: key.out.trim() }
    // cron takes the backslash before a percent sign away, and mails whatever a job says.
    for (const job of jobs)
      expect({ job, ...(await at.run(job.replaceAll("\\%", "%"), env)) }).toEqual({ job, code: 0, out: "", err: "" })
    const [reported] = JSON.parse((await adbooth(["line", "list", "--json", "--data", at.data])).out)
    expect(reported.delivered).toBe(5)
    expect(readdirSync(at.path).filter((name) => /^adbooth-\d{4}-\d\d-\d\d\.db\.zst$/.test(name))).toHaveLength(1)
  })

  test("docs/operators.md, from the product to the calls", async () => {
    using at = await given()
    await using server = await serveBinary(["--data", at.data])
    const text = await page("docs/operators.md")
    await Bun.write(join(at.path, "products.json"), snippets(text, "json")[0]?.text ?? "")
    const blocks = snippets(text, "sh").map((block) => block.text)
    const script = blocks.join("\n").replaceAll("http://127.0.0.1:3000", server.url)
    expect(await at.run(script)).toMatchObject({ code: 0, out: expect.stringContaining("morning-preroll") })
  })

  // What fills a bare machine, and the proxy, are taken for granted here.
  const PREPARED =
    'apt-get() { true; }; systemctl() { true; }; sudo() { if [ "$1 $2" = \'-u adbooth\' ]; then shift 2; fi; if [ "$1" = tee ]; then cat; else "$@"; fi; }'

  test("docs/first-hour.md, from the installation to the backup", async () => {
    using at = await given()
    const text = await page("docs/first-hour.md")
    await Bun.write(join(at.path, "catalogue.json"), snippets(text, "json")[0]?.text ?? "")
    await using server = await serveBinary(["--data", at.data])
    const blocks = snippets(text, "sh").map((block) => block.text)
    expect(blocks).toHaveLength(7)
    const ran = await at.run([PREPARED, ...blocks].join("\n"), { ADBOOTH_URL: server.url })
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.out).toContain("/app/setup/")
    expect(ran.out).toMatch(/Pre-roll .*125,000/)
    expect(ran.out).toMatch(/Keep: +14/)
  })

  test("README.md, from zero to the first accepted total", async () => {
    using at = await given()
    const text = await page("README.md")
    const json = snippets(text, "json").map((block) => block.text)
    await Bun.write(join(at.path, "catalogue.json"), json[0] ?? "")
    const [, begin = "", report = ""] = snippets(text, "sh").map((block) => block.text)
    const port = freePort()
    // npm itself is tried by the tests of a clean clone.
    const npm = `npm() { if [ "$1" = start ]; then exec "${BINARY}" serve; fi; shift 4; "${BINARY}" "$@"; }`
    const script = [
      npm,
      `export ADBOOTH_PORT=${port}`,
      begin,
      `SERVER=$!; trap 'kill $SERVER; wait $SERVER' EXIT; until "${BINARY}" doctor --ready >/dev/null 2>&1; do sleep 0.1; done`,
      report.replace(":3000", `:${port}`),
    ]
    const ran = await at.run(script.join("\n"), { ADBOOTH_DATA: join(at.path, "own") })
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.out).toContain((json[1] ?? "nothing").trim())
  })
})

test("settings that the guides and examples set exist, and their values are valid", async () => {
  const pages = [
    "README.md",
    "docs/operations.md",
    "docs/first-hour.md",
    "docs/scaling.md",
    "deploy/adbooth.service",
    "deploy/compose.yaml",
  ]
  for (const name of pages) {
    // What a variable with _FILE names is on another machine.
    const found = [
      ...(await page(name))
        .replaceAll(/^.*_FILE.*$/gm, "")
        .matchAll(/^\s*(?:Environment=)?(ADBOOTH_[A-Z_]+)(?:=|: )"?([^"\s]+)"?$/gm),
    ]
    // Where alerts and backups go takes several settings.
    const together = found.filter(([, variable = ""]) => /^ADBOOTH_(?:ALERT_|BACKUP_|SMTP)/.test(variable))
    const others = Object.fromEntries(together.map(([, variable = "", value = ""]) => [variable, value]))
    for (const [, variable = "", value = ""] of found)
      expect({
        name,
        variable,
        ...resolveSettings({}, { ...(variable in others && others), [variable]: value }),
      }).toMatchObject({
        name,
        variable,
        problems: [],
        warnings: [],
      })
  }
})
