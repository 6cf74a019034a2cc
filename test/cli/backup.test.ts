import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PROGRAM, tryProgram } from "../harness/program.ts"
import { s3Error, startBucketStorage, startOddStorage } from "../harness/world/bucket-storage.ts"
import { emptyData, exampleData, exampleFile, PACKAGE_ID } from "./given.ts"

const packageIds = (lines: readonly { readonly package_id: string }[]) => lines.map(({ package_id }) => package_id)

describe("backup create and restore", () => {
  test.each([[[]], [["--compress"]]])(
    "with %p, a backup is checked, restored elsewhere, and equal",
    async (options) => {
      using given = await exampleData()
      const file = join(given.folder, "copy")
      const created = await given.json("backup", "create", file, ...options)
      expect(created).toEqual({ file, bytes: statSync(file).size, rows: expect.any(Number) })
      expect(statSync(file).mode & 0o077).toBe(0)
      expect((await tryProgram(["backup", "check", file])).output).toBe(
        `${file} is complete: ${created.rows} rows, schema 1.\n`,
      )
      using other = emptyData()
      const restored = await other.json("backup", "restore", file)
      expect(restored).toEqual({ restored: file, rows: created.rows, replaced: null })
      expect(packageIds(await other.json("line", "list"))).toEqual([PACKAGE_ID])
    },
  )

  test("existing data is only replaced with --yes, and is kept as a backup", async () => {
    using given = await exampleData()
    const file = join(given.folder, "copy.db")
    await given.run("backup", "create", file)
    const { key, prefix } = await given.json("key", "create", "--org", "acme-audio", "--label", "Later")
    const refused = await given.run("backup", "restore", file)
    expect(refused).toMatchObject({ code: 2, output: "" })
    expect(refused.errors).toContain("The current data is saved to another file first. Continue?\n")
    expect(await given.json("key", "list")).toHaveLength(1)

    const { replaced } = await given.json("backup", "restore", file, "--yes")
    expect(await given.json("key", "list")).toEqual([])
    expect(await given.json("backup", "list")).toEqual([{ name: replaced, place: "here", bytes: expect.any(Number) }])
    // Back again by its name alone.
    await given.run("backup", "restore", replaced, "--yes")
    expect(await given.json("key", "list")).toEqual([expect.objectContaining({ prefix })])
    expect(key).toStartWith(prefix)
  })

  test("a damaged backup, or one that isn't there, changes nothing", async () => {
    using given = await exampleData()
    const file = join(given.folder, "copy.db")
    await given.run("backup", "create", file)
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(7, 4_096, 200_000))
    const checked = await tryProgram(["backup", "check", file])
    const restored = await given.run("backup", "restore", file, "--yes")
    for (const { code, errors } of [checked, restored]) {
      expect(code).toBe(1)
      expect(errors).toContain(`${file} is damaged`)
    }
    const missing = await given.run("backup", "restore", "missing.db", "--yes")
    expect(missing).toMatchObject({ code: 1, errors: expect.stringContaining("There is no file missing.db") })
    expect(packageIds(await given.json("line", "list"))).toEqual([PACKAGE_ID])
  })

  test("- is standard output and standard input", async () => {
    using given = await exampleData()
    const pipe = Bun.spawn(
      [
        "bash",
        "-c",
        '"$@" backup create - --compress --data "$FROM" | "$@" backup restore - --data "$TO"',
        "-",
        ...PROGRAM,
      ],
      { env: { ...process.env, FROM: given.data, TO: join(given.folder, "to") }, stdout: "pipe", stderr: "pipe" },
    )
    const [output, errors] = await Promise.all([new Response(pipe.stdout).text(), new Response(pipe.stderr).text()])
    expect(await pipe.exited).toBe(0)
    expect(output).toMatch(/^Restored \d+ rows from standard input\.\n$/)
    expect(errors).toMatch(/bytes, \d+ rows, checked/)
    expect(readdirSync(given.folder).filter((name) => name.startsWith(".adbooth"))).toEqual([])
  })
})

