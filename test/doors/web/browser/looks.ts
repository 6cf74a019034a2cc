import axe from "axe-core"
import type { Tab } from "./chromium.ts"

interface Violation {
  readonly id: string
  readonly impact?: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

interface AxeOptions {
  /** Details of other kinds of results would take half the time. */
  readonly resultTypes: ["violations"]
  readonly runOnly?: { readonly type: "rule"; readonly values: string[] }
}

interface Axe {
  run(options: AxeOptions): Promise<{ violations: Violation[] }>
}

// What another theme or width can change. All other rules look at the document, which stays the same.
const LOOKS = ["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block"]

/** What is wrong with the page as it is now, for anybody, light and dark, from a desk to a narrow phone. Leaves it wide and light. */
export async function problemsOf(tab: Tab): Promise<string[]> {
  const { page } = tab
  const problems = [...(await sideways(tab, 1280)), ...(await findings(tab))]
  // A tablet.
  problems.push(...(await sideways(tab, 820)))
  await page.emulateMedia({ colorScheme: "dark" })
  // The narrowest that WCAG asks for: 1280 pixels at 400 % zoom.
  problems.push(...(await sideways(tab, 320)))
  problems.push(...(await findings(tab, LOOKS)).map((found) => `on a phone, dark: ${found}`))
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: 1280, height: 900 })
  return problems
}

async function sideways({ page }: Tab, width: number): Promise<string[]> {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 900 })
  const shown = await page.evaluate(() => document.scrollingElement?.scrollWidth ?? 0)
  return shown > width ? [`scrolls sideways at ${width} pixels: ${shown}`] : []
}

/** Findings of axe on the page as it is shown now: all, or those of some rules. */
export async function findings({ page }: Pick<Tab, "page">, rules?: string[]): Promise<string[]> {
  // Put in by the debugger, past the page's policy, which would rightly refuse it.
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(axe.source)
  const options: AxeOptions = {
    resultTypes: ["violations"],
    ...(rules !== undefined && { runOnly: { type: "rule", values: rules } }),
  }
  const found = await page.evaluate((asked) => {
    const tool = (globalThis as unknown as { axe: Axe }).axe
    return tool.run(asked).then(({ violations }) => violations)
  }, options)
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary ?? ""}`)
}

/** What moves on the page as it is now, or would when it is pointed at: elements, and what the style sheet draws before and after them. */
export function moving({ page }: Tab): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    for (const element of document.querySelectorAll("*")) {
      for (const part of [null, "::before", "::after", "::backdrop"]) {
        const style = getComputedStyle(element, part)
        const lasts = (durations: string) => durations.split(", ").some((one) => Number.parseFloat(one) > 0)
        const isAnimated = style.animationName !== "none" && lasts(style.animationDuration)
        if (isAnimated || lasts(style.transitionDuration) || style.scrollBehavior === "smooth")
          found.add(`${element.localName}.${element.className}${part ?? ""}`)
      }
    }
    return [...found]
  })
}

/** Does the work with some tabs at a time: a page waits for the server and for its script more than it computes. */
export async function inTabs<Item>(
  open: () => Promise<Tab>,
  items: readonly Item[],
  work: (tab: Tab, item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    await using tab = await open()
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(tab, item)
  }
  await Promise.all(Array.from({ length: Math.min(3, items.length) }, worker))
}
