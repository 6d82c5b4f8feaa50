// Shows the meaning of a schedule and of the rules of runs while they are typed, and errors at their fields.
const form = document.getElementById('check-form')
const pane = document.querySelector('[data-preview]')
const words = document.getElementById('alert-words')
const inputs = [...form.querySelectorAll('#schedule, #runs')].flatMap(part => [
  ...part.querySelectorAll('input, textarea'),
])
const NAMES = new Set(inputs.map(input => input.name))
// Only text fields can have errors.
const FIELDS = inputs
  .filter(input => input.type !== 'radio' && input.type !== 'checkbox')
  .map(({ name }) => name)
const PAUSE_MS = 250
// An error is not shown at the field while the user is typing in it.
const TYPING_MS = 700
let timer
let late
let asked = 0
let errors = {}

async function show() {
  const query = new URLSearchParams([...new FormData(form)].filter(([name]) => NAMES.has(name)))
  const number = ++asked
  const response = await fetch(`${pane.dataset.preview}&${query}`).catch(() => null)
  if (!response?.ok || response.redirected || number !== asked) return
  pane.innerHTML = await response.text()
  const said = pane.querySelector('[data-alert-words]')?.dataset.alertWords
  if (said && said !== words.textContent) words.textContent = said
  errors = JSON.parse(pane.querySelector('[data-errors]')?.dataset.errors ?? '{}')
  for (const name of FIELDS) if (!errors[name]) mark(name, '')
  late = setTimeout(markAll, TYPING_MS)
}

function markAll() {
  clearTimeout(late)
  // An empty field that was not filled in yet is not an error.
  for (const name of FIELDS)
    if (errors[name] && form.elements[name].value.trim() !== '') mark(name, errors[name])
}

function mark(name, message) {
  const field = form.elements[name]
  const id = `${field.id}-error`
  const described = new Set((field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean))
  let note = document.getElementById(id)
  if (message === '') {
    note?.remove()
    described.delete(id)
    field.removeAttribute('aria-invalid')
  } else {
    if (!note) {
      note = document.createElement('p')
      note.className = 'error'
      note.id = id
      note.setAttribute('aria-live', 'polite')
      field.after(note)
    }
    if (note.textContent !== message) note.textContent = message
    described.add(id)
    field.setAttribute('aria-invalid', 'true')
  }
  field.closest('.field').classList.toggle('has-error', message !== '')
  if (described.size > 0) field.setAttribute('aria-describedby', [...described].join(' '))
  else field.removeAttribute('aria-describedby')
}

form.addEventListener('input', event => {
  if (!NAMES.has(event.target.name)) return
  clearTimeout(timer)
  clearTimeout(late)
  timer = setTimeout(show, PAUSE_MS)
})
form.addEventListener('focusout', markAll)

// A preset fills the field at once instead of sending the form.
form.addEventListener('click', event => {
  const preset = event.target.closest('button[name=preset]')
  if (!preset) return
  event.preventDefault()
  const space = preset.value.indexOf(' ')
  const field = form.elements[preset.value.slice(0, space)]
  field.value = preset.value.slice(space + 1)
  clearTimeout(timer)
  show()
})