test("without a file, a backup goes beside the scheduled ones", async () => {
  using given = await exampleData()
  const { file } = await given.json("backup", "create")
  expect(file).toMatch(/\/backups\/adbooth-\d{8}T\d{6}Z\.db$/)
  expect((await given.run("backup", "list")).output).toMatch(/^NAME +PLACE +BYTES\nadbooth-\S+ +here +[\d,]+\n$/)
})

test("backup schedule shows and changes what the app would", async () => {
  using given = await exampleData()
  expect((await given.run("backup", "schedule")).output).toBe("every: never (default)\nkeep:  7 (default)\n")
  const changed = await given.json("backup", "schedule", "--every", "36h", "--keep", "3")
  expect(changed).toEqual({ every_seconds: { value: 129_600, from: "app" }, keep: { value: 3, from: "app" } })
  const { output } = await given.run("backup", "schedule", "--every", "never")
  expect(output).toBe("every: never (default)\nkeep:  3 (chosen in the app or by this command)\n")
  expect((await given.run("backup", "schedule", "--every", "often")).code).toBe(2)
})

describe("a bucket", () => {
  test("is listed, and restored from, on a machine without data", async () => {
    await using storage = await startBucketStorage()
    using given = await exampleData({ ...exampleFile(), agent_keys: [] })
    const { file } = await given.json("backup", "create")
    const name = file.split("/").at(-1)
    const { endpoint, bucket, prefix, keyId, secret } = storage.bucket
    const client = new Bun.S3Client({ endpoint: endpoint ?? "", bucket, accessKeyId: keyId, secretAccessKey: secret })
    await client.write(prefix + name, Bun.file(file))

    using other = emptyData()
    const key = join(other.folder, "key")
    writeFileSync(key, `${keyId}:${secret}`, { mode: 0o600 })
    const options = ["--backup-endpoint", endpoint ?? "", "--backup-key-file", key]
    const address = `s3://${bucket}/${prefix.slice(0, -1)}`
    const listed = await other.json("backup", "list", "--backup-to", address, ...options)
    expect(listed).toEqual([{ name, place: "bucket", bytes: statSync(file).size }])
    expect(existsSync(other.data)).toBe(false)
    const restored = await other.run("backup", "restore", `${address}/${name}`, ...options)
    expect(restored).toMatchObject({ code: 0 })
    expect(packageIds(await other.json("line", "list"))).toEqual([PACKAGE_ID])
  })

  test("that refuses is explained, after the backups on this machine", async () => {
    using storage = startOddStorage(() => s3Error(403, "SignatureDoesNotMatch"))
    using given = await exampleData()
    await given.run("backup", "create")
    const environment = { ADBOOTH_BACKUP_KEY: "id:wrong", ADBOOTH_BACKUP_ENDPOINT: storage.bucket.endpoint ?? "" }
    const args = ["backup", "list", "--backup-to", "s3://copies", "--data", given.data]
    const { code, output, errors } = await tryProgram(args, environment)
    expect(code).toBe(1)
    expect(output).toMatch(/adbooth-\S+ +here/)
    expect(errors).toContain("The secret doesn't belong to this access key ID.")
  })

  test("that redirects to another host isn't restored from, which isn't our own mistake", async () => {
    using elsewhere = startOddStorage(() => new Response())
    const redirect = { status: 307, headers: { Location: `${elsewhere.bucket.endpoint}/copies/a.db` } }
    using storage = startOddStorage(() => new Response(null, redirect))
    using given = emptyData()
    const environment = { ADBOOTH_BACKUP_KEY: "id:secret", ADBOOTH_BACKUP_ENDPOINT: storage.bucket.endpoint ?? "" }
    const args = ["backup", "restore", "s3://copies/a.db", "--yes", "--data", given.data]
    const { code, errors } = await tryProgram(args, environment)
    expect([code, elsewhere.requests.length]).toEqual([1, 0])
    expect(errors).toMatch(/^The bucket copies .* redirects to another address\./)
  })
})
