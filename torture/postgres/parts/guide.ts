import { readFileSync } from "node:fs"

const GUIDE = "docs/scaling.md"

/** The blocks of code of a section of the guide, word for word, as [language, text]. */
export function guideBlocks(section: string): [language: string, text: string][] {
  const text =
    readFileSync(GUIDE, "utf8")
      .split(/^## /m)
      .find((part) => part.startsWith(`${section}\n`)) ?? ""
  return Array.from(text.matchAll(/^```(\w*)\n(.*?)^```$/gms), ([, language = "", block = ""]) => [language, block])
}

/** The only block of that language there. */
export function guideBlock(language: string, section: string): string {
  const [block, ...more] = guideBlocks(section).filter(([its]) => its === language)
  if (block === undefined || more.length > 0) throw new Error(`${GUIDE}, ${section}: not one block of ${language}`)
  return block[1]
}
