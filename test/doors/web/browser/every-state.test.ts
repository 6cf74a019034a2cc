import { afterAll, beforeAll, describe, expect } from "bun:test"
import { routes } from "../../../../src/doors/web/routes.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { givenMarket, givenPerson, LINE, OWN_LINE } from "../given.ts"
import { pathOf } from "../paths.ts"
import { browserTest, chromiumPath, openTab, type Tab } from "./chromium.ts"
import { inTabs, moving, problemsOf } from "./looks.ts"

const ACME = "/app/o/acme-audio"
const LINE_PAGE = `${ACME}/campaigns/acme-only/lines/${OWN_LINE}`
const PATIENCE_MS = 600_000

const fileOf = (text: string) => ({ name: "week.csv", mimeType: "text/csv", buffer: Buffer.from(text) })

async function send(tab: Tab, path: string, text: string): Promise<void> {
  await tab.page.goto(path)
  await tab.page.getByLabel("File", { exact: true }).setInputFiles(fileOf(text))
  await tab.page.getByRole("button", { name: "Upload", exact: true }).click()
}

type State = readonly [name: string, reach: (tab: Tab) => Promise<unknown>]

/** Every form with a required field, sent with nothing in it. */
const EMPTY_FORMS = [
  `${ACME}/new-campaign`,
  `${ACME}/campaigns/acme-only/new-line`,
  `${ACME}/campaigns/acme-only/edit`,
  `${LINE_PAGE}/edit`,
  `${ACME}/keys`,
  `${ACME}/members`,
  "/app/account",
  "/app/operator/organizations/new",
  "/app/operator/agent-keys",
  "/app/operator/products/new",
]

const errorsOf = (path: string): State => [
  `errors of ${path}`,
  async ({ page, complaints }) => {
    await page.goto(path)
    const sent = page.waitForNavigation()
    await page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>("main form[method=post]:has([required])")
      if (form === null) throw new Error("the page has no form with a required field")
      for (const field of form.querySelectorAll<HTMLInputElement>("[required]")) field.value = ""
      form.noValidate = true
      form.requestSubmit()
    })
    await sent
    await page.locator('[aria-invalid="true"]').first().waitFor()
    expect(await page.title()).toStartWith("Error:")
    // The browser complains of every answer that is an error, whatever the page does.
    expect(complaints.splice(0)).toEqual([expect.stringContaining("status of 422")])
  },
]

const menu = (path: string, name: string | RegExp): State => [
  `the menu ${name} on ${path}`,
  async ({ page }) => {
    await page.goto(path)
    await page.getByRole("button", { name }).click()
    await page.locator(":popover-open").waitFor()
  },
]

/** A question over the page. It stays open while the window and the theme change. */
const dialog = (name: string, reach: (tab: Tab) => Promise<unknown>, label: RegExp): State => [
  `the dialog of ${name}`,
  async (tab) => {
    await reach(tab)
    await tab.page.getByRole("link", { name: label }).click()
    await tab.page.locator("dialog:modal").waitFor()
  },
]

const LONG_NAME = "Donaudampfschifffahrtsgesellschaftskapitaenswitwenundwaisenkasse".repeat(3)

const STATES: readonly State[] = [
  ...EMPTY_FORMS.map(errorsOf),
  menu(ACME, "Switch organization"),
  menu(ACME, "Account and theme"),
  [
    "the menu on a phone",
    async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(ACME)
      await page.getByRole("button", { name: "Menu" }).click()
      await page.locator(":popover-open").waitFor()
    },
  ],
  dialog(
    "a member",
    async ({ page }) => {
      await page.goto(`${ACME}/members`)
      await page
        .getByRole("link", { name: /^Manage/ })
        .first()
        .click()
    },
    /^Remove from/,
  ),
  dialog(
    "a file",
    async (tab) => {
      await send(tab, `${ACME}/upload`, `package_id,impressions\n${OWN_LINE},6\n`)
      await tab.page.getByText("Nothing is saved until you press Report.").waitFor()
    },
    /^Discard/,
  ),
  [
    "a question",
    async ({ page }) => {
      await page.goto(LINE_PAGE)
      await page.getByLabel(/^New total of/).fill("9 000 000")
      await page.getByRole("button", { name: /^Report/ }).click()
      await page.getByText("9,000,000 is right, report it anyway").waitFor()
    },
  ],
  [
    "questions about several totals",
    async ({ page }) => {
      await page.goto(`${ACME}/totals`)
      for (const [i, total] of ["9 000 000", "7 000 000"].entries())
        await page
          .getByLabel(/^New total of/)
          .nth(i)
          .fill(total)
      await page.getByRole("button", { name: /^Report/ }).click()
      await page.getByText("is right, report it anyway").first().waitFor()
    },
  ],
  [
    "a form that was sent without a session",
    async ({ page, context }) => {
      await page.goto(LINE_PAGE)
      await page.getByLabel(/^New total of/).fill("1234")
      const cookies = await context.cookies()
      await context.clearCookies()
      await page.getByRole("button", { name: /^Report/ }).click()
      await page.getByLabel("Password").waitFor()
      await context.addCookies(cookies)
    },
  ],
  [
    "columns that nobody has matched",
    async (tab) => {
      await send(tab, `${ACME}/upload`, `placement,imps\n${OWN_LINE},5\n`)
      await tab.page.getByRole("button", { name: "Show what it will do" }).waitFor()
    },
  ],
  [
    "a preview with problems",
    async (tab) => {
      await send(tab, `${ACME}/upload`, `package_id,impressions\n${LINE},5\nnonsense,1\n`)
      await tab.page.getByText("Nothing is saved until you press Report.").waitFor()
    },
  ],
  ["a list in which nothing matches", ({ page }) => page.goto(`${ACME}/campaigns?q=nothing+like+this`)],
  [
    "a long name without spaces",
    async ({ page }) => {
      await page.goto(`${ACME}/keys`)
      await page.getByLabel("Which system is it for?").fill(LONG_NAME.slice(0, 90))
      await page.getByRole("button", { name: "Create key" }).click()
      await page.getByRole("link", { name: "I have copied it" }).waitFor()
      await page.goto(`${ACME}/keys`)
    },
  ],
]

