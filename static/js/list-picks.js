// Shows the bar with actions while checks are selected, and their number.
const bar = () => document.getElementById('bulk')
const boxes = () => [...document.querySelectorAll('input[name=check]')]
const chooseAll = () => document.querySelector('[data-choose-all]')
let last = null

function show() {
  if (!bar()) return
  const all = boxes()
  const picked = all.filter(box => box.checked)
  // In a list with groups a check may have several rows.
  const some = new Set(picked.map(box => box.value)).size
  const head = chooseAll()
  if (head) {
    head.hidden = false
    head.checked = picked.length === all.length
    head.indeterminate = some > 0 && picked.length < all.length
  }
  const every = bar().querySelector('input[name=all]:checked')
  const count = every ? Number(every.dataset.found) : some
  bar().classList.toggle('idle', count === 0)
  document.getElementById('bulk-count').textContent = `${count} ${count === 1 ? 'check' : 'checks'} selected:`
}

document.addEventListener('click', event => {
  if (event.target.matches('[data-choose-all]')) {
    for (const box of boxes()) box.checked = event.target.checked
    show()
  }
  const box = event.target.closest('input[name=check]')
  if (!box) return
  // With Shift, all checkboxes between two are changed too.
  if (event.shiftKey && last && last !== box) {
    const all = boxes()
    const [from, to] = [all.indexOf(last), all.indexOf(box)].sort((a, b) => a - b)
    for (const between of all.slice(from, to + 1)) between.checked = box.checked
  }
  last = box
  show()
})
document.addEventListener('change', event => {
  for (const box of boxes()) if (box.value === event.target.value) box.checked = event.target.checked
  show()
})
// Without this, Enter presses the first button of the form, which edits the checks.
document.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.isComposing || !event.target.matches('#bulk [name=tags]')) return
  event.preventDefault()
  bar().querySelector('[name=action][value=tag]').click()
})
document.addEventListener('punctual:changed', show)
addEventListener('pageshow', show)
show()
