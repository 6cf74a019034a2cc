import { describe, expect, test } from "bun:test"
import { signIn } from "../../harness/browser/browse.ts"
import { givenLine, report as reportItems } from "../../harness/data/given.ts"
import { answer, givenUploadSeller, report, startUploads } from "../../harness/data/uploads.ts"
import { eachEngine } from "../../harness/store.ts"

const DAILY = "Placement,Date,Delivered\nPre-roll,2026-11-01,1940\nPre-roll,2026-11-02,2011\nPre-roll,2026-11-03,1177\n"
const AS_DAILY = { day: "Date", impressions: "Delivered", figures: "daily" }
const AS_TOTALS = { day: "Date", impressions: "Delivered", figures: "totals" }

eachEngine((engine) => {
  test("nothing is stored before Report. Then all of it is, once, however often the button is pressed", async () => {
    await using site = await startUploads(engine)
    await site.line()
    const preview = await answer(await site.upload(DAILY), AS_DAILY)
    expect(preview.text).toContain("Will update 1 line")
    expect(await site.history("Pre-roll")).toEqual([])

    const done = await report(preview)
    expect(done.text).toContain("3 totals reported.")
    expect(await site.history("Pre-roll")).toEqual([1940, 3951, 5128])
    const again = await report(preview)
    expect(again.text).toContain("3 totals reported.")
    await report(await site.upload(DAILY))
    expect(await site.history("Pre-roll")).toEqual([1940, 3951, 5128])
  })

  test("if anything changed since the preview, nothing is stored and the preview is shown again", async () => {
    await using site = await startUploads(engine)
    const packageId = await site.line()
    const preview = await answer(await site.upload(DAILY), AS_DAILY)
    await reportItems(site.app, site.seller, [{ package_id: packageId, impressions: 9_000, as_of: "2026-11-04" }])
    const changed = await report(preview)
    expect([changed.status, changed.text.includes("Something changed after you saw the preview.")]).toEqual([409, true])
    expect(await site.history("Pre-roll")).toEqual([9_000])
  })

  test("a file that is reported after its preview had changed is received when it's reported", async () => {
    await using site = await startUploads(engine)
    const packageId = await site.line()
    const preview = await answer(await site.upload(DAILY), AS_DAILY)
    await reportItems(site.app, site.seller, [{ package_id: packageId, impressions: 1, as_of: "2026-11-01T05:00:00Z" }])
    await report(preview)
    site.app.clock.advance({ hours: 2 })
    const done = await report(await site.browse(preview.path))
    expect(done.text).toContain("reported 15 Nov, 15:00")
    const history = await site.browse(
      `${site.seller.home}/campaigns/${site.seller.home.split("/").at(-1)}-spring/lines/${packageId}`,
    )
    expect(history.text).toContain("15 Nov, 15:00")
  })

  test("a person withdraws a file of theirs, an admin any. The history keeps the totals", async () => {
    await using site = await startUploads(engine)
    await site.line()
    const done = await report(await answer(await site.upload(DAILY), AS_DAILY))
    const member = await signIn(site.app, { organization: site.seller, role: "member" })
    expect((await member(done.path)).text).not.toContain("Withdraw this upload")
    expect((await member(`${done.path}/withdraw`)).status).toBe(404)

    const question = await site.browse(`${done.path}/withdraw`)
    // A repeated total is stored once, so it's withdrawn with the first file that has it.
    expect(question.text).toContain("If a later file repeats some of these totals, report that file again afterwards.")
    expect((await question.send({ reason: "" })).status).toBe(422)
    const withdrawn = await question.send({ reason: "The wrong month" })
    expect(withdrawn.text).toContain("3 totals of 1 line withdrawn.")
    expect(await site.totals()).toEqual({ "Pre-roll": null })
    expect((await site.browse(`${done.path}/withdraw`)).status).toBe(404)

    // The page says what is so now, and the table what was so when the file was reported.
    const { text } = await site.browse(done.path)
    expect(text).toContain("The totals of this file are withdrawn.")
    expect(text).toContain("Before it was withdrawn: 3 totals reported. What had changed")
    expect(text).toContain("Line Rows Before After Change")
  })

  test("another seller's files and lines don't exist", async () => {
    await using site = await startUploads(engine)
    await site.line()
    const other = await givenUploadSeller(site.app)
    const theirs = await givenLine(site.app, other, { name: "Theirs" })
    const open = await site.upload(DAILY.replaceAll("Pre-roll", theirs))
    const stranger = await signIn(site.app, { organization: other })
    const { id } = /upload\/(?<id>\d+)/.exec(open.path)?.groups ?? {}
    for (const path of ["", "/reading", "/discard", "/withdraw"])
      expect((await stranger(`${other.home}/upload/${id}${path}`)).status).toBe(404)
    const answers = { ...AS_DAILY, line: "Placement" }
    const preview = await answer(open, answers)
    expect(preview.text).toContain("Nothing in this file can be reported yet.")
    const names = preview.form(`${preview.path}/names`)
    const saved = await names.send({ "line.0": theirs })
    expect(saved.text).toContain("Nothing in this file can be reported yet.")
  })
})

