// Small comforts. Everything works without this file.

// Copy buttons. Browsers have a clipboard only over https and on this machine: elsewhere the text is selected and copied the old way.
async function copied(text, source) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (source.select) source.select()
    else getSelection().selectAllChildren(source)
    return document.execCommand("copy")
  }
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy)
    const label = button.querySelector("span")
    if (!source || !label) return
    const text = source.value ?? source.textContent
    label.textContent = (await copied(text, source)) ? "Copied" : "Press Ctrl+C"
    setTimeout(() => {
      label.textContent = "Copy"
    }, 2000)
  })
}

// The whole of the first wrong field: browsers are content when some of it can be seen.
document.querySelector("[autofocus][aria-invalid]")?.scrollIntoView({ block: "nearest" })

// A double click must not report twice.
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault()
    form.dataset.sent = "yes"
    setTimeout(() => {
      delete form.dataset.sent
    }, 3000)
  })
}

// A choice that only picks what is shown goes there at once.
for (const select of document.querySelectorAll("select[data-go]")) {
  select.addEventListener("change", () => select.form?.requestSubmit())
}

// What the server says about what is typed so far, in its own words. Nothing is saved.
for (const form of document.querySelectorAll("form[data-look]")) {
  let waiting
  let asked = 0
  const look = async () => {
    asked += 1
    const number = asked
    const typed = new URLSearchParams(new FormData(form))
    typed.set("look", "yes")
    const answer = await fetch(form.action, { method: "POST", body: typed }).catch(() => null)
    const html = answer?.ok ? await answer.text() : ""
    if (number !== asked) return
    const page = new DOMParser().parseFromString(html, "text/html")
    for (const part of form.querySelectorAll("[data-live]")) {
      const now = page.getElementById(part.id)
      if (now && !part.contains(document.activeElement)) part.replaceChildren(...now.childNodes)
    }
  }
  form.addEventListener("input", () => {
    clearTimeout(waiting)
    waiting = setTimeout(look, 300)
  })
}

// A price for a thousand is not one for the whole flight: each basis keeps its own.
for (const rate of document.querySelectorAll("[data-look] [name=rate]")) {
  const kindOf = () => (rate.form.elements.pricing_basis?.value === "flat_rate" ? "flat" : "each")
  const rates = {}
  let kind = kindOf()
  rate.form.addEventListener("change", () => {
    if (kind === kindOf()) return
    rates[kind] = rate.value
    kind = kindOf()
    rate.value = rates[kind] ?? ""
  })
}

// The theme is remembered as soon as it is chosen.
for (const form of document.querySelectorAll("[data-theme-form]")) {
  form.addEventListener("change", () => {
    fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) })
  })
}

// "/" goes to the search of the page.
const search = document.querySelector("[data-search]")
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]")
  if (event.key !== "/" || search === null || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  search.focus()
  search.select()
})

// The short name of something follows its name until somebody types another.
for (const input of document.querySelectorAll("[data-slug-of]")) {
  const name = document.getElementById(input.dataset.slugOf)
  let isOwn = input.value !== ""
  input.addEventListener("input", () => {
    isOwn = input.value !== ""
  })
  name?.addEventListener("input", () => {
    const plain = name.value
      .replaceAll("\u00df", "ss")
      .normalize("NFKD")
      .replace(/[\u0300-\u036f]/g, "")
    const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? []
    if (!isOwn) input.value = words.join("-").slice(0, 64)
  })
}

// The time zone of whoever sets up a booth is a better guess than none.
for (const input of document.querySelectorAll("[data-zone]")) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  if (input.value === input.defaultValue && input.value === "UTC" && timeZone) input.value = timeZone
}

// Ctrl-K, or Cmd-K, goes to the search of everything: on a phone in the menu.
const searchAll = document.querySelector("[data-search-all]")
document.addEventListener("keydown", (event) => {
  if (event.key !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !searchAll) return
  event.preventDefault()
  if (!searchAll.checkVisibility()) document.getElementById("menu")?.showPopover()
  searchAll.focus()
  searchAll.select()
})

