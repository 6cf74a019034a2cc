import { expect } from "bun:test"
import { startMarket } from "../app/market.ts"
import { sessionFor } from "../harness/browser/browse.ts"
import { openTab } from "../harness/browser/chromium.ts"
import { type Hand, handOn } from "../harness/browser/hand.ts"

/** Something that a person wants, said as they would say it, with the most clicks and pages that it may take at a desk. */
interface Task {
  readonly say: string
  readonly clicks: number
  readonly pages: number
  run(hand: Hand): Promise<void>
}

const TASKS: readonly Task[] = [
  {
    say: "What needs my attention?",
    clicks: 0,
    pages: 1,
    async run({ see }) {
      await see("is 33% behind plan")
    },
  },
  {
    say: "Report all totals of the day",
    clicks: 2,
    pages: 3,
    async run({ press, type, see }) {
      await press("link", "Report totals")
      await type("New total of Morning show, pre-roll, impressions", "235 000")
      await type("New total of Evening jazz, host-read, downloads", "16 500")
      await see("+6,886 since yesterday, 32% behind plan")
      await press("button", "Report 2 totals")
      await see("2 totals reported")
    },
  },
  {
    say: "Report one line",
    clicks: 2,
    pages: 3,
    async run({ press, type, see }) {
      await press("link", "Report totals")
      await type("New total of Værmelding, mid-roll, impressions", "206000")
      await see("on or ahead of plan")
      await press("button", "Report 1 total")
      await see("1 total reported")
    },
  },
  {
    say: "The ad server overcounted: correct a total downwards",
    clicks: 4,
    pages: 4,
    async run({ press, type, see }) {
      await press("link", "Report totals")
      await type("New total of Traffic update, post-roll, impressions", "120000")
      await see("The total would go down from 140,500 to 120,000.")
      await press("checkbox", "120000 is right, report it anyway")
      await press("button", "Report totals")
      await see("1 total reported")
    },
  },
  {
    say: "Will this line deliver?",
    clicks: 1,
    pages: 2,
    async run({ press, see }) {
      await press("link", "Morning show, pre-roll")
      await see(/Forecast for 6 Dec/)
    },
  },
  {
    say: "Set up a campaign",
    clicks: 3,
    pages: 4,
    async run({ press, type, see }) {
      await press("link", "New campaign")
      await type("Buyer", "Fjordreiser AS")
      await type("Name of the campaign", "Easter")
      await type("Name of the line", "Easter quiz, pre-roll")
      await type("Rate", "150")
      await type("Booked (optional)", "80 000")
      await see("NOK 150.00 per 1,000 impressions, so 80,000 are NOK 12,000.00.")
      await press("button", "Create campaign")
      await see("The campaign is created.")
    },
  },
  {
    say: "Send the buyer a report",
    clicks: 4,
    pages: 5,
    async run({ press, see }) {
      await press("link", "Campaigns")
      await press("link", "Nordlys i november")
      await press("link", "Share")
      await press("button", "Create link")
      await see(/\/app\/share\/[\w-]{43}$/)
    },
  },
  {
    say: "A colleague typed the wrong totals: take the whole form back",
    clicks: 4,
    pages: 5,
    async run({ press, type, see }) {
      await press("link", "Report totals")
      await type("New total of Evening jazz, host-read, downloads", "16 600")
      await press("button", /^Report/)
      await press("link", "Withdraw it")
      await type("Reason", "Typed for another line")
      await press("button", "Withdraw it")
      await see("1 total is withdrawn.")
    },
  },
]

/** Does each task in a window of this width, and expects no more clicks and pages than are written here. */
export async function doTasks(width: number, menuClicks: number): Promise<void> {
  await using market = await startMarket()
  const { app, sellers } = market
  const session = await sessionFor(app, { organization: { id: sellers.radio } })
  await using tab = await openTab(app, session, { viewport: { width, height: 900 } })
  for (const { say, clicks, pages, run } of TASKS) {
    const hand = await handOn(tab.page, "/app/o/nordlys")
    await run(hand)
    expect([say, hand.clicks() <= clicks + menuClicks, hand.pages() <= pages]).toEqual([say, true, true])
    expect(tab.complaints).toEqual([])
  }
}
