// Copy buttons and protection against double clicks. Everything works without this file.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy)
    if (!source) return
    await navigator.clipboard.writeText(source.value ?? source.textContent)
    const label = button.textContent
    button.textContent = "Copied"
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
}

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
