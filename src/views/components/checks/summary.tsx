import type { StateCounts } from '../../../core/checks/check-list.js'
import { are } from '../../../core/text/plural.js'

/** Whether anything is wrong, as the headline of a list. */
export function Summary({ counts }: { counts: StateCounts }) {
  return (
    <h1
      id="summary"
      data-part
      class={`summary is-${counts.down > 0 ? 'down' : counts.late + counts.failing > 0 ? 'late' : 'fine'}`}
    >
      {summaryWords(counts)}
    </h1>
  )
}

/** One line: `2 of 214 checks are down`, `All 214 checks are on time`. */
export function summaryWords(counts: StateCounts): string {
  const { all, down, late, failing } = counts
  if (all === 0) return 'No checks yet'
  const one = all === 1
  if (down > 0) {
    if (one) return 'The only check is down'
    return `${down} of ${all} checks ${are(down)} down${beside(late, 'late')}${beside(failing, 'failing')}`
  }
  if (late > 0) {
    if (one) return failing > 0 ? 'The only check is late and failing' : 'The only check is late'
    return `${late} of ${all} checks ${are(late)} late${beside(failing, 'failing')}`
  }
  if (failing > 0)
    return one ? 'The only check is failing' : `${failing} of ${all} checks ${are(failing)} failing`
  const idle = [counted(counts.new, 'new'), counted(counts.paused, 'paused')].filter(part => part !== '')
  if (counts.new + counts.paused === all) {
    if (one) return counts.new > 0 ? 'No pings yet' : 'The only check is paused'
    if (counts.new === all) return `No pings yet (${all} checks)`
    return `All ${all} checks are ${idle.map(part => (idle.length === 1 ? part.split(' ')[1] : part)).join(', ')}`
  }
  if (one) return 'The only check is on time'
  return idle.length === 0
    ? `All ${all} checks are on time`
    : `${counts.up} of ${all} checks ${are(counts.up)} on time, ${idle.join(', ')}`
}

/** `, 2 are late` */
function beside(count: number, word: string): string {
  return count > 0 ? `, ${count} ${are(count)} ${word}` : ''
}

function counted(count: number, word: string): string {
  return count > 0 ? `${count} ${word}` : ''
}
