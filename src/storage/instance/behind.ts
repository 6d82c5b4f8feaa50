/** How a beat stores the parts of the checks whose pings its process cannot record: `part@instant;part@instant`. */

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
