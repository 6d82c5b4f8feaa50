import { OUTPUT_BYTES } from '../../../core/pings/ping-log.js'
import type { ShownOutput } from '../../../views/components/pings/last-output.js'
import { path, type WebContext } from '../context.js'
import { formatBody } from './format-output.js'

/** The output of a ping for the viewer; null if there is none, or if it is not available. */
export async function readOutput(
  c: WebContext,
  checkUuid: string,
  output: { n: number; at: number; tail: Uint8Array | null; size: number } | null,
): Promise<ShownOutput | null> {
  if (!output) return null
  const { n, at, size } = output
  const { bodies } = c.var.deps
  const body = output.tail ?? (await bodies?.read(checkUuid, n).catch(() => null))
  if (!body) return null
  const tail = body.slice(-OUTPUT_BYTES)
  const page = path(c, `/checks/${checkUuid}/pings/${n}/`)
  if (size === tail.length) return { n, at, ...(await formatBody(tail, { size, part: 'all', page })) }
  // The numbers of its lines are not known.
  return { n, at, ...(await formatBody(withoutCutLine(tail), { size, part: 'end', ids: null })) }
}

const LINE_FEED = 10

/** Without the rest of a line at the beginning, if there is a whole line after it. */
function withoutCutLine(tail: Uint8Array): Uint8Array {
  const at = tail.indexOf(LINE_FEED)
  return at === -1 || at === tail.length - 1 ? tail : tail.subarray(at + 1)
}
