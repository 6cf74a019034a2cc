import type { Session } from "../../engine/session.ts"

const HAS_FIGURES = `
  SELECT EXISTS (SELECT 1 FROM delivery_total WHERE line_id = $1)
    OR EXISTS (SELECT 1 FROM withdrawn_report WHERE line_id = $1)
    OR EXISTS (SELECT 1 FROM affiliate_placement WHERE line_id = $1) AS has`

/** Whether a line has delivery or affiliate figures, withdrawn ones included. */
export async function hasFigures({ rows }: Session, lineId: number): Promise<boolean> {
  const [found] = await rows<{ has: boolean }>(HAS_FIGURES, [lineId])
  return found?.has === true
}