describe("rows", () => {
  test("are rejected by the API's rules, with row numbers as in the spreadsheet", async () => {
    await using site = await startUploads()
    await site.line()
    await site.line({ name: "Flat", pricingBasis: "flat_rate" })
    await site.line({ name: "Podcast", pricingBasis: "downloads" })
    const rows = [
      "Pre-roll,2026-10-31,5",
      "",
      "Pre-roll,2026-11-02,many",
      "Pre-roll,2026-11-16,7",
      "Flat,2026-11-02,7",
      "Podcast,2026-11-02,7",
      "Elsewhere,2026-11-02,7",
      "Pre-roll,2026-11-03,9",
    ]
    const preview = await answer(await site.upload(`Placement,Date,Delivered\n${rows.join("\n")}`), {
      ...AS_TOTALS,
      line: "Placement",
    })
    const found = preview.text
    expect(found).toContain("Rejected 5 rows")
    expect(found).toContain("Skipped, not yours 1 row")
    expect(found).toContain("Row 2 The flight of Pre-roll starts on 1 Nov 2026.")
    expect(found).toContain("Row 4 many isn’t a number.")
    expect(found).toContain("Row 5 This day is in the future.")
    expect(found).toContain("Row 6 Flat has a flat rate, so it takes no total.")
    expect(found).toContain("Row 7 Podcast is priced on downloads, and this row has none.")
    expect((await report(preview)).text).toContain("1 total reported, 5 rows rejected, 1 row skipped.")
    expect(await site.totals()).toEqual({ "Pre-roll": 9, Flat: null, Podcast: null })
  })

  test("of a flat-rate line without a figure are skipped under foreign headings, because the line may not have run yet", async () => {
    await using site = await startUploads()
    await site.line()
    await site.line({ name: "Flat", pricingBasis: "flat_rate", flightEnd: "2026-11-10" })
    const text = "Placement,Date,Delivered\nFlat,2026-11-14,\nPre-roll,2026-11-14,900\nPre-roll,2026-11-15,\n"
    const preview = await answer(await site.upload(text), { ...AS_TOTALS, line: "Placement" })
    expect((await report(preview)).text).toContain("1 total reported, 2 rows without a figure.")
    expect(await site.totals()).toEqual({ "Pre-roll": 900, Flat: null })
  })

  test("with a figure but no line and no day stop the file, because their line may be in a merged cell above", async () => {
    await using site = await startUploads()
    await site.line({ externalId: "5001" })
    const text = "Ref,Device,Delivered\n5001,Phone,10\n,Desktop,20\n"
    const answers = { day: "none", impressions: "Delivered", figures: "totals" }
    const asked = await answer(await site.upload(text), answers)
    expect(asked.html).toContain('<a href="#withoutName">Row 3 has a figure but no line.')
    const preview = await answer(asked, { withoutName: "stop" })
    expect(preview.text).toContain("Row 3 This row has a figure but no line. Fill in merged cells.")
    expect(preview.text).toContain("Row 2 Row 3 can’t be read, so Pre-roll would be too low.")
    expect(preview.text).toContain("Nothing in this file can be reported yet.")
    const other = await answer(await site.browse(`${preview.path}/reading`), { withoutName: "skip" })
    expect(other.text).toContain("Rows without a line are skipped")
    expect((await report(other)).text).toContain("1 total reported, 1 row skipped.")
  })

  test("that are longer than the headings aren't cut: a comma in a number needs quotation marks", async () => {
    await using site = await startUploads()
    await site.line({ externalId: "5001" })
    const preview = await site.upload("external_id,impressions\n5001,1,234\n")
    expect(preview.text).toContain("Row 2 This row has more cells than the headings.")
    expect(preview.text).toContain("Nothing in this file can be reported yet.")
  })

  test("that a comma in a number makes longer are rejected, also if nobody fills the last column", async () => {
    await using site = await startUploads()
    await site.line()
    const text = "Placement,Delivered,Clicks,Note\nPre-roll,12,450,88\nElsewhere,950,5\nElsewhere,980,7\n"
    const preview = await answer(await site.upload(text), { day: "none", impressions: "Delivered", figures: "totals" })
    expect(preview.text).toContain("Row 2 This row has more cells than the headings.")
    // A note makes a row longer as well.
    const noted = text.replace("12,450,88", "12,450,Check this")
    await report(await answer(await site.upload(noted), { day: "none", impressions: "Delivered", figures: "totals" }))
    expect(await site.totals()).toEqual({ "Pre-roll": 12 })
  })

  test("of one line and time with different totals are rejected, and both are named", async () => {
    await using site = await startUploads()
    await site.line()
    const text = "Placement,Date,Device,Delivered\nPre-roll,2026-11-02,Phone,1000\nPre-roll,2026-11-02,TV,1500\n"
    const open = await site.upload(text)
    const preview = await answer(open, AS_TOTALS)
    expect(preview.text).toContain("Pre-roll has two totals at the same time: 1,000 in row 2 and 1,500 in row 3.")
    expect(preview.text).toContain(
      "If each is about a mailing or an episode of its own, read the file as daily figures.",
    )
    expect((await answer(await site.browse(open.path), AS_DAILY)).text).toContain("2,500")
  })
})