/** Pages that people reach by a link that somebody gave them, or after something has happened. */
async function linked(app: TestApp): Promise<State[]> {
  const pages = routes.filter(
    ({ method, path }) => method === "GET" && /\/:token$|:link\/revoke$|:upload$|two-factor$/.test(path),
  )
  expect(pages.length).toBeGreaterThan(5)
  return Promise.all(
    pages.map(async (route): Promise<State> => {
      const path = await pathOf(app, route)
      return [route.path, ({ page }) => page.goto(path)]
    }),
  )
}

describe.skipIf(chromiumPath === null)("states that no link leads to", () => {
  let app: TestApp
  let operator: number
  beforeAll(async () => {
    app = await startApp()
    await givenMarket(app)
    operator = await givenPerson(app, { isOperator: true })
    await givenPerson(app, { of: "acme-audio" })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  browserTest(
    "errors, menus, dialogs, questions, uploads and long names are usable by everybody, too, and nothing moves where nothing may",
    async () => {
      const problems: string[] = []
      await inTabs(
        () => openTab(app, operator),
        [...STATES, ...(await linked(app))],
        async (tab, [name, reach]) => {
          await reach(tab)
          problems.push(...(await moving(tab)).map((part) => `${name}: ${part} moves`))
          problems.push(...(await problemsOf(tab)).map((problem) => `${name}: ${problem}`), ...tab.complaints.splice(0))
        },
      )
      expect(problems).toEqual([])
    },
    PATIENCE_MS,
  )

  browserTest(
    "an installation in which nothing has happened yet",
    async () => {
      await using empty = await startApp()
      const person = await givenPerson(empty, { isOperator: true })
      await empty.store.organizations.create(
        { slug: "acme-audio", name: LONG_NAME, timeZone: "UTC" },
        { actor: "test", at: empty.clock() },
      )
      const seller = ["", "/campaigns", "/affiliates", "/upload", "/feed-activity", "/keys", "/members", "/settings"]
      const operators = [
        "/agent-sales",
        "/products",
        "/agent-keys",
        "/requests",
        "/get-listed",
        "/audit",
        "/system?open=backups",
      ]
      const paths = [...seller.map((path) => ACME + path), ...operators.map((path) => `/app/operator${path}`)]
      const problems: string[] = []
      await inTabs(
        () => openTab(empty, person),
        paths,
        async (tab, path) => {
          await tab.page.goto(path)
          problems.push(...(await problemsOf(tab)).map((problem) => `${path}: ${problem}`), ...tab.complaints.splice(0))
        },
      )
      expect(problems).toEqual([])
    },
    PATIENCE_MS,
  )

  browserTest("in forced colours what is chosen, wrong or drawn is still seen", async () => {
    await using tab = await openTab(app, operator, { forcedColors: "active" })
    const { page } = tab
    const looks = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { backgroundColor, color, borderTopColor, borderTopStyle, outlineStyle } = getComputedStyle(element)
          return { backgroundColor, color, borderTopColor, borderTopStyle, outlineStyle }
        })
    await page.goto(`${ACME}/campaigns`)
    const current = await looks(".seg [aria-current]")
    expect(await looks(".seg a:not([aria-current])")).not.toEqual(current)
    expect((await looks(".button.primary")).borderTopStyle).toBe("solid")
    expect((await looks(".input")).borderTopStyle).toBe("solid")
    expect(tab.complaints).toEqual([])
  })
})
