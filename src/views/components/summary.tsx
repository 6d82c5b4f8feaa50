import type { StateCounts } from '../../core/check-list.js'

/** Whether anything is wrong, in one line: `2 of 214 checks are down`, `All 214 checks are on time`. */
export function summaryWords(counts: StateCounts): string {
  const { all, down, late } = counts
  if (all === 0) return 'No checks yet'
  const are = (n: number) => (n === 1 ? 'is' : 'are')
  const checks = all === 1 ? 'check' : 'checks'
  if (down > 0) {
    const more = late > 0 ? `, ${late} ${are(late)} late` : ''
    return all === 1 ? 'The check is down' : `${down} of ${all} ${checks} ${are(down)} down${more}`
  }
  if (late > 0) return all === 1 ? 'The check is late' : `${late} of ${all} ${checks} ${are(late)} late`
  const idle = counts.new + counts.paused
  if (idle === all) return counts.paused === all ? 'All checks are paused' : 'Waiting for first pings'
  const rest =
    idle > 0
      ? ` (${[told(counts.new, 'new'), told(counts.paused, 'paused')].filter(Boolean).join(', ')})`
      : ''
  return all === 1
    ? 'The check is on time'
    : `All ${all - idle} ${idle > 0 ? 'active ' : ''}checks are on time${rest}`
}

function told(count: number, word: string): string {
  return count > 0 ? `${count} ${word}` : ''
}
