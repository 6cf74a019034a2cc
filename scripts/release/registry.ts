interface Manifest {
  readonly name: string
  readonly version: string
}

/** As a registry describes a package: by the manifest in it. */
async function manifestIn(file: Uint8Array): Promise<Manifest> {
  const packed = await new Bun.Archive(new Uint8Array(file)).files("package/package.json")
  return JSON.parse((await packed.get("package/package.json")?.text()) ?? "{}") as Manifest
}

/** The answers of a package registry that has these packages and nothing else. */
export async function npmRegistry(files: readonly Uint8Array[]): Promise<(url: string) => Response> {
  const packages = new Map(
    await Promise.all(files.map(async (file) => [await manifestIn(file), file] as const)).then((all) =>
      all.map(([manifest, file]) => [manifest.name, { manifest, file }] as const),
    ),
  )
  return (url) => {
    const { pathname, origin } = new URL(url)
    const name = decodeURIComponent(pathname.slice(1))
    const found = packages.get(name.replace(/\.tgz$/, ""))
    if (found === undefined) return new Response("not found", { status: 404 })
    const { manifest, file } = found
    if (name.endsWith(".tgz")) return new Response(new Uint8Array(file))
    const integrity = `sha512-${new Bun.CryptoHasher("sha512").update(file).digest("base64")}`
    const about = { ...manifest, dist: { tarball: `${origin}/${name}.tgz`, integrity } }
    return Response.json({ name, "dist-tags": { latest: manifest.version }, versions: { [manifest.version]: about } })
  }
}
