// Filters the integrations that can be added by the typed text.
for (const gallery of document.querySelectorAll('[data-gallery]')) {
  const field = gallery.querySelector('input[type=search]')
  const more = gallery.querySelector('details')
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/)
    let shown = 0
    for (const group of gallery.querySelectorAll('[data-kinds]')) {
      let any = false
      for (const item of group.querySelectorAll('[data-kind]')) {
        item.hidden = !words.every(word => item.dataset.kind.includes(word))
        any ||= !item.hidden
        shown += item.hidden ? 0 : 1
      }
      group.hidden = !any
      // A match must not be folded away.
      if (more?.contains(group)) {
        more.hidden = !any
        more.open = any && field.value.trim() !== ''
      }
    }
    gallery.querySelector('.no-kind').hidden = shown > 0
  })
  // Enter opens the only match.
  field.form.addEventListener('submit', event => {
    const left = [...gallery.querySelectorAll('[data-kind]:not([hidden]) a')]
    if (left.length !== 1) return
    event.preventDefault()
    left[0].click()
  })
}
