import type { Locator, Page } from "playwright-core"

type Clickable = "link" | "button" | "checkbox" | "radio"
type Name = string | RegExp

/** Does what a person does who reads the page. Counts presses of links, buttons and choices, but not typing. */
export interface Hand {
  readonly clicks: () => number
  /** The pages that were seen, the first one included. */
  readonly pages: () => number
  press(role: Clickable, name: Name): Promise<void>
  type(label: Name, text: string): Promise<void>
  choose(label: Name, option: string): Promise<void>
  see(text: Name): Promise<void>
}

/** A hand at a desk, or at a phone, where the menu is behind a button. */
export async function handOn(page: Page, start: string): Promise<Hand> {
  let clicks = 0
  let pages = 0
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) pages++
  })
  await page.goto(start)

  async function click(target: Locator): Promise<void> {
    clicks++
    await target.click()
    await page.waitForLoadState()
  }

  return {
    clicks: () => clicks,
    pages: () => pages,
    async press(role, name) {
      const target = page.getByRole(role, { name, exact: typeof name === "string" }).first()
      const menu = page.getByRole("button", { name: "Menu", exact: true })
      if ((await target.count()) === 0 && (await menu.isVisible())) await click(menu)
      await click(target)
    },
    type: async (label, text) =>
      page
        .getByLabel(label, { exact: typeof label === "string" })
        .first()
        .fill(text),
    async choose(label, option) {
      clicks++
      await page
        .getByLabel(label, { exact: typeof label === "string" })
        .first()
        .selectOption({ label: option })
    },
    see: (text) => page.getByText(text).filter({ visible: true }).first().waitFor(),
  }
}
