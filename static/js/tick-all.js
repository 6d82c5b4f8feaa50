// Selects or deselects all checkboxes of one name in a form, or those that a filter shows.
for (const button of document.querySelectorAll('[data-tick-all], [data-tick-none]')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const { tickAll, tickNone } = button.dataset
    for (const box of button.form.querySelectorAll(`input[name="${tickAll ?? tickNone}"]`)) {
      if (!box.closest('.tick').hidden) box.checked = tickAll !== undefined
    }
  })
}
