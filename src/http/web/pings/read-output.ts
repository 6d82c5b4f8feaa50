import { OUTPUT_BYTES } from '../../../core/pings/ping-log.js'
import type { ShownOutput } from '../../../views/components/pings/last-output.js'
import type { WebContext } from '../context.js'

/** The output of a ping as text; null if there is none, or if it is not available. */
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
  return { n, at, text: new TextDecoder().decode(tail), shortened: size > tail.length }
}
