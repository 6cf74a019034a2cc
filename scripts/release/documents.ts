// What every package carries beside the executable: licence, notices of others' work, bill of materials, the guide and the files of deploy/.
import { readdirSync, readFileSync } from "node:fs"
import { billOf, noticesOf, type Part, parts } from "./bill.ts"
import type { Entry } from "./pack.ts"

const all = parts()

/** The licence, the notices and the bill of materials, with what else a package has in it. */
export function legalDocuments(more: readonly Part[] = []): Entry[] {
  return [
    { name: "LICENSE", content: readFileSync("LICENSE") },
    { name: "THIRD-PARTY-NOTICES", content: noticesOf([...all, ...more]) },
    { name: "adbooth.cdx.json", content: billOf([...all, ...more]) },
  ]
}

/** All of deploy/ but what packages are made with. */
export function deployFiles(): Entry[] {
  return readdirSync("deploy", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith("deploy/packages"))
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .sort()
    .map((name) => ({ name, content: readFileSync(name), ...(name.endsWith(".sh") && { mode: 0o755 }) }))
}

/** For those who run it; the README of the project is for those who have its source. */
export const readme = (): Entry => ({ name: "README.md", content: readFileSync("deploy/packages/README.md") })