describe("an odd result needs a tick", () => {
  test.each<[string, string, string]>([
    ["a total that goes down", "Pre-roll,2026-11-14,400\n", "The total would go down from 500 to 400."],
    ["a total far above booked", "Pre-roll,2026-11-14,99999\n", "99,999 is far above the 1,000 booked."],
    ["a total that falls within the file", "Pre-roll,2026-11-13,700\nPre-roll,2026-11-14,600\n", "from 700 to 600."],
  ])("%s", async (_, rows, question) => {
    await using site = await startUploads()
    const packageId = await site.line({ booked: "1000" })
    await reportItems(site.app, site.seller, [{ package_id: packageId, impressions: 500, as_of: "2026-11-12" }])
    const preview = await answer(await site.upload(`Placement,Date,Delivered\n${rows}`), AS_TOTALS)
    expect(preview.text).toContain(question)
    expect((await report(preview)).text).toContain("1 line left out")
    expect(await site.totals()).toEqual({ "Pre-roll": 500 })
    const again = await site.upload(`Placement,Date,Delivered\n${rows}`)
    await report(again, [packageId])
    expect(await site.totals()).toEqual({ "Pre-roll": Number(rows.trim().split(",").at(-1)) })
  })

  test("days before the file that nobody knows", async () => {
    await using site = await startUploads()
    const packageId = await site.line()
    const late = DAILY.replaceAll("2026-11-0", "2026-11-1")
    const preview = await answer(await site.upload(late), AS_DAILY)
    expect(preview.text).toContain("what was delivered before the file begins isn’t known")
    expect((await report(preview)).text).toContain("0 totals reported, 1 line left out.")
    const again = await site.upload(late)
    await report(again, [packageId])
    expect(await site.totals()).toEqual({ "Pre-roll": 5128 })
  })

  test("days between the last known total and the file", async () => {
    await using site = await startUploads()
    await site.line()
    await report(await answer(await site.upload(DAILY), AS_DAILY))
    const preview = await site.upload(DAILY.replaceAll("2026-11-0", "2026-11-1"))
    expect(preview.text).toMatch(
      /The last total of Pre-roll before this file is of \d Nov 2026, this file begins on 11 Nov 2026, and what was delivered/,
    )
    expect((await report(preview)).text).toContain("0 totals reported, 1 line left out.")
  })

  test("days that are sent again must include all later known days", async () => {
    await using site = await startUploads()
    const packageId = await site.line()
    await report(await answer(await site.upload(DAILY), AS_DAILY))
    const part = DAILY.replace("2011", "11").split("\n").slice(0, 3).join("\n")
    const wrong = await site.upload(part)
    expect(wrong.text).toContain("Send all days up to 3 Nov 2026 in one file.")
    const whole = await site.upload(DAILY.replace("2011", "11"))
    await report(whole, [packageId])
    expect(await site.history("Pre-roll")).toEqual([1940, 3951, 1951, 5128, 3128])
  })
})

test("at most 20 files are open, and an open file is deleted after 7 days", async () => {
  await using site = await startUploads()
  for (let i = 0; i < 20; i++) await site.upload(DAILY, `${i}.csv`)
  const refused = await site.upload(DAILY)
  expect(refused.text).toContain("There are 20 open files. Report or discard one of them first.")
  site.app.clock.advance({ hours: 7 * 24 + 1 })
  const later = await signIn(site.app, { organization: site.seller })
  const uploads = await later(`${site.seller.home}/upload`)
  expect((await uploads.send({ file: new File([DAILY], "export.csv") })).path).toContain("/reading")
  const files = await later(`${site.seller.home}/upload`)
  expect([...files.html.matchAll(/export\.csv/g)]).toHaveLength(1)
})

test("a key in the name of a file is masked", async () => {
  await using site = await startUploads()
  const key = await site.key()
  const open = await site.upload(DAILY, `${key}.csv`)
  expect([open.html.includes(key), open.text.includes("abi_********")]).toEqual([false, true])
})
