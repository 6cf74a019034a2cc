// The container image for all processors, made without Docker: an OCI layout in a tar archive, which `docker load`, `podman load` and
// `skopeo copy oci-archive:` take. The same content as the Dockerfile's: the executable, the C library, an empty /data and a /tmp.
import { version } from "../../package.json"
import { legalDocuments } from "./documents.ts"
import { libcFor } from "./libc.ts"
import { type Effort, type Entry, folder, sha256, tar } from "./pack.ts"
import { imageLabels, projectOf } from "./project.ts"

/** What it is called once it is loaded. */
export const IMAGE = `adbooth:${version}`

const USER = 10_001
const DOCUMENTS = "usr/share/doc/adbooth"
const CONFIG = {
  User: `${USER}:${USER}`,
  ExposedPorts: { "3000/tcp": {} },
  Env: ["ADBOOTH_DATA=/data", "ADBOOTH_HOST=0.0.0.0", "ADBOOTH_PORT=3000"],
  Entrypoint: ["/adbooth"],
  Cmd: ["serve"],
  Volumes: { "/data": {} },
  Healthcheck: { Test: ["CMD", "/adbooth", "doctor", "--ready"], Interval: 30e9, Timeout: 5e9, StartPeriod: 5e9 },
}

type Blobs = Map<string, Uint8Array>
interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

function add(blobs: Blobs, kind: string, content: Uint8Array): Descriptor {
  const hash = sha256(content)
  blobs.set(hash, content)
  return { mediaType: `application/vnd.oci.image.${kind}`, digest: `sha256:${hash}`, size: content.length }
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))

async function addLayer(blobs: Blobs, entries: readonly Entry[], level: Effort) {
  const content = await tar(entries)
  const layer = add(blobs, "layer.v1.tar+gzip", Bun.gzipSync(new Uint8Array(content), { level }))
  return { layer, diffId: `sha256:${sha256(content)}` }
}

export interface LinuxExecutable {
  readonly architecture: "amd64" | "arm64"
  readonly executable: Uint8Array
}

async function addImage(blobs: Blobs, { architecture, executable }: LinuxExecutable, effort: Effort) {
  const labels = imageLabels(projectOf())
  const libc = await libcFor(architecture)
  const documents = legalDocuments([libc.part]).map((entry) => ({ ...entry, name: `${DOCUMENTS}/${entry.name}` }))
  const places = [folder("tmp/", { mode: 0o1777 }), folder("data/", { mode: 0o700, owner: USER })]
  const base = await addLayer(blobs, [...places, ...libc.entries], effort)
  const program = await addLayer(blobs, [{ name: "adbooth", content: executable, mode: 0o755 }, ...documents], effort)
  const rootfs = { type: "layers", diff_ids: [base.diffId, program.diffId] }
  const config = add(
    blobs,
    "config.v1+json",
    json({ architecture, os: "linux", config: { ...CONFIG, Labels: labels }, rootfs }),
  )
  const layers = [base.layer, program.layer]
  const mediaType = "application/vnd.oci.image.manifest.v1+json"
  const manifest = add(
    blobs,
    "manifest.v1+json",
    json({ schemaVersion: 2, mediaType, config, layers, annotations: labels }),
  )
  return { manifest: { ...manifest, platform: { os: "linux", architecture } }, config, layers, architecture }
}

const blobPath = ({ digest }: Descriptor) => `blobs/${digest.replace(":", "/")}`

/** The image for the first processor is `IMAGE` where a loader knows only one processor, the others have theirs in the tag. */
export async function imageArchive(executables: readonly LinuxExecutable[], effort: Effort = 6): Promise<Uint8Array> {
  const blobs: Blobs = new Map()
  const images = []
  for (const executable of executables) images.push(await addImage(blobs, executable, effort))
  const mediaType = "application/vnd.oci.image.index.v1+json"
  const all = add(
    blobs,
    "index.v1+json",
    json({
      schemaVersion: 2,
      mediaType,
      manifests: images.map((one) => one.manifest),
      annotations: imageLabels(projectOf()),
    }),
  )
  const annotations = {
    "io.containerd.image.name": `docker.io/library/${IMAGE}`,
    "org.opencontainers.image.ref.name": version,
  }
  const index = { schemaVersion: 2, mediaType, manifests: [{ ...all, annotations }] }
  // For loaders from before OCI layouts.
  const legacy = images.map(({ config, layers, architecture }, at) => ({
    Config: blobPath(config),
    RepoTags: [`${IMAGE}${at === 0 ? "" : `-${architecture}`}`],
    Layers: layers.map(blobPath),
  }))
  return tar([
    { name: "oci-layout", content: JSON.stringify({ imageLayoutVersion: "1.0.0" }) },
    { name: "index.json", content: json(index) },
    { name: "manifest.json", content: json(legacy) },
    ...[...blobs].map(([hash, content]) => ({ name: `blobs/sha256/${hash}`, content })),
  ])
}
