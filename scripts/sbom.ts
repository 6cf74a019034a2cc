// npm run sbom: writes the software bill of materials of the executable to dist/adbooth.cdx.json (CycloneDX 1.6), and the notices that the
// licences of its parts ask for to dist/THIRD-PARTY-NOTICES.
import { mkdir } from "node:fs/promises"
import { billOf, noticesOf, parts } from "./release/bill.ts"

const all = parts()
await mkdir("dist", { recursive: true })
await Bun.write("dist/adbooth.cdx.json", billOf(all))
await Bun.write("dist/THIRD-PARTY-NOTICES", noticesOf(all))
process.stdout.write(`dist/adbooth.cdx.json, dist/THIRD-PARTY-NOTICES: ${all.length} parts\n`)
