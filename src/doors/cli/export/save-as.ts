import { closeSync } from "node:fs"
import { join } from "node:path"
import { folderBeside, openNewFile, replaceable, settleAs } from "../../../files/new-file.ts"
import { writeFully } from "../write-fully.ts"

/** Writes a file that gets its name, and replaces an earlier one, once it is complete. Returns its size in bytes. */
export async function saveAs(path: string, mode: number, texts: AsyncIterable<string>): Promise<number> {
  const replaced = replaceable(path)
  using opened = new DisposableStack()
  const folder = opened.use(folderBeside(path))
  const partial = join(folder.path, "export")
  const descriptor = openNewFile(partial, mode)
  opened.defer(() => closeSync(descriptor))
  let bytes = 0
  for await (const text of texts) {
    const content = Buffer.from(text)
    bytes += content.length
    writeFully(descriptor, content)
  }
  settleAs(partial, path, replaced)
  return bytes
}
