import { expect } from "bun:test"
import type { Hand } from "./hand.ts"

/** "new" has just installed it, and opens the set-up link. */
export type Who = "ada" | "mo" | "olga" | "flora" | "new"

/** Something that a person wants, said as they would say it. */
export interface Task {
  readonly say: string
  readonly who: Who
  readonly run: (hand: Hand) => Promise<void>
}

const SEA_STORIES = "Sea Stories, mid-roll"

const task = (who: Who, say: string, run: Task["run"]): Task => ({ who, say, run })

/** In order: some take up what an earlier one left. */
export const tasks: readonly Task[] = [
  task("new", "Set everything up, up to the first report that a buyer can open.", async (hand) => {
    await hand.type("Your name", "Nora")
    await hand.type("Email", "nora@example.com")
    await hand.type("Password", "correct horse battery")
    await hand.button("Create account")
    await hand.type("What name do you sell under?", "Harbour Talk")
    await hand.button("Continue")
    await hand.type("Name of the campaign", "Winter lights")
    await hand.type("Buyer", "Lampenladen")
    await hand.type("Name of the line", "Evening Talk, pre-roll")
    await hand.button("Save and continue")
    await hand.link(/Share/)
    await hand.type("Shared with", "Lampenladen")
    await hand.button("Create link")
    await hand.see(/\/app\/share\/[\w-]+$/)
  }),
  task("ada", "Which campaigns need my attention today?", async (hand) => {
    await hand.see(/behind plan/)
    await hand.see(/has been silent for/)
  }),
  task("ada", "Why was something that our ad server sent rejected?", async (hand) => {
    await hand.link("Feed activity")
    await hand.see(/flat-rate/)
  }),
  task("ada", "Will City Walks deliver in full?", async (hand) => {
    await hand.link("City Walks, pre-roll")
    await hand.see(/351,072|ends at/)
  }),
  task("mo", "Report tonight's total for Sea Stories.", async (hand) => {
    await hand.link(SEA_STORIES)
    await hand.type("New total of Sea Stories, mid-roll, downloads", "112 500")
    await hand.button(/^Report/)
    await hand.see("1 total reported")
  }),
  task("ada", "A colleague entered the wrong total for Sea Stories. Undo it.", async (hand) => {
    await hand.link(SEA_STORIES)
    await hand.link("Withdraw the report of 112,500")
    await hand.type("Reason", "Typed for another line")
    await hand.button("Withdraw")
    await hand.see("withdrawn")
  }),
  task("ada", "The ad server overcounted: the correct total for City Walks is lower.", async (hand) => {
    await hand.link("City Walks, pre-roll")
    await hand.type("New total of City Walks, pre-roll, impressions", "200000")
    await hand.button(/^Report/)
    await hand.see(/would go down/)
    await hand.check("200,000 is right, report it anyway")
    await hand.button(/^Report/)
    await hand.see("1 total reported")
  }),
  task("mo", "The sponsorship ran. Mark it as delivered.", async (hand) => {
    await hand.link("Small Business Hour, sponsor")
    await hand.check("Mark as delivered: Small Business Hour, sponsor")
    await hand.button("Mark as delivered")
    await hand.see(/It counts as delivered until withdrawn/)
    await hand.check("It is delivered, report it anyway")
    await hand.button("Mark as delivered")
    await hand.see("1 line marked as delivered")
  }),
  task("ada", "Upload last night's figures from a template.", async (hand) => {
    await hand.link("Upload")
    const template = await hand.download("Delivery totals")
    const [head = "", ...rows] = template.trim().split(/\r?\n/)
    expect(head).toContain("package_id")
    const row = rows.find((each) => each.includes("Kitchen Table")) ?? ""
    await hand.file(/^File$/, "totals.csv", `${head}\n${filledIn(head, row, "19500")}\n`)
    await hand.button("Upload")
    await hand.see("Kitchen Table, pre-roll")
    await hand.button(/^Report/)
    await hand.see(/1 row reported. Value delivered rose by €/)
  }),
  task("ada", "That file was the wrong one. Undo the upload.", async (hand) => {
    await hand.link("Upload")
    await hand.link("totals.csv")
    await hand.link("Withdraw this upload")
    await hand.type("Reason", "The file of another week")
    await hand.button("Withdraw this upload")
    await hand.see("This upload was withdrawn")
  }),
  task("mo", "Report all totals of the day.", async (hand) => {
    await hand.link("Delivery")
    await hand.type("New total of Sea Stories, mid-roll, downloads", "113000")
    await hand.type("New total of Kitchen Table, pre-roll, impressions", "19600")
    await hand.button(/^Report/)
    await hand.see(/totals reported/)
  }),
  task("ada", "Find a line by its name.", async (hand) => {
    await hand.search("kitchen table")
    await hand.link(/^Kitchen Table, pre-roll/)
    await hand.see("Kitchen Table, pre-roll")
  }),
  task("ada", "Our new ad server needs a key.", async (hand) => {
    await hand.link("API keys")
    await hand.type("Which system is it for?", "New ad server")
    await hand.button("Create key")
    await hand.see(/^abi_\w{38}$/)
  }),
  task("ada", "That key leaked. Revoke it.", async (hand) => {
    await hand.link("API keys")
    await hand.link("Revoke: New ad server")
    await hand.button("Revoke")
    await hand.see("has been revoked and no longer works")
  }),
  task("ada", "Give a colleague access.", async (hand) => {
    await hand.link("People")
    await hand.type("Name", "Nina Petersen")
    await hand.type("Email", "nina@lighthouse.example")
    await hand.button("Invite")
    await hand.see(/Nina Petersen/)
  }),
  task("ada", "Make Mo an admin.", async (hand) => {
    await hand.link("People")
    await hand.link("Manage: Mo Ferreira")
    await hand.choose("Role", "Admin")
    await hand.button("Save role")
    await hand.see("Mo Ferreira is now an admin.")
  }),
  task("ada", "A new buyer has booked. Set up the campaign.", async (hand) => {
    await hand.link("Campaigns")
    await hand.link("New campaign")
    await hand.type("Name of the campaign", "Winter lights")
    await hand.type("Buyer", "Lampenladen")
    await hand.type("Name of the line", "Evening Talk, pre-roll")
    await hand.type(/^Booked/, "120,000")
    await hand.type(/^Rate/, "14.50")
    await hand.button("Save")
    await hand.see("Evening Talk, pre-roll")
  }),
  task("ada", "They want a second line. Add it.", async (hand) => {
    await hand.link("Campaigns")
    await hand.link("Winter lights")
    await hand.link("Add a line")
    await hand.type("Name of the line", "Evening Talk, mid-roll")
    await hand.type(/^Booked/, "60000")
    await hand.button("Save")
    await hand.see("Evening Talk, mid-roll")
  }),
  task("ada", "They booked more impressions on it.", async (hand) => {
    await hand.link("Campaigns")
    await hand.link("Winter lights")
    await hand.link("Evening Talk, pre-roll")
    await hand.link("Edit")
    await hand.type(/^Booked/, "150000")
    await hand.button("Save")
    await hand.see(/150,000/)
  }),
  task("ada", "Rename the campaign.", async (hand) => {
    await hand.link("Campaigns")
    await hand.link("Winter lights")
    await hand.link("Edit")
    await hand.type("Name of the campaign", "Winter lights 2027")
    await hand.button("Save")
    await hand.see("Winter lights 2027")
  }),
  task("ada", "They cancelled. Delete the campaign.", async (hand) => {
    await hand.link("Campaigns")
    await hand.link("Winter lights 2027")
    await hand.link("Edit")
    await hand.link("Delete campaign")
    await hand.button(/^Delete/)
    await hand.see(/deleted/)
  }),
  task("ada", "Archive last summer's campaign.", async (hand) => {
    await hand.link("Campaigns")
    await hand.link("Morning roast")
    await hand.link("Edit")
    await hand.button("Archive campaign")
    await hand.see("The campaign is archived.")
  }),
  task("ada", "Send the buyer a report that stays up to date.", async (hand) => {
    await hand.link("Campaigns")
    await hand.link("Autumn escapes")
    await hand.link("Share")
    await hand.type("Shared with", "Flora's boss")
    await hand.button("Create link")
    await hand.see(/\/share/)
  }),
  task("ada", "Stop sharing that report.", async (hand) => {
    await hand.link("Campaigns")
    await hand.link("Autumn escapes")
    await hand.link("Share")
    await hand.link(/^Revoke/)
    await hand.button(/^Revoke/)
    await hand.see("Revoked")
  }),
  task("ada", "Which affiliate code performs best?", async (hand) => {
    await hand.link("Affiliates")
    await hand.see("SEA10")
  }),
  task("ada", "A host wants her own affiliate code.", async (hand) => {
    await hand.link("Affiliates")
    await hand.link("New code")
    await hand.choose("Line", "Sea Stories, mid-roll (Autumn escapes)")
    await hand.type("Code", "MARINA10")
    await hand.button("Save code")
    await hand.see("MARINA10")
  }),
  task("mo", "I lost my laptop. Sign it out.", async (hand) => {
    await hand.button(/Account and theme/)
    await hand.link(/account/i)
    await hand.link("Show sessions")
    await hand.button(/^End the session/)
    await hand.see(/ended/)
  }),
  task("flora", "How is my campaign doing?", async (hand) => {
    await hand.link("Autumn escapes")
    await hand.see("City Walks, pre-roll")
  }),
  task("olga", "What do buyers ask for that we don't sell?", async (hand) => {
    await hand.link("Agent sales")
    await hand.see(/morning radio spots in Poland/)
  }),
  task("olga", "Sell City Walks to Kite Media, in Austria only.", async (hand) => {
    await hand.link("Agent sales")
    await hand.link("Products")
    await hand.link("Fernweh buying agent: who sees City Walks, pre-roll")
    await hand.link("Show to this buyer: Kite Media, test")
    await hand.type("In which countries?", "Austria")
    await hand.button("Show to this buyer")
    await hand.see("Kite Media, test now sees City Walks, pre-roll.")
  }),
  task("olga", "Why can't Kite Media see the billboard?", async (hand) => {
    await hand.link("Agent sales")
    await hand.link("Buyers’ keys")
    await hand.link("What it sees: Kite Media, test")
    await hand.see("Hidden from this buyer.")
  }),
  task("olga", "Why did a buyer's brief find nothing?", async (hand) => {
    await hand.link("Agent sales")
    await hand.link(/morning radio spots in Poland”/)
    await hand.see("What was understood")
    await hand.see(/You have no product for radio/)
  }),
  task("olga", "Raise the price of City Walks.", async (hand) => {
    await hand.link("Agent sales")
    await hand.link("Products")
    await hand.link("City Walks, pre-roll")
    await hand.type("Price", "16.50")
    await hand.button("Save product")
    await hand.see(/saved/i)
  }),
  task("ada", "Type yesterday's clicks of a code.", async (hand) => {
    await hand.link("Affiliates")
    await hand.link("SEA10")
    await hand.type("Clicks (optional)", "37")
    await hand.button("Save figures")
    await hand.see(/have been saved/)
  }),
  task("ada", "The campaign is over. Draft its statement.", async (hand) => {
    await hand.link("Campaigns")
    await hand.link("Boots for life")
    await hand.link("Settle")
    await hand.button("Save draft")
    await hand.see(/Draft/)
  }),
  task("ada", "An agent's buyer has ordered. Accept it.", async (hand) => {
    await hand.link(/^Orders/)
    await hand.link("City Walks, pre-roll")
    await hand.link("Accept")
    await hand.button(/^Accept/)
    await hand.see(/Open line/)
  }),
  task("olga", "What is missing so that agents find us?", async (hand) => {
    await hand.link("Agent sales")
    await hand.link("Get listed")
    await hand.see(/A public address/)
  }),
  task("olga", "Make a backup and download a copy.", async (hand) => {
    await hand.link(/^System/)
    await hand.button("Back up now")
    await hand.see(/\.db|adbooth-/)
  }),
  task("olga", "What changed this week, and who changed it?", async (hand) => {
    await hand.link("Changes")
    await hand.see(/Winter lights|campaign/)
  }),
]

function filledIn(head: string, row: string, total: string): string {
  const names = head.split(",")
  const cells = row.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, "")) ?? []
  return names.map((name, place) => (name === "impressions" ? total : (cells[place] ?? ""))).join(",")
}
