// Suggests words for the last word of a field with `data-words`. A browser suggests whole values, so each begins with the words before.
function suggest({ target }) {
  if (!target.matches?.('[data-words]')) return
  const before = target.value.replace(/\S*$/, '')
  const used = new Set(before.split(/\s+/))
  for (const option of target.list.options) {
    option.dataset.word ??= option.value
    option.value = before + option.dataset.word
    option.disabled = used.has(option.dataset.word)
  }
}

document.addEventListener('focusin', suggest)
document.addEventListener('input', suggest)
