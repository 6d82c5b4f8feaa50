// Sends the form of a button with `data-stay` without leaving the page: what it changed is replaced, the message appears at the bottom
// for as long as the action can be undone, and scroll position and focus stay. Dispatches `punctual:page` with the page that answers.
const SHOWN_MS = 10_000
// While the message is in use, as long as the server still undoes it.
const IN_USE_MS = 4_000
// The message of a page that is loaded again.
const SAID = 'punctual.said'
const FOCUSABLE = 'a[href], button, input:not([type=hidden]), select, summary'
const region = document.getElementById('flash')
let sending = false
let place = null
let timer = 0

document.addEventListener('submit', event => {
  const button = event.submitter
  if (!button?.hasAttribute('data-stay') || event.defaultPrevented) return
  event.preventDefault()
  if (!sending) send(event.target, button)
})

async function send(form, button) {
  sending = true
  // The search acts on checks of other pages, and what it did is undone there; the reader stays where they are.
  const isFromAnywhere = button.closest('#palette, #flash') !== null
  if (!region.contains(button)) place = placeOf(button)
  const body = new URLSearchParams(new FormData(form))
  if (button.name) body.append(button.name, button.value)
  const action = button.getAttribute('formaction') ?? form.getAttribute('action')
  const response = await fetch(action, { method: 'POST', body }).catch(() => null)
  const text = await response?.text().catch(() => null)
  sending = false
  if (text) answer(response, new DOMParser().parseFromString(text, 'text/html'), button, isFromAnywhere)
  else if (!refused(null)) say('bad', 'Not connected: nothing was changed. Try again.')
}

// Whether another script shows that nothing was changed. `page`: the page that says so, or null without an answer.
function refused(page) {
  return !document.dispatchEvent(new CustomEvent('punctual:refused', { detail: page, cancelable: true }))
}

function answer(response, page, button, isFromAnywhere) {
  if (!response.ok) {
    if (!refused(page)) say('bad', page.querySelector('.lead')?.textContent || 'That did not work.')
    return
  }
  const message = [...(page.getElementById('flash')?.children ?? [])]
  const isHere = new URL(response.url).pathname === location.pathname
  if (!isHere && !(isFromAnywhere && message.length > 0)) return location.assign(response.url)
  button.closest('details.menu')?.removeAttribute('open')
  const change = new CustomEvent('punctual:page', { detail: page, cancelable: true })
  // Nothing on this page replaces its parts.
  if (isHere && document.dispatchEvent(change)) return loadAgain(message)
  show(message)
  refocus()
}

function loadAgain(message) {
  try {
    sessionStorage.setItem(SAID, message.map(one => one.outerHTML).join(''))
  } catch {
    // Without storage nothing is said.
  }
  location.reload()
}

function said() {
  const template = document.createElement('template')
  try {
    template.innerHTML = sessionStorage.getItem(SAID) ?? ''
    sessionStorage.removeItem(SAID)
  } catch {
    // Without storage nothing was said.
  }
  return [...template.content.children]
}

function say(kind, words) {
  const message = document.createElement('div')
  message.className = `flash flash-${kind}`
  message.append(Object.assign(document.createElement('p'), { textContent: words }))
  show([message])
}

// A message that is put into the region later is announced.
function show(message) {
  for (const one of message) one.classList.add('toast')
  region.replaceChildren(...message)
  placeToast()
  clearTimeout(timer)
  const shownMs = Number(region.querySelector('[data-for]')?.dataset.for ?? SHOWN_MS)
  const latest = Date.now() + shownMs + IN_USE_MS
  const end = () => {
    const inUse = region.matches(':hover') || region.contains(document.activeElement)
    if (inUse && Date.now() < latest) timer = setTimeout(end, 500)
    else hide()
  }
  timer = setTimeout(end, shownMs)
}

// The message stands above the bar of actions when that stands at the bottom of the window.
function placeToast() {
  const toast = region.querySelector('.toast')
  if (!toast) return
  const bar = document.querySelector('.bulk:not(.idle)')?.getBoundingClientRect()
  const height = toast.offsetHeight
  const isInTheWay = bar && bar.height > 0 && bar.top < innerHeight && bar.bottom > innerHeight - height - 16
  document.documentElement.style.setProperty('--toast-height', `${height}px`)
  document.documentElement.style.setProperty('--toast-above', `${isInTheWay ? innerHeight - bar.top : 0}px`)
}

addEventListener('scroll', placeToast, { passive: true })
addEventListener('resize', placeToast)
// After the handlers that show and hide the bar.
document.addEventListener('change', () => setTimeout(placeToast))

function hide() {
  const hadFocus = region.contains(document.activeElement)
  region.replaceChildren()
  if (hadFocus) refocus()
}

function placeOf(element) {
  const part = element.closest('[data-part]')
  return { element, id: part?.id, at: part ? [...part.querySelectorAll(FOCUSABLE)].indexOf(element) : 0 }
}

// The element that was used last, or the one that replaced it; in a closed menu, what opens the menu.
function refocus() {
  if (!place || (document.activeElement !== document.body && document.activeElement?.isConnected)) return
  const { element, id, at } = place
  const found = element.isConnected ? element : document.getElementById(id)?.querySelectorAll(FOCUSABLE)[at]
  const menu = found?.closest('details:not([open])')
  const target =
    (menu && found.tagName !== 'SUMMARY' ? menu.querySelector('summary') : found) ??
    document.getElementById('main')
  if (target.id === 'main') target.tabIndex = -1
  target.focus({ preventScroll: true })
}

// z undoes.
document.addEventListener('keydown', event => {
  if (event.key !== 'z' || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest('input:not([type=checkbox]), textarea, select, dialog')) return
  region.querySelector('[data-stay]')?.click()
})

const before = said()
if (before.length > 0) show(before)
else if (region.querySelector('[data-stay]')) show([...region.children])
