import { describe, expect, test } from "bun:test"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { version } from "../package.json"
import { IMAGE } from "../scripts/release/image.ts"
import { UPLOAD_MEBIBYTES } from "../src/domain/limits.ts"
import { runCommand } from "./doors/cli/in-process.ts"
import { temporaryFolder } from "./harness.ts"

// What the examples in deploy/ name exists, in the program and among themselves. Names in the environment: docs-truth.test.ts.

type Node = string | number | boolean | null | readonly Node[] | { readonly [name: string]: Node }

const textOf = (file: string) => Bun.file(join("deploy", file)).text()
const compose = Bun.YAML.parse(await textOf("postgres/compose.yaml")) as {
  services: Record<string, { secrets?: string[]; volumes?: string[]; depends_on?: Record<string, unknown> }>
  secrets: Record<string, unknown>
  volumes: Record<string, unknown>
}

/** Every value that stands under a name, at any depth. */
function under(name: string, node: Node): Node[] {
  if (Array.isArray(node)) return node.flatMap((one) => under(name, one))
  if (node === null || typeof node !== "object") return []
  return Object.entries(node).flatMap(([key, value]) => [...(key === name ? [value] : []), ...under(name, value)])
}

describe("the examples for several replicas", () => {
  test("run commands that the program has", async () => {
    const inYaml = under("test", compose as unknown as Node)
      .map((words) => (words as string[]).filter((word) => word !== "CMD"))
      .filter(([first]) => first === "/adbooth" || first === "serve")
      .map((words) => words.filter((word) => word !== "/adbooth"))
    const inComments = [await textOf("compose.yaml"), await textOf("postgres/compose.yaml")].flatMap((text) =>
      [...text.matchAll(/\/adbooth ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map(([, words = ""]) => words.split(" ")),
    )
    expect(inYaml.length).toBeGreaterThanOrEqual(1)
    expect(inComments).toEqual([
      ["user", "setup-link"],
      ["user", "setup-link"],
    ])
    for (const words of [...inYaml, ...inComments]) {
      const { out } = await runCommand([...words, "--help"])
      expect(out).toStartWith(`Usage: adbooth ${words[0]}`)
    }
  })

  test("Compose: the image is the one that the archive of this version is loaded as", async () => {
    for (const name of ["compose.yaml", "postgres/compose.yaml"]) {
      const text = await textOf(name)
      expect(text).toContain(`docker load -i adbooth-image-${version}.tar`)
      const images = under("image", Bun.YAML.parse(text) as Node).filter((image) => String(image).startsWith("adbooth"))
      expect([...new Set(images)]).toEqual([IMAGE])
    }
  })

  test("Compose: no container's log fills the disk", async () => {
    for (const name of ["compose.yaml", "postgres/compose.yaml"]) {
      const { services } = Bun.YAML.parse(await textOf(name)) as unknown as typeof compose
      const unbounded = Object.entries(services).filter(
        ([, service]) => under("max-size", service as unknown as Node).length === 0,
      )
      expect(unbounded.map(([service]) => `${name}: ${service}`)).toEqual([])
    }
  })

  test("proxies take the largest upload, and a little more", async () => {
    for (const name of ["nginx.conf", "postgres/nginx.conf", "Caddyfile", "postgres/Caddyfile"]) {
      const size = /(?:client_max_body_size|max_size) (\d+)(?:m;|MiB)/.exec(await textOf(name))?.[1]
      expect([name, Number(size)]).toEqual([name, UPLOAD_MEBIBYTES + 2])
    }
  })

  test("Compose: secrets, volumes, mounted files and services are all there", async () => {
    for (const { secrets = [], volumes = [], depends_on = {} } of Object.values(compose.services)) {
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets))
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
      for (const [source = ""] of volumes.map((volume) => volume.split(":"))) {
        expect([
          source,
          source.startsWith("./") ? existsSync(join("deploy/postgres", source)) : source in compose.volumes,
        ]).toEqual([source, true])
      }
    }
    const upstreams = [...(await textOf("postgres/Caddyfile")).matchAll(/(replica\d):3000/g)].map(([, name]) => name)
    expect(upstreams).toEqual(Object.keys(compose.services).filter((name) => name.startsWith("replica")))
  })

  test.each([
    ["has taken over", "f", 1],
    ["follows", "t", 0],
    ["is away", "", 0],
  ])("a primary whose standby %s: answer %p ends with %p, and nothing starts it by itself", (_, answer, code) => {
    expect(compose.services["primary"]).toMatchObject({ restart: "no" })
    using folder = temporaryFolder()
    const program = (name: string, script: string) =>
      writeFileSync(join(folder.path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    program("psql", answer === "" ? "exit 2" : `echo ${answer}`)
    program("docker-entrypoint.sh", 'echo "started $*"')
    const done = Bun.spawnSync(["bash", "deploy/postgres/start.sh"], {
      env: { PATH: `${folder.path}:${process.env["PATH"]}`, PGDATA: folder.path },
      stderr: "pipe",
    })
    expect(done.exitCode).toBe(code)
    expect(done.stdout.toString()).toBe(
      code === 0 ? "started postgres -c wal_log_hints=on -c cluster_name=primary\n" : "",
    )
    if (code === 1) expect(done.stderr.toString()).toContain("standby is the primary now.")
  })

  test("both set up the role of the documentation", async () => {
    const documented = (await Bun.file("docs/scaling.md").text()).replaceAll(/'choose-one'/g, ":'adbooth'")
    const script = await textOf("postgres/primary.sh")
    const blocks = [...documented.matchAll(/```sql\n(.*?)```/gs)]
      .slice(0, 2)
      .flatMap(([, block = ""]) => block.trim().split("\n"))
    expect(blocks.length).toBe(7)
    for (const statement of blocks) expect(script).toContain(statement)
  })
})
