// Draws the charts. Their data is in the page, so nothing is fetched.
/* global uPlot */
const probe = document.body.appendChild(document.createElement("span"))
probe.hidden = true

// The stylesheet has a light and a dark value for each colour; only the browser knows which one is used.
function colour(name) {
  probe.style.color = `var(${name})`
  return getComputedStyle(probe).color
}

function seriesOf({ label, tone, dashed }) {
  return {
    label,
    stroke: () => colour(`--chart-${tone}`),
    width: 2,
    dash: dashed ? [6, 4] : undefined,
    spanGaps: true,
    points: { show: !dashed, size: 5 },
  }
}

function axis(extra) {
  return {
    stroke: () => colour("--ink-soft"),
    grid: { stroke: () => colour("--rule"), width: 1 },
    ticks: { stroke: () => colour("--rule"), width: 1 },
    font: "12px system-ui, sans-serif",
    ...extra,
  }
}

const DAY_SECONDS = 86400

// Days as people write them; hours too while the chart shows only a few days. A total grows during a day: the midnight that ends
// it has its label, below its closing total. At the start of the chart no day has ended yet.
function timesIn(zone, daily, first) {
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: zone })
  const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone })
  const ofDays = (at) => (at % DAY_SECONDS === 0 ? day.format(at * 1000) : "")
  const ofTotals = (at) => (at <= first ? "" : day.format(at * 1000 - 1))
  return (_, splits) => {
    const isShort = splits.length > 1 && splits[1] - splits[0] < DAY_SECONDS
    if (daily) return splits.map(ofDays)
    return splits.map((at) => (isShort ? hour.format(at * 1000) : ofTotals(at)))
  }
}

// In the time zone of the chart, not of the browser: a day's closing total is measured in its last minute.
function momentIn(zone, daily) {
  const time = daily ? {} : { timeStyle: "short" }
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", ...time, timeZone: zone })
  return (_, seconds) => (seconds == null ? "--" : format.format(seconds * 1000))
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })

function draw(figure) {
  const { zone, daily, series, data } = JSON.parse(figure.dataset.chart)
  const place = figure.querySelector(".chart-place")
  place.replaceChildren()
  const height = 260
  const chart = new uPlot(
    {
      width: place.clientWidth,
      height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
      series: [{ label: daily ? "Day" : "Measured", value: momentIn(zone, daily) }, ...series.map(seriesOf)],
      axes: [
        axis({ values: timesIn(zone, daily, data[0][0]) }),
        axis({ size: 60, values: (_, values) => values.map((value) => compact.format(value)) }),
      ],
      scales: {
        // A single point gets a day on either side.
        x: { range: (_, min, max) => (min === max ? [min - DAY_SECONDS, max + DAY_SECONDS] : [min, max]) },
        y: { range: (_, _min, max) => [0, Math.max(max * 1.05, 1)] },
      },
      cursor: { points: { size: 8 } },
    },
    data,
    place,
  )
  new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height })).observe(place)
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chart.redraw())
}

for (const figure of document.querySelectorAll("[data-chart]")) draw(figure)
