// The timeline of all checks: drag over the histogram to enlarge a part; j and k move between lanes, Escape closes the runs.
const histogram = document.querySelector('[data-brush]')
/** The least width of a drag (px); a shorter one is a click. */
const LEAST = 8

/** `2026-11-21T20:00Z` */
const minute = ms => `${new Date(ms).toISOString().slice(0, 16)}Z`

function goTo(from, to) {
  const url = new URL(location.href)
  url.searchParams.delete('range')
  url.searchParams.set('from', minute(from))
  url.searchParams.set('to', minute(Math.max(to, from + 60_000)))
  url.hash = ''
  location.assign(url)
}

/** The share of the histogram's width at a pointer, from 0 to 1. */
function shareAt(event) {
  const { left, width } = histogram.getBoundingClientRect()
  return Math.min(1, Math.max(0, (event.clientX - left) / width))
}

if (histogram) {
  const mark = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  mark.setAttribute('class', 'lane-brush')
  mark.setAttribute('y', '0')
  mark.setAttribute('height', '100%')
  let began = null
  let isDrag = false
  histogram.addEventListener('pointerdown', event => {
    if (event.button !== 0) return
    began = { x: event.clientX, share: shareAt(event) }
    isDrag = false
  })
  histogram.addEventListener('dragstart', event => event.preventDefault())
  window.addEventListener('pointermove', event => {
    if (!began || Math.abs(event.clientX - began.x) < LEAST) return
    isDrag = true
    const [from, to] = [began.share, shareAt(event)].sort((a, b) => a - b)
    mark.setAttribute('x', `${from * 100}%`)
    mark.setAttribute('width', `${(to - from) * 100}%`)
    histogram.append(mark)
  })
  window.addEventListener('pointerup', event => {
    if (!began) return
    const [first, last] = [began.share, shareAt(event)].sort((a, b) => a - b)
    began = null
    mark.remove()
    if (!isDrag) return
    const [from, to] = [Number(histogram.dataset.from), Number(histogram.dataset.to)]
    goTo(from + first * (to - from), from + last * (to - from))
  })
  // A drag ends with a click on the link under the pointer.
  histogram.addEventListener(
    'click',
    event => {
      if (isDrag) event.preventDefault()
      isDrag = false
    },
    true,
  )
}

const lanes = () => [...document.querySelectorAll('[data-lane]')]

function moveBy(step) {
  const all = lanes()
  const at = all.indexOf(document.activeElement)
  const chosen = all.findIndex(lane => lane.getAttribute('aria-current') === 'true')
  const next = all[at === -1 && chosen === -1 ? 0 : (at === -1 ? chosen : at) + step]
  next?.focus()
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest('input, textarea, select, dialog')) return
  if (event.key === 'Escape') document.querySelector('[data-close-runs]')?.click()
  else if (event.key === 'j') moveBy(1)
  else if (event.key === 'k') moveBy(-1)
  else return
  event.preventDefault()
})
