// Shows only the elements that contain every typed word. `data-filter` selects the elements.
for (const input of document.querySelectorAll('[data-filter]')) {
  input.hidden = false
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/)
    for (const one of document.querySelectorAll(input.dataset.filter)) {
      const text = one.textContent.toLowerCase()
      one.hidden = !words.every(word => text.includes(word))
    }
  })
  // Enter would send the form with hidden elements.
  input.addEventListener('keydown', event => {
    if (event.key === 'Enter') event.preventDefault()
  })
}
