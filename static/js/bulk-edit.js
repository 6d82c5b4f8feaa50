// Editing many checks: the form opens beside the list, and what is typed is previewed at once.
const PAUSE_MS = 300
let timer = 0
let asked = 0

const form = () => document.getElementById('bulk-edit')
const bodyOf = (form, button) => {
  const body = new URLSearchParams(new FormData(form))
  body.append(button.name, button.value)
  return body
}

async function fetchForm(action, body) {
  const response = await fetch(action, { method: 'POST', body }).catch(() => null)
  const text = await response?.text().catch(() => null)
  const page = new DOMParser().parseFromString(text ?? '', 'text/html')
  return page.getElementById('bulk-edit')
}

document.addEventListener('submit', async event => {
  const button = event.submitter
  if (!button || event.defaultPrevented) return
  if (event.target.id === 'bulk-edit' && button.name === 'preview') {
    event.preventDefault()
    await preview()
  } else if (event.target.id === 'checks' && button.name === 'open') {
    event.preventDefault()
    await open(event.target, button)
  }
})

// The drawer needs what the list has chosen; without an answer the form's own page says why.
async function open(list, button) {
  const fresh = await fetchForm(button.getAttribute('formaction'), bodyOf(list, button))
  if (!fresh) return list.submit()
  const drawer = document.createElement('dialog')
  drawer.className = 'drawer'
  drawer.setAttribute('aria-labelledby', 'edit-title')
  drawer.append(fresh)
  document.body.append(drawer)
  drawer.addEventListener('close', () => drawer.remove())
  drawer.addEventListener('click', event => {
    if (event.target !== drawer && !event.target.closest('.edit-end a')) return
    event.preventDefault()
    drawer.close()
  })
  begin()
  drawer.showModal()
  fresh.querySelector('input[name=part]')?.focus()
}

function begin() {
  // The preview keeps up by itself.
  for (const button of form().querySelectorAll('.edit-end [name=preview]')) button.hidden = true
  // In the drawer the list stays.
  if (!form().closest('dialog')) return
  form().querySelector('[name=apply]')?.setAttribute('data-stay', '')
}

// Who clicks on a choice types next. The keyboard stays among the choices.
document.addEventListener('click', ({ detail, target }) => {
  if (detail && target.checked && target.matches('#bulk-edit .choice > .tick input'))
    target.closest('.choice').querySelector('.field :is(input, textarea, select)')?.focus()
})

function changed(event) {
  if (!event.target.closest?.('#bulk-edit')) return
  // What the button says is about the preview from before.
  form().querySelector('[name=apply]')?.setAttribute('disabled', '')
  clearTimeout(timer)
  timer = setTimeout(preview, PAUSE_MS)
}
document.addEventListener('input', changed)

async function preview() {
  clearTimeout(timer)
  const number = ++asked
  const fresh = await fetchForm(
    form().getAttribute('action'),
    bodyOf(form(), { name: 'preview', value: '1' }),
  )
  if (!fresh || !form() || number !== asked) return
  show(fresh)
}

function show(fresh) {
  for (const field of form().querySelectorAll('.field')) markAs(field, fresh)
  const [pane, summary] = [document.getElementById('edit-preview'), document.getElementById('edit-summary')]
  const had = pane.contains(document.activeElement)
  pane.replaceWith(fresh.querySelector('#edit-preview'))
  const words = fresh.querySelector('#edit-summary').textContent
  if (summary.textContent !== words) summary.textContent = words
  document.getElementById('edit-title').textContent = fresh.querySelector('#edit-title').textContent
  begin()
  if (had) form().querySelector('[name=apply], .edit-end a')?.focus()
}

// An empty field that was not filled in yet is not marked.
function markAs(field, fresh) {
  const input = field.querySelector('input, textarea, select')
  const same = fresh.querySelector(`#${input.id}`)
  const error = input.value === '' ? null : same?.closest('.field').querySelector('.error')
  field.querySelector('.error')?.remove()
  if (error) input.after(error)
  field.classList.toggle('has-error', Boolean(error))
  for (const name of ['aria-invalid', 'aria-describedby']) {
    const value = error || name === 'aria-describedby' ? same?.getAttribute(name) : null
    if (value) input.setAttribute(name, value)
    else input.removeAttribute(name)
  }
}

// The answer to a change that was made, or that was not: see stay.js.
document.addEventListener('punctual:page', () => form()?.closest('dialog')?.close())
document.addEventListener('punctual:refused', event => {
  const fresh = event.detail?.getElementById('bulk-edit')
  if (!form()?.closest('dialog')) return
  event.preventDefault()
  if (fresh) show(fresh)
  else document.getElementById('edit-summary').textContent = 'Not connected: nothing was changed. Try again.'
})
if (form()) begin()
