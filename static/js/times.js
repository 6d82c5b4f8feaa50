// Updates relative times and durations, in the same words as the server (core/time/relative-time.ts).
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
]

function length(seconds) {
  const first = UNITS.findIndex(([, size]) => seconds >= size)
  const [unit, size] = UNITS[first]
  const next = UNITS[first + 1]
  const rest = next ? Math.floor((seconds % size) / next[1]) : 0
  const large = `${Math.floor(seconds / size)} ${unit}`
  return rest > 0 ? `${large} ${rest} ${next[0]}` : large
}

function rough(ms) {
  const unit = ms >= 259_200_000 ? 86_400 : ms >= 60_000 ? 60 : 1
  return length(Math.max(1, Math.floor(ms / 1000 / unit) * unit))
}

function relative(at, now) {
  const ms = Math.abs(now - at)
  if (ms < 5_000) return 'just now'
  return at > now ? `in ${rough(ms)}` : `${rough(ms)} ago`
}

function refresh() {
  if (document.hidden) return
  const now = Date.now()
  for (const time of document.querySelectorAll('time[data-relative], time[data-elapsed]')) {
    const at = Date.parse(time.dateTime)
    const words = 'elapsed' in time.dataset ? rough(now - at) : relative(at, now)
    if (time.textContent !== words) time.textContent = words
  }
}

setInterval(refresh, 5_000)
document.addEventListener('visibilitychange', refresh)
document.addEventListener('punctual:changed', refresh)
