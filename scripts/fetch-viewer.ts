// Puts the one file of @scalar/api-reference that the program serves where an installation of the whole package would put it, from the
// package that the lock file names. With all that the package depends on it would be more than everything else together.
import { join } from "node:path"
import { devDependencies } from "../package.json"

const NAME = "@scalar/api-reference"
const FILE = "dist/browser/standalone.js"
const id = `${NAME}@${devDependencies[NAME]}`

const locked = (await Bun.file("bun.lock").text()).split("\n").find((line) => line.includes(`["${id}", `))
const checksum = /"sha512-([^"]+)"\],?$/.exec(locked ?? "")?.[1]

// Bun knows the registry that is set up here.
const asked = Bun.spawnSync([process.execPath, "pm", "view", id, "dist.tarball"])
const packed = await (await fetch(asked.stdout.toString().trim())).bytes()
if (new Bun.CryptoHasher("sha512").update(packed).digest("base64") !== checksum) {
  throw new Error(`${id} is not the package that bun.lock names.`)
}
const file = (await new Bun.Archive(packed).files(`package/${FILE}`)).get(`package/${FILE}`)
if (file === undefined) throw new Error(`${id} has no ${FILE}.`)
await Bun.write(join("node_modules", NAME, FILE), file)
