/** Lists of exit statuses: comma-separated codes and ranges such as `0,3,100-110`. */

type Range = readonly [from: number, to: number]

/** The ranges of a list; null if it is invalid or empty. */
export function parseExitCodes(list: string): Range[] | null {
  const ranges: Range[] = []
  for (const part of list.split(',')) {
    const match = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(part.trim())
    if (!match) return null
    const from = Number(match[1])
    const to = Number(match[2] ?? match[1])
    if (from > to || to > 255) return null
    ranges.push([from, to])
  }
  return ranges
}

/** Whether `exitStatus` is a success, by a valid list. */
export function isSuccess(list: string, exitStatus: number): boolean {
  if (list === '0') return exitStatus === 0
  return parseExitCodes(list)!.some(([from, to]) => exitStatus >= from && exitStatus <= to)
}