// Results while somebody types there, from the page of the search. Arrows go through them.
const found = document.getElementById("found")
if (searchAll && found) {
  let waiting
  let asked = 0
  const look = async () => {
    asked += 1
    const number = asked
    const text = searchAll.value.trim()
    const address = `${searchAll.form.action}?q=${encodeURIComponent(text)}`
    const answer = text === "" ? null : await fetch(address).catch(() => null)
    const html = answer?.ok ? await answer.text() : ""
    if (number !== asked) return
    const page = new DOMParser().parseFromString(html, "text/html")
    const hits = [...page.querySelectorAll("#hits > *")]
    found.replaceChildren(...hits)
    if (hits.length === 0) return found.hidePopover()
    const { left, bottom } = searchAll.form.getBoundingClientRect()
    found.style.left = `${left}px`
    found.style.top = `${bottom + 4}px`
    found.showPopover()
  }
  searchAll.addEventListener("input", () => {
    clearTimeout(waiting)
    waiting = setTimeout(look, 150)
  })
  for (const part of [searchAll, found]) {
    part.addEventListener("keydown", (event) => {
      if (event.key === "Escape") found.hidePopover()
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const stops = [searchAll, ...found.querySelectorAll("a")]
      if (!step || !found.matches(":popover-open")) return
      event.preventDefault()
      const at = stops.indexOf(document.activeElement) + step
      stops[(at + stops.length) % stops.length].focus()
    })
    part.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget !== searchAll && !found.contains(relatedTarget)) found.hidePopover()
    })
  }
}

// Keys that go somewhere, one after the other: those of the list that "?" shows.
const shortcuts = document.getElementById("shortcuts")
let before = ""
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]")
  if (!shortcuts || isTyping || event.ctrlKey || event.metaKey || event.altKey || event.key.length > 1) return
  const keys = [`${before} ${event.key}`, event.key]
  before = event.key
  if (event.key === "?") return shortcuts.showModal()
  const link = [...shortcuts.querySelectorAll("[data-keys]")].find(({ dataset }) => keys.includes(dataset.keys))
  if (!link || event.repeat) return
  event.preventDefault()
  link.click()
})

// A search beside a form takes along what was typed in it.
for (const finder of document.querySelectorAll("form[data-takes-along]")) {
  finder.addEventListener("submit", (event) => {
    const form = document.querySelector("form[data-look]")
    if (!form) return
    event.preventDefault()
    const go = form.appendChild(document.createElement("button"))
    go.hidden = true
    go.name = "go"
    go.value = "yes"
    go.formAction = `${finder.action}?${new URLSearchParams(new FormData(finder))}`
    form.requestSubmit(go)
  })
}

// A search field that shortens the list below it.
for (const input of document.querySelectorAll("[data-filter]")) {
  const items = document.getElementById(input.dataset.filter)?.children ?? []
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/)
    for (const item of items) {
      const text = item.textContent.toLowerCase()
      item.hidden = !words.every((word) => text.includes(word))
    }
  })
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault()
  })
}

// How many of a list are chosen.
for (const note of document.querySelectorAll("[data-count]")) {
  const list = document.getElementById(note.dataset.count)
  list?.addEventListener("change", () => {
    note.textContent = `${list.querySelectorAll(":checked").length} chosen`
  })
}

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print())

// A link to a page with a question opens the same question as a dialog.
for (const link of document.querySelectorAll("[data-dialog]")) {
  const dialog = document.getElementById(link.dataset.dialog)
  if (!(dialog instanceof HTMLDialogElement)) continue
  link.addEventListener("click", (event) => {
    event.preventDefault()
    dialog.showModal()
  })
}

