import type { Locator, Page } from "playwright-core"

/** How somebody works: at a desk with the keyboard alone, or on a phone with a thumb. */
export interface Manner {
  readonly does: string
  readonly width: number
  readonly keyboard: boolean
  /** In the table of docs/maintainers/tasks.md. */
  readonly column: 1 | 2
}

export const AT_A_DESK: Manner = { does: "1366 pixels wide, by keyboard alone", width: 1366, keyboard: true, column: 1 }
export const ON_A_PHONE: Manner = { does: "390 pixels wide, by pointer", width: 390, keyboard: false, column: 2 }

type Clickable = "link" | "button" | "checkbox" | "radio"
type Name = string | RegExp

/** Does what a person does who reads the page: names what it sees, and knows no address but that of the app. */
export class Hand {
  /** Presses of links, buttons and choices; typing is not counted. */
  clicks = 0
  /** Pages seen, with the first. */
  pages = 0
  readonly page: Page
  readonly #manner: Manner

  constructor(page: Page, manner: Manner) {
    this.page = page
    this.#manner = manner
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) this.pages++
    })
  }

  async start(address: string): Promise<void> {
    await this.page.goto(address)
    this.pages = 1
    this.clicks = 0
  }

  /** Follows a link of the page; one of the menu, where the menu has to be opened first. */
  link = (name: Name) => this.#press("link", name)
  button = (name: Name) => this.#press("button", name)
  check = (name: Name) => this.#press("checkbox", name)
  radio = (name: Name) => this.#press("radio", name)

  async type(label: Name, text: string): Promise<void> {
    const field = this.page.getByLabel(label, { exact: typeof label === "string" }).first()
    if (!this.#manner.keyboard) return field.fill(text)
    await this.#reach(field)
    await this.page.keyboard.press("Control+A")
    await this.page.keyboard.type(text)
  }

  /** Types into the field that finds everything, which is in the menu, and sends it. */
  async search(text: string): Promise<void> {
    const field = this.page.getByLabel("Search everything").first()
    if (!(await field.isVisible())) await this.#openMenu()
    await this.type("Search everything", text)
    await field.press("Enter")
    await this.page.waitForLoadState()
  }

  async choose(label: Name, option: string): Promise<void> {
    const field = this.page.getByLabel(label, { exact: typeof label === "string" }).first()
    this.clicks++
    if (!this.#manner.keyboard) return void (await field.selectOption({ label: option }))
    await this.#reach(field)
    await this.page.keyboard.type(option)
  }

  async file(label: Name, name: string, text: string): Promise<void> {
    this.clicks++
    const field = this.page.getByLabel(label).first()
    if (this.#manner.keyboard) await this.#reach(field)
    await field.setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) })
  }

  /** What a link gives to keep. */
  async download(name: Name): Promise<string> {
    const waiting = this.page.waitForEvent("download")
    await this.link(name)
    const stream = await (await waiting).createReadStream()
    return Buffer.concat(await stream.toArray()).toString("utf8")
  }

  /** Waits until the page says something that a person can see. */
  async see(text: Name): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor()
  }

  async #press(role: Clickable, name: Name): Promise<void> {
    const exact = typeof name === "string"
    const there = this.page.getByRole(role, { name, exact }).first()
    if ((await there.count()) === 0) await this.#openMenu()
    await there.waitFor()
    await this.#act(there, role === "checkbox" || role === "radio" ? "Space" : "Enter")
  }

  /** On a phone the menu is behind a button. */
  async #openMenu(): Promise<void> {
    const menu = this.page.getByRole("button", { name: "Menu" }).filter({ visible: true }).first()
    if ((await menu.count()) > 0) await this.#act(menu, "Enter")
  }

  async #act(target: Locator, key: string): Promise<void> {
    this.clicks++
    if (!this.#manner.keyboard) return target.click()
    await this.#reach(target)
    await this.page.keyboard.press(key)
    await this.page.waitForLoadState()
  }

  /** Comes to it by Tab from what stands before it. Walking there from the top of the page would only take longer. */
  async #reach(target: Locator): Promise<void> {
    await target.waitFor()
    await target.evaluate((element, selector) => {
      const stops = [...document.querySelectorAll<HTMLElement>(selector)].filter((stop) => stop.checkVisibility())
      stops[stops.indexOf(element as HTMLElement) - 2]?.focus()
    }, TAB_STOPS)
    for (let step = 0; step < TABS_MAX; step++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await this.page.keyboard.press("Tab")
    }
    throw new Error(`Tab does not come to ${target} on ${this.page.url()}`)
  }
}

const TAB_STOPS = "a[href], button, input, select, textarea, summary, [tabindex='0']"
const TABS_MAX = 400
