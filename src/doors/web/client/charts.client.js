// The tooltip of a chart, at the pointer or, with the arrow keys, at the day that is chosen. The chart itself is drawn by the server.
const SVG = "http://www.w3.org/2000/svg"

function follow(figure) {
  const plot = figure.querySelector(".plot")
  const tips = JSON.parse(figure.dataset.tips)
  if (tips.length === 0) return
  const line = plot.appendChild(document.createElementNS(SVG, "line"))
  line.setAttribute("class", "pointer")
  line.setAttribute("y2", "100%")
  const box = figure.appendChild(document.createElement("div"))
  box.className = "chart-tip"
  box.setAttribute("aria-live", "polite")
  let shown = -1

  function show(index) {
    const [, , at, title, rows] = tips[index]
    shown = index
    const { left, width } = plot.getBoundingClientRect()
    const x = at * width
    line.setAttribute("x1", `${at * 100}%`)
    line.setAttribute("x2", `${at * 100}%`)
    const heading = document.createElement("strong")
    heading.textContent = title
    const list = document.createElement("dl")
    for (const [label, value] of rows) {
      const row = list.appendChild(document.createElement("div"))
      row.appendChild(document.createElement("dt")).textContent = label
      row.appendChild(document.createElement("dd")).textContent = value
    }
    box.replaceChildren(heading, list)
    figure.classList.add("pointed")
    // On the side that has more room.
    const inFigure = left - figure.getBoundingClientRect().left + x
    box.style.left = `${at < 0.5 ? inFigure + 10 : inFigure - box.offsetWidth - 10}px`
  }

  function hide() {
    shown = -1
    figure.classList.remove("pointed")
  }

  function point(event) {
    const { left, width } = plot.getBoundingClientRect()
    const x = (event.clientX - left) / width
    const index = tips.findIndex(([from, to]) => x >= from && x < to)
    if (index === -1) hide()
    else if (index !== shown) show(index)
  }
  plot.addEventListener("pointermove", point)
  plot.addEventListener("pointerdown", point)
  // A finger leaves as soon as it is lifted: what it pointed at stays until another place is touched.
  plot.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") hide()
  })
  figure.tabIndex = 0
  figure.setAttribute("role", "group")
  figure.setAttribute("aria-label", `${plot.getAttribute("aria-label")}. Arrow keys go from day to day.`)
  figure.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === "Escape") hide()
    if (step === undefined) return
    event.preventDefault()
    show(Math.min(Math.max(shown === -1 && step < 0 ? tips.length - 1 : shown + step, 0), tips.length - 1))
  })
  figure.addEventListener("blur", hide)
}

for (const figure of document.querySelectorAll("[data-tips]")) follow(figure)
