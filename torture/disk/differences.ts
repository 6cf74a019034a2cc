import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"

/** Files that differ between two folders, by their path. SQLite's shared memory does not count. */
export function differences(one: string, other: string): string[] {
  const [left, right] = [filesBelow(one), filesBelow(other)]
  const paths = [...new Set([...left.keys(), ...right.keys()])].sort()
  return paths.filter((path) => !same(left.get(path), right.get(path)))
}

function same(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && readFileSync(one).equals(readFileSync(other))
}

function filesBelow(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !path.endsWith("-shm"))
  return new Map(paths.map((path) => [relative(folder, path), path]))
}