// A country becomes a chip as soon as its name is complete; with Enter also what only begins one, and several with commas.
for (const picker of document.querySelectorAll("[data-countries]")) {
  const input = picker.querySelector("input[list]")
  const chips = picker.querySelector(".chips")
  const names = () => [...(input.list?.options ?? [])].map(({ value }) => value)
  const add = (name) => {
    if ([...chips.querySelectorAll("input")].some(({ value }) => value === name)) return
    const chip = document.createElement("li")
    const label = chip.appendChild(document.createElement("label"))
    label.className = "chip"
    const box = label.appendChild(document.createElement("input"))
    box.className = "vh"
    box.type = "checkbox"
    box.name = picker.dataset.countries
    box.value = name
    box.checked = true
    label.append(name, " ✕")
    chips.append(chip)
  }
  input.addEventListener("input", () => {
    if (!names().includes(input.value)) return
    add(input.value)
    input.value = ""
  })
  input.addEventListener("keydown", (event) => {
    const parts = input.value.split(",")
    if (event.key !== "Enter") return
    const unknown = parts.filter((typed) => {
      const text = typed.trim().toLowerCase()
      const all = names()
      // Two letters may be a code, which the server knows.
      const fitting = text.length < 3 ? [] : all.filter((name) => name.toLowerCase().startsWith(text))
      const name = all.find((each) => each.toLowerCase() === text) ?? (fitting.length === 1 ? fitting[0] : undefined)
      if (name) add(name)
      return !name
    })
    if (unknown.length === parts.length) return
    event.preventDefault()
    input.value = unknown.join(",").trim()
  })
  // An unticked country goes.
  chips.addEventListener("change", (event) => event.target.closest("li").remove())
}

// A file is sent with a progress bar, and if the connection breaks, the page says so.
{
  const status = document.createElement("p")
  status.setAttribute("role", "status")
  const bar = document.createElement("progress")
  bar.setAttribute("aria-label", "Uploading")
  const say = (text) => {
    status.textContent = text
    bar.remove()
  }
  // On the document, because a form that comes back with errors is another one.
  document.addEventListener("submit", (event) => {
    const form = event.target
    const card = form.closest("[data-upload]")
    if (event.defaultPrevented || card === null) return
    const file = form.querySelector("input[type=file]").files[0]
    if (!file) return
    event.preventDefault()
    form.append(status)
    if (file.size > Number(card.dataset.upload)) {
      say("This file is too large. Split it and upload the parts one by one.")
      return
    }
    const request = new XMLHttpRequest()
    status.textContent = "Uploading…"
    form.append(bar)
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      bar.max = total
      bar.value = loaded
      status.textContent = `${Math.floor((100 * loaded) / total)}% uploaded`
    })
    request.addEventListener("load", () => {
      const isMoved = new URL(request.responseURL).pathname !== new URL(form.action).pathname
      if (isMoved) location.assign(request.responseURL)
      else {
        const page = new DOMParser().parseFromString(request.responseText, "text/html")
        document.title = page.title
        const main = document.querySelector("main")
        main.replaceChildren(...page.querySelector("main").childNodes)
        main.querySelector("[aria-invalid=true]")?.focus()
      }
    })
    const broken = () => say("The connection broke. Nothing was kept. Check it, then upload the file again.")
    request.addEventListener("error", broken)
    request.addEventListener("abort", broken)
    request.open("POST", form.action)
    request.send(new FormData(form))
  })
}

// Other work under way: the page is loaded again when that is over, but never while somebody is typing in it.
if (document.querySelector("[data-busy]")) {
  let isTouched = false
  document.addEventListener("input", () => {
    isTouched = true
  })
  const look = async () => {
    const answer = await fetch(location.href).catch(() => null)
    if (isTouched) return
    if (answer?.ok && !(await answer.text()).includes(" data-busy")) return location.reload()
    setTimeout(look, 2000)
  }
  setTimeout(look, 2000)
}
