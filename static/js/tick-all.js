// Ticks or unticks all boxes of one name in a form.
for (const button of document.querySelectorAll('[data-tick-all], [data-tick-none]')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const { tickAll, tickNone } = button.dataset
    for (const box of button.form.querySelectorAll(`input[name="${tickAll ?? tickNone}"]`)) {
      box.checked = tickAll !== undefined
    }
  })
}
