import { readBrief } from "./reading.ts"
import type { BriefIndex } from "./search-index.ts"
import { wordScores } from "./word-scores.ts"

const SIMILAR_MAX = 10
const CHANNEL_POINTS = 4
/** A product with less than this share of the model's own score isn't similar. */
const SHARE_MIN = 0.2

/** The IDs of the products that have the most words and channels in common with this one, best first. */
export function similarTo(index: BriefIndex, productId: string): string[] {
  const at = index.products.findIndex(({ id }) => id === productId)
  const model = index.products[at]
  if (model === undefined) return []
  const scores = wordScores(index, readBrief(`${model.name}. ${model.description}`))
  const least = (scores[at] ?? 0) * SHARE_MIN
  return index.products
    .map(({ id, channels }, i) => {
      const shared = channels.filter((channel) => model.channels.includes(channel)).length
      return {
        id,
        points: (scores[i] ?? 0) + shared * CHANNEL_POINTS,
        isSimilar: shared > 0 || (scores[i] ?? 0) > least,
      }
    })
    .filter(({ id, isSimilar }) => isSimilar && id !== productId)
    .sort((a, b) => b.points - a.points)
    .slice(0, SIMILAR_MAX)
    .map(({ id }) => id)
}
