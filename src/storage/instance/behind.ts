/** How a beat stores the parts of the checks whose pings its process cannot record: `part@instant;part@instant`. */
import type { Missed } from '../../core/instance/outage.js'

export type Behind = Readonly<Record<string, number>>

export function writeBehind(behind: Behind): string {
  return Object.entries(behind)
    .map(([part, at]) => `${part}@${at}`)
    .join(';')
}

/** Undefined if there are none. */
export function readBehind(text: string): Behind | undefined {
  if (text === '') return undefined
  return Object.fromEntries(
    text.split(';').map(one => {
      const [part, at] = one.split('@')
      return [part, Number(at)]
    }),
  )
}

/** The earliest instant of each part of the checks of which pings were missed. */
export function behindOf(missed: readonly Missed[]): Behind {
  const behind: Record<string, number> = {}
  for (const { part, from } of missed)
    if (part !== undefined) behind[part] = Math.min(from, behind[part] ?? from)
  return behind
}
