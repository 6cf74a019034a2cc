import { describe, expect, test } from "bun:test"
import { answer, report, startUploads } from "../../harness/data/uploads.ts"

describe("our own headings", () => {
  test("are read without a question, as the template has them", async () => {
    await using site = await startUploads()
    await site.line({ name: "Pre-roll" })
    await site.line({ name: "Podcast", pricingBasis: "downloads" })
    await site.line({ name: "Flat", pricingBasis: "flat_rate" })
    const template = (await site.browse(`${site.seller.home}/upload/template/delivery`)).html
    const rows = template.trim().split("\r\n")
    expect(
      rows.map((row) =>
        row
          .replace(/^\ufeff/, "")
          .split(",")
          .slice(1)
          .join(),
      ),
    ).toEqual(["line_name,impressions,downloads", "Podcast,,", "Pre-roll,,"])
    const filled = template.replace("Podcast,,", "Podcast,,12.5").replace("Pre-roll,,", "Pre-roll,1000,")
    const preview = await site.upload(filled, "template.csv")
    expect(preview.path).toMatch(/\/upload\/\d+$/)
    expect((await report(preview)).text).toContain("2 totals reported.")
    expect(await site.totals()).toEqual({ "Pre-roll": 1000, Podcast: 12.5, Flat: null })
  })

  test("of affiliate codes and figures work the same way, and values add up exactly", async () => {
    await using site = await startUploads()
    const packageId = await site.line()
    const codes = await report(await site.upload(`packageId,code,slug\n${packageId},AUTUMN10,autumn\n`))
    expect(codes.text).toContain("1 code reported.")
    const figures = [
      "AUTUMN10,2026-11-02,Blog,10,1,0.10",
      "AUTUMN10,2026-11-02,Shop,20,2,0.20",
      "AUTUMN10,2026-11-03,Shop,5,1,8999999.999999",
      "OTHER,2026-11-03,Shop,5,1,1",
    ]
    const preview = await site.upload(`code,date,publisher,clicks,conversions,conversionValue\n${figures.join("\n")}\n`)
    expect(preview.text).toContain("2 days: 35 clicks, 4 conversions, value 9000000.299999")
    expect(preview.text).toContain("Skipped, not yours 1 row")
    expect((await report(preview)).text).toContain("2 days reported, 1 row skipped.")
    const lower = await site.upload("code,date,clicks\nAUTUMN10,2026-11-02,7\n")
    expect(lower.text).toContain("30 clicks are known for 2 Nov 2026, and the file has 7.")
  })

  test("of a row without a code stop only the day that it could belong to", async () => {
    await using site = await startUploads()
    const packageId = await site.line()
    await report(await site.upload(`packageId,code\n${packageId},A\n${packageId},B\n`))
    const rows = [
      "A,2026-11-02,10",
      ",2026-11-02,5",
      "B,2026-11-02,7",
      "B,2026-11-03,8",
      "B,2026-11-04,many",
      "A,2026-11-04,1",
    ]
    const preview = await site.upload(`code,date,clicks\n${rows.join("\n")}\n`)
    expect(preview.text).toContain("Row 3 This row has a figure but no code. Fill in merged cells.")
    expect(preview.text).toContain("Row 2 Row 3 can’t be read, so A would be too low on 2 Nov 2026.")
    expect((await report(preview)).text).toContain("2 days reported, 4 rows rejected.")
    const whole = await site.upload("code,date,clicks\nA,2026-11-05,10\n,,5\nB,2026-11-06,7\n")
    expect(whole.text).toContain("Nothing in this file can be reported yet.")
  })

  test("of unknown codes are skipped by name, with a way to add them", async () => {
    await using site = await startUploads()
    const preview = await site.upload("code,date,clicks\nBREAD5,2026-11-05,10\n")
    expect(preview.text).toContain("BREAD5 1 If these codes are yours, add them and then come back here.")
    expect(preview.text).toContain("Nothing in this file can be reported yet. Change how it’s read, or add its codes.")
    expect(preview.html).toMatch(/href="[^"]+\/affiliates">add them/)
  })

  test("of codes under foreign headings need ten clicks", async () => {
    await using site = await startUploads()
    const packageId = await site.line()
    await report(await site.upload(`packageId,code\n${packageId},77001\n`))
    const open = await site.upload('Voucher,Day,Visits,Sales,Revenue\n77001,02.11.2026,12,3,"59,70"\n')
    const metrics = await site.browse(`${open.path}?kind=affiliate_metrics`)
    const answers = { code: "Voucher", day: "Day", clicks: "Visits", conversions: "Sales", conversionValue: "Revenue" }
    const preview = await answer(metrics, answers)
    expect(preview.text).toContain("1 day: 12 clicks, 3 conversions, value 59.7")
    // The file, Upload, the kind, five columns, Show the preview, Report.
    expect(3 + Object.keys(answers).length + 2).toBe(10)
    expect((await report(preview)).text).toContain("1 day reported.")
  })
})
