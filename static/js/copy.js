// Copy buttons, which are visible only if they work.
const DONE_MS = 1_500

if (navigator.clipboard) {
  const show = root => {
    for (const button of root.querySelectorAll('[data-copy][hidden]')) button.hidden = false
  }
  show(document)
  document.addEventListener('punctual:changed', event => show(event.target))

  document.addEventListener('click', async event => {
    const button = event.target.closest?.('[data-copy]')
    if (!button) return
    const label = button.dataset.label ?? button.textContent
    button.dataset.label = label
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Not allowed'
    }
    setTimeout(() => {
      button.textContent = label
    }, DONE_MS)
  })
}
