import { GUIDE_GROUPS, type GuideFile } from "./files.ts"
import { type Guide, renderGuide } from "./render-guide.ts"

const FILES: readonly GuideFile[] = GUIDE_GROUPS.flatMap(({ guides }) => guides)

export const SLUGS: readonly string[] = FILES.map(({ slug }) => slug)

export const guideAddress = ({ slug }: Pick<GuideFile, "slug">) => `/docs/${slug}`

/** A guide's first line, without rendering the rest. */
export function titleOf({ slug, text }: Pick<GuideFile, "slug" | "text">): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? slug
}

const rendered = new Map<string, Guide>()

/** The guide, rendered when it is first asked for; null when there is none of this name. */
export function findGuide(slug: string): Guide | null {
  const known = rendered.get(slug)
  if (known !== undefined) return known
  const file = FILES.find((one) => one.slug === slug)
  if (file === undefined) return null
  const guide = renderGuide(file, servedAt)
  rendered.set(slug, guide)
  return guide
}

/** A text that belongs to a file of the repository, rendered as the guides are. */
export function renderPart(slug: string, text: string): string {
  const file = FILES.find((one) => one.slug === slug)
  return file === undefined ? "" : renderGuide({ ...file, text }, servedAt).html
}

/** The address of a file of the repository; null when it is not served. */
function servedAt(path: string): string | null {
  const file = FILES.find((one) => one.path === path)
  return file === undefined ? null : guideAddress(file)
}
