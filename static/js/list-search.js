// Searches the list of checks while the user types, and hides and shows groups, without loading the page anew.
const WAIT_MS = 200
const TIMEOUT_MS = 10_000
let timer
let request

async function show(url) {
  request?.abort()
  request = new AbortController()
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const response = await fetch(url, { signal }).catch(() => null)
  if (!response?.ok || response.redirected) return signal.aborted ? undefined : location.assign(url)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const list = page.getElementById('list')
  if (signal.aborted) return
  if (!list) return location.assign(url)
  history.replaceState(null, '', url)
  document.getElementById('list').replaceWith(list)
  for (const nav of document.querySelectorAll('.filters > nav')) nav.remove()
  document.querySelector('.filters').append(...page.querySelectorAll('.filters > nav'))
  const fresh = page.querySelector('[data-live]')
  const root = document.querySelector('[data-live]')
  root.dataset.live = fresh.dataset.live
  root.dataset.version = fresh.dataset.version
  list.dispatchEvent(new CustomEvent('punctual:changed', { bubbles: true }))
  document.dispatchEvent(new CustomEvent('punctual:swapped'))
  document.dispatchEvent(new CustomEvent('punctual:replaced'))
}

// The address of a search without its empty fields.
function addressOf(form) {
  const fields = new URLSearchParams(new FormData(form))
  if (fields.get('search').trim() === '') fields.delete('search')
  const query = fields.toString()
  return form.action.replace(/\?.*/, '') + (query === '' ? '' : `?${query}`)
}

document.addEventListener('input', event => {
  if (event.target.id !== 'search') return
  clearTimeout(timer)
  timer = setTimeout(() => show(addressOf(event.target.form)), WAIT_MS)
})

document.addEventListener('submit', event => {
  if (!event.target.matches('.list-search')) return
  event.preventDefault()
  clearTimeout(timer)
  show(addressOf(event.target))
})

document.addEventListener('click', async event => {
  const link = event.target.closest('a[data-swap]')
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const { id } = link.closest('tr')
  await show(link.href)
  document.getElementById(id)?.querySelector('a').focus()
})
