import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join, normalize, relative, sep } from "node:path"
import type { Random } from "../harness/random.ts"
import { JOURNAL_START } from "./disk-control.ts"
import { DiskFile, type Survival } from "./disk-file.ts"
import { type DiskRecord, recordsIn, type SyncTarget } from "./records.ts"

/**
 * What a file system promises about names. posix: a new, changed or deleted name is durable once its folder was synced, and until then
 * each of them may be there or not. ordered: they become durable in their order, and with any sync, as on ext4 and XFS.
 */
export type Promises = "posix" | "ordered"

type Node = DiskFile | DiskFolder

class DiskFolder {
  /** As programs see it. */
  readonly names = new Map<string, Node>()
  readonly durable = new Map<string, Node>()
}

interface NameChange {
  readonly at: number
  readonly sets: readonly { readonly folder: DiskFolder; readonly name: string; readonly node: Node | null }[]
  /** Folders that have to be synced before it is durable. */
  readonly unsynced: Set<DiskFolder>
}

/** The files of a root as programs see them, and as a power cut would leave them at a place of the journal. */
export class DiskWorld {
  readonly #path: string
  readonly #root = new DiskFolder()
  readonly #files = new Map<number, DiskFile>()
  readonly #inodes = new Map<string, number>()
  #nameChanges: NameChange[] = []
  #syncedAnything = 0
  #position = JOURNAL_START

  /** Everything that is there now counts as durable. For a replay the content comes from a copy with the old inodes. */
  constructor(path: string, content = path, inodes?: ReadonlyMap<string, number>) {
    this.#path = path
    this.#load(content, this.#root, (inner) => {
      const name = relative(content, inner)
      const inode = inodes?.get(name) ?? statSync(inner).ino
      this.#inodes.set(name, inode)
      return inode
    })
  }

  /** Of the files that were there before, by their path below the root. */
  inodes(): ReadonlyMap<string, number> {
    return this.#inodes
  }

  #load(path: string, folder: DiskFolder, inodeOf: (path: string) => number): void {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name)
      const node = entry.isDirectory() ? new DiskFolder() : new DiskFile(readFileSync(inner))
      if (node instanceof DiskFolder) this.#load(inner, node, inodeOf)
      else this.#files.set(inodeOf(inner), node)
      folder.names.set(entry.name, node)
      folder.durable.set(entry.name, node)
    }
  }

  /** Goes on to a place of the journal; there is no way back. */
  advance(journal: Uint8Array, position: number): void {
    for (const record of recordsIn(journal, position, this.#position)) this.#take(record)
    this.#position = Math.max(position, this.#position)
  }

  #take(record: DiskRecord): void {
    switch (record.kind) {
      case "write":
        this.#file(record.inode).change(record)
        break
      case "truncate":
        this.#file(record.inode).change({ at: record.at, offset: record.size, bytes: null })
        break
      case "create":
        this.#create(record.at, record.inode, record.path)
        break
      case "make folder":
        this.#name(record.at, [[record.path, new DiskFolder()]])
        break
      case "unlink":
        this.#name(record.at, [[record.path, null]])
        break
      case "link":
        this.#name(record.at, [[record.to, this.#find(record.from)]])
        break
      case "rename":
        this.#rename(record.at, record.from, record.to)
        break
      case "sync ends":
        if (record.outcome !== "lie") this.#sync(record.target, record.began, record.outcome === "done")
    }
  }

  #create(at: number, inode: number, path: string): void {
    const file = new DiskFile(new Uint8Array())
    this.#files.set(inode, file)
    this.#name(at, [[path, file]])
  }

  #rename(at: number, from: string, to: string): void {
    const moved = this.#find(from)
    this.#name(at, [
      [from, null],
      [to, moved],
    ])
  }

  #sync(target: SyncTarget, began: number, isDone: boolean): void {
    if (isDone) this.#syncedAnything = Math.max(this.#syncedAnything, began)
    if ("inode" in target) {
      if (isDone) this.#file(target.inode).synced(began)
      else this.#file(target.inode).syncFailed(began)
      return
    }
    const folder = this.#find(target.folder)
    if (!isDone || !(folder instanceof DiskFolder)) return
    for (const { at, unsynced } of this.#nameChanges) if (at < began) unsynced.delete(folder)
  }

  #name(at: number, changes: readonly (readonly [path: string, node: Node | null])[]): void {
    const sets = changes.map(([path, node]) => ({ folder: this.#folder(dirname(path)), name: basename(path), node }))
    for (const { folder, name, node } of sets) {
      if (node === null) folder.names.delete(name)
      else folder.names.set(name, node)
    }
    this.#nameChanges.push({ at, sets, unsynced: new Set(sets.map(({ folder }) => folder)) })
  }

  #file(inode: number): DiskFile {
    const file = this.#files.get(inode)
    if (file === undefined) throw new Error(`the journal writes to the unknown file ${inode}`)
    return file
  }

  #find(path: string): Node {
    let node: Node | undefined = this.#root
    for (const name of relative(this.#path, normalize(path)).split(sep).filter(Boolean)) {
      node = node instanceof DiskFolder ? node.names.get(name) : undefined
    }
    if (node === undefined) throw new Error(`the journal names ${path}, which is unknown`)
    return node
  }

  #folder(path: string): DiskFolder {
    const node = this.#find(path)
    if (node instanceof DiskFolder) return node
    throw new Error(`the journal takes the file ${path} for a folder`)
  }

  /** Writes to a new folder what a power cut at this place leaves. SQLite's shared memory does not outlive it. */
  writeAfterCut(target: string, random: Random, survival: Survival, promises: Promises): void {
    const names = this.#namesAfterCut(random, survival, promises)
    const write = (folder: DiskFolder, path: string) => {
      mkdirSync(path, { mode: 0o700 })
      for (const [name, node] of names.get(folder) ?? folder.durable) {
        if (name.endsWith("-shm")) continue
        if (node instanceof DiskFolder) write(node, join(path, name))
        else writeFileSync(join(path, name), node.afterCut(random, survival), { mode: 0o600 })
      }
    }
    write(this.#root, target)
  }

  #namesAfterCut(random: Random, { share }: Survival, promises: Promises): Map<DiskFolder, Map<string, Node>> {
    const names = new Map<DiskFolder, Map<string, Node>>()
    let isOver = false
    for (const { at, sets, unsynced } of this.#nameChanges) {
      const isSynced = sets.some(({ folder }) => !unsynced.has(folder))
      const isDurable = promises === "posix" ? isSynced : at < this.#syncedAnything
      const isThere = isDurable || (!isOver && random.next() < share)
      if (!isThere && promises === "ordered") isOver = true
      if (!isThere) continue
      for (const { folder, name, node } of sets) {
        // Moved from a folder that was not synced: it may still be there as well.
        const isLeft = promises === "posix" && isSynced && unsynced.has(folder) && node === null
        if (isLeft && random.next() >= share) continue
        const known = names.get(folder) ?? new Map(folder.durable)
        names.set(folder, known)
        if (node === null) known.delete(name)
        else known.set(name, node)
      }
    }
    return names
  }
}
