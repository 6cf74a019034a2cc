import { expect } from "bun:test"
import type { Page } from "playwright-core"
import type { Route } from "../../../../src/doors/web/guards.ts"
import { routes } from "../../../../src/doors/web/routes.ts"
import type { TestApp } from "../../../harness.ts"
import { givenPerson, startMarket } from "../given.ts"
import { pathOf } from "../paths.ts"
import { signedIn, visitor } from "../visitor.ts"
import { browserTest, openTab, type Tab } from "./chromium.ts"

// Longer than any of our short texts may be, no number, no address, no JSON, no password.
const WRONG = "X".repeat(600)

interface Filled {
  /** What was typed, by the name of the field; passwords, codes and files are not given back. */
  readonly typed: Readonly<Record<string, string>>
  readonly soundBorder: string
}

/** Types something wrong into every field of a form of the page; null when nobody can type into it. */
function fill(page: Page, index: number): Promise<Filled | null> {
  return page.evaluate(
    ([at, wrong]) => {
      const form = document.querySelectorAll<HTMLFormElement>("main form[method=post]")[at]
      const isTyped = (field: HTMLInputElement | HTMLTextAreaElement) =>
        // What has no name only shortens a list on the page, and is not sent.
        field.name !== "" && !["hidden", "checkbox", "radio", "submit"].includes(field.type) && !field.hidden
      const fields = [...(form?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea") ?? [])]
      const [first, ...others] = fields.filter(isTyped)
      if (form === undefined || first === undefined) return null
      // A sound field without the focus, as it looks before anything is wrong.
      const soundBorder = getComputedStyle(first.closest(".input") ?? first).borderTopColor
      for (const field of [first, ...others]) if (field.type !== "file") field.value = wrong
      const kept = [first, ...others].filter(
        ({ type, autocomplete }) => type !== "password" && type !== "file" && autocomplete !== "one-time-code",
      )
      form.noValidate = true
      return { typed: Object.fromEntries(kept.map(({ name, value }) => [name, value])), soundBorder }
    },
    [index, WRONG] as const,
  )
}

/** What is there to see, to hear and to type into once the form was refused. */
function look(page: Page) {
  return page.evaluate(() => {
    const isInView = (element: Element | null) => {
      const box = element?.getBoundingClientRect()
      if (box === undefined || box.height === 0 || box.top < 0 || box.left < 0) return false
      // What is nearly as high as the window is in view when it starts there.
      return box.bottom <= innerHeight || (box.height > innerHeight / 2 && box.top < innerHeight)
    }
    const wrong = [...document.querySelectorAll<HTMLElement>("[aria-invalid=true]")]
    const summary = document.querySelector(".error-summary")
    const described = (field: Element) =>
      (field.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id))
    const focused = document.activeElement
    return {
      title: document.title,
      summaryIsFirst: document.querySelector("main")?.firstElementChild === summary,
      summaryLinks: [...(summary?.querySelectorAll("a") ?? [])].map((link) =>
        wrong.findIndex(({ id }) => id === decodeURIComponent(link.hash.slice(1))),
      ),
      summaryText: summary?.textContent ?? "",
      borders: wrong.map((field) => getComputedStyle(field.closest(".input") ?? field).borderTopColor),
      frames: wrong.map((field) => getComputedStyle(field.closest(".field, td") ?? field).borderLeftColor),
      isCheckbox: wrong.map((field) => field instanceof HTMLInputElement && field.type === "checkbox"),
      explained: wrong.map((field) =>
        described(field).some((text) => text?.matches(".error") && text.querySelector("svg")),
      ),
      focusedIsFirstWrong: focused === (wrong[0] ?? summary),
      focusedIsInView: isInView(focused),
      explanationIsInView:
        wrong[0] === undefined || described(wrong[0]).every((text) => !text?.matches(".error") || isInView(text)),
      values: Object.fromEntries(
        [
          ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
            "main form[method=post] :is(input, textarea)",
          ),
        ]
          .filter(({ type }) => type !== "file")
          .map(({ name, value }) => [name, value]),
      ),
    }
  })
}

async function expectContract({ page }: Tab, index: number, where: string): Promise<boolean> {
  const filled = await fill(page, index)
  if (filled === null) return false
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    page.waitForEvent("load"),
    page
      .locator("main form[method=post]")
      .nth(index)
      .evaluate((form: HTMLFormElement) => form.requestSubmit()),
  ])
  // The browser moves the focus when it first draws the page, which may be after everything was loaded.
  await page.waitForFunction(() => document.activeElement !== document.body).catch(() => null)
  const seen = await look(page)
  const { typed, soundBorder } = filled
  const values = Object.fromEntries(Object.keys(typed).map((name) => [name, seen.values[name]]))
  const places = seen.borders.map((_, place) => place)
  expect({ where, ...seen, status: answer.status(), values }).toEqual({
    where,
    ...seen,
    status: answer.status() === 429 ? 429 : 422,
    title: expect.stringMatching(/^Error: /),
    summaryIsFirst: true,
    summaryText: expect.stringMatching(/here (?:is a|are \d+) problem/),
    explained: places.map(() => true),
    focusedIsFirstWrong: true,
    focusedIsInView: true,
    explanationIsInView: true,
    values: typed,
  })
  // Every wrong field has its link, in the order of the page.
  expect([where, [...new Set(seen.summaryLinks)]]).toEqual([where, places])
  const marks = places.map((place) => (seen.isCheckbox[place] ? seen.frames[place] : seen.borders[place]))
  expect([where, marks.filter((colour) => colour === soundBorder)]).toEqual([where, []])
  return true
}

/** The pages with forms that this person may open, by the route of each. */
async function pagesWithForms(
  app: TestApp,
  userId: number | null,
  chosen: readonly Route[],
): Promise<[Route, string][]> {
  const person = userId === null ? visitor(app) : await signedIn(app, userId)
  const found: [Route, string][] = []
  for (const route of chosen) {
    const path = await pathOf(app, route)
    const html = await person.read(path)
    if (/<main[\s\S]*<form method="post"/.test(html)) found.push([route, path])
  }
  return found
}

const LOOKS = [
  { width: 1440, height: 900, colorScheme: "light" },
  { width: 390, height: 844, colorScheme: "dark" },
] as const

for (const { colorScheme, ...viewport } of LOOKS) {
  browserTest(
    `every form says what is wrong, shows where, goes there and keeps what was typed (${viewport.width} px, ${colorScheme})`,
    async () => {
      await using app = await startMarket()
      const operator = await givenPerson(app, { isOperator: true, of: "acme-audio", password: "correct horse battery" })
      const pages = routes.filter(({ method, path }) => method === "GET" && !path.endsWith(".csv"))
      const tried: string[] = []
      for (const userId of [operator, null]) {
        await using tab = await openTab(app, userId, { viewport, colorScheme })
        const chosen = pages.filter(({ who }) => (userId === null) === (who === "anyone"))
        for (const [{ path: route }, path] of await pagesWithForms(app, userId, chosen)) {
          await tab.page.goto(path)
          const count = await tab.page.locator("main form[method=post]").count()
          for (let index = 0; index < count; index++) {
            if (index > 0) await tab.page.goto(path)
            if (await expectContract(tab, index, `${route}, form ${index + 1}`)) tried.push(route)
          }
        }
      }
      // A form that nobody finds is not tried.
      expect(tried.length).toBeGreaterThanOrEqual(28)
    },
    1_200_000,
  )
}
