// Finds in an output, without changing it, and copies it without its line numbers. See output-viewer.tsx.
const MOST_HITS = 1_000
const hits = new Map()

function show() {
  for (const button of document.querySelectorAll('[data-copy-view][hidden]'))
    button.hidden = !navigator.clipboard
  // Browsers without highlights find with their own search.
  if (!CSS.highlights) return
  for (const input of document.querySelectorAll('[data-find][hidden]')) input.hidden = false
}

function find(input) {
  const view = document.getElementById(input.dataset.find)
  const words = input.value.toLowerCase()
  const ranges = []
  if (words !== '') {
    for (const line of view.querySelectorAll('.line')) rangesIn(line, words, ranges)
    if (!view.querySelector('.line')) rangesIn(view, words, ranges)
  }
  hits.set(input, { ranges, at: -1 })
  CSS.highlights.set('found', new Highlight(...ranges))
  CSS.highlights.delete('found-now')
  step(input, 1)
}

// The hits in a line, whose text may be in several elements.
function rangesIn(line, words, ranges) {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT, node =>
    node.parentNode.matches('.line > a:first-child[href*="#"]') && !node.parentNode.rel
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  )
  const nodes = []
  let text = ''
  while (walker.nextNode()) {
    nodes.push({ node: walker.currentNode, from: text.length })
    text += walker.currentNode.data
  }
  const lower = text.toLowerCase()
  // Lower case may have another length, as that of İ has.
  const hay = lower.length === text.length ? lower : text
  for (let at = hay.indexOf(words); at !== -1; at = hay.indexOf(words, at + words.length)) {
    if (ranges.length === MOST_HITS) return
    const range = new Range()
    const place = offset => nodes.findLast(({ from }) => from <= offset)
    const [start, end] = [place(at), place(at + words.length - 1)]
    range.setStart(start.node, at - start.from)
    range.setEnd(end.node, at + words.length - end.from)
    ranges.push(range)
  }
}

function step(input, by) {
  const found = hits.get(input)
  const status = input.parentElement.querySelector('output')
  if (!found?.ranges.length) {
    status.textContent = input.value === '' ? '' : 'Not found'
    return
  }
  const count = found.ranges.length
  found.at = (found.at + by + count) % count
  const range = found.ranges[found.at]
  CSS.highlights.set('found-now', new Highlight(range))
  status.textContent = `${found.at + 1} of ${count === MOST_HITS ? `${count} or more` : count}`
  const element = range.startContainer.parentElement
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

document.addEventListener('input', ({ target }) => {
  if (target.matches?.('[data-find]')) find(target)
})
document.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || !event.target.matches?.('[data-find]')) return
  event.preventDefault()
  step(event.target, event.shiftKey ? -1 : 1)
})

document.addEventListener('click', async ({ target }) => {
  const button = target.closest?.('[data-copy-view]')
  if (!button) return
  const view = document.getElementById(button.dataset.copyView)
  const lines = [...view.querySelectorAll('.line')].map(line => {
    const copy = line.cloneNode(true)
    copy.querySelector(':scope > a:first-child:not([rel])')?.remove()
    return copy.textContent
  })
  const text = lines.length > 0 ? lines.join('') : view.textContent
  button.textContent = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not allowed',
  )
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 1_500)
})

// A line of a panel that is not shown: the panel opens.
function openPanel() {
  const line = location.hash.startsWith('#L') ? document.getElementById(location.hash.slice(1)) : null
  const radio = line?.closest('.panel')?.previousElementSibling?.previousElementSibling
  if (!radio || radio.checked) return
  radio.checked = true
  line.scrollIntoView({ block: 'center' })
}

show()
openPanel()
addEventListener('hashchange', openPanel)
document.addEventListener('punctual:changed', show)
